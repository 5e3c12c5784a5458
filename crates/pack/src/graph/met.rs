//! What a writer and a reader remember of a graph: which objects they have met, by id.

use super::outside;
use crate::prelude::*;
use crate::{Arena, Circular, Error, ErrorKind, Ref};
#[cfg(not(feature = "std"))]
use alloc::collections::BTreeMap as ById;
use alloc::rc::{Rc, Weak};
use core::any::{TypeId, type_name};
use core::ptr::NonNull;
#[cfg(feature = "std")]
use std::collections::HashMap as ById;

/// Which objects a writer has met.
#[derive(Default)]
pub(crate) struct Met {
    pub(super) inside: Inside,
    /// The id of the next object. It keeps counting from one graph to the next in the same value.
    next: u32,
}

/// The graph that is being written.
#[derive(Default)]
pub(super) struct Inside {
    arena: Option<NonNull<Arena>>,
    /// Ends with the call that borrows the arena, wherever this may have been moved by then.
    running: Weak<()>,
    /// The id of each object that was met, by type and index.
    ids: Vec<(TypeId, Vec<Option<u32>>)>,
    /// Type and index of what was met, in order, so that what was only measured can be forgotten.
    order: Vec<(usize, u32)>,
}

impl Inside {
    /// A graph with this arena, until nobody holds `running` any more.
    pub(super) fn of(arena: &Arena, running: &Rc<()>) -> Inside {
        Inside { arena: Some(NonNull::from(arena)), running: Rc::downgrade(running), ..Inside::default() }
    }

    /// The arena, while it is borrowed.
    pub(super) fn arena(&self) -> Option<NonNull<Arena>> {
        self.arena.filter(|_| self.running.strong_count() > 0)
    }
}

/// How far a writer has come in its graph.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mark {
    met: usize,
    next: u32,
}

impl Met {
    /// Where to go back to.
    pub(crate) fn mark(&self) -> Mark {
        Mark { met: self.inside.order.len(), next: self.next }
    }

    /// Forgets what was met since `mark`.
    pub(crate) fn forget(&mut self, mark: Mark) {
        let Inside { ids, order, .. } = &mut self.inside;
        for (of, index) in order.drain(mark.met..) {
            ids[of].1[index as usize] = None;
        }
        self.next = mark.next;
    }

    /// The id of an object, and whether it was met before. `None` where no id is left.
    pub(super) fn meet<T: Circular>(&mut self, object: Ref<T>) -> Option<(u32, bool)> {
        let Inside { ids, order, .. } = &mut self.inside;
        let of = ids.iter().position(|(of, _)| *of == TypeId::of::<T>()).unwrap_or_else(|| {
            ids.push((TypeId::of::<T>(), Vec::new()));
            ids.len() - 1
        });
        let known = &mut ids[of].1;
        if known.len() <= object.index() {
            known.resize(object.index() + 1, None);
        }
        if let Some(id) = known[object.index()] {
            return Some((id, true));
        }
        let id = self.next;
        self.next = id.checked_add(1)?;
        known[object.index()] = Some(id);
        order.push((of, object.index() as u32));
        Some((id, false))
    }
}

/// Which objects a reader has met.
#[derive(Default)]
pub(crate) struct Found {
    /// The arena of the graph that is being read, and which graph of the value that is: references do not go
    /// from one to another.
    pub(super) inside: Option<(Arena, u32)>,
    pub(super) graphs: u32,
    /// By id: graph, type and index.
    objects: ById<u32, (u32, TypeId, u32)>,
}

impl Found {
    /// Makes a place for the object with this id.
    pub(super) fn begin<T: Circular>(&mut self, id: u32, place: usize) -> Result<usize, Error> {
        let Some((arena, graph)) = &mut self.inside else { return Err(outside::<T>(place)) };
        let pool = arena.pool_mut::<T>();
        let index = pool.len();
        // Each has an id of its own, so there are no more of them than a u32 can number.
        let entry = (*graph, TypeId::of::<T>(), index as u32);
        if self.objects.insert(id, entry).is_some() {
            let message = format!("a second object with the id {id}");
            return Err(Error::new(ErrorKind::ReferenceInvalid, place, message));
        }
        pool.push(None);
        Ok(index)
    }

    /// Puts an object into its place. `None` where that is not in the graph that is being read.
    pub(super) fn end<T: Circular>(&mut self, index: usize, object: T) -> Option<Ref<T>> {
        let (arena, _) = self.inside.as_mut()?;
        *arena.pool_mut::<T>().get_mut(index)? = Some(object);
        Some(Ref::new(index))
    }

    /// The object that had this id.
    pub(super) fn back<T: Circular>(&self, id: u32, place: usize) -> Result<Ref<T>, Error> {
        let Some((_, here)) = &self.inside else { return Err(outside::<T>(place)) };
        let message = match self.objects.get(&id) {
            Some((graph, of, index)) if graph == here && *of == TypeId::of::<T>() => {
                return Ok(Ref::new(*index as usize));
            }
            Some((graph, ..)) if graph != here => {
                format!("a reference to the object {id}, which is part of another graph")
            }
            Some(_) => format!("a reference to the object {id}, which is not a {}", type_name::<T>()),
            None => format!("a reference to the object {id}, which has not come before"),
        };
        Err(Error::new(ErrorKind::ReferenceInvalid, place, message))
    }
}
