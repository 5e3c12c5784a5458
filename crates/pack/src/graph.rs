//! Objects that refer to one another in circles: an arena owns them, and what refers is an index.

use crate::members::NULL;
use crate::{Error, ErrorKind, Form, Pack, Reader, Unpack, Writer, reader};
use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::marker::PhantomData;
use std::rc::{Rc, Weak};
use std::{fmt, hash, mem, ops, ptr};

/// Before the id of an object that was written already.
const BACK: u8 = 0xFA;

/// What `#[pack(circular)]` makes of a struct: an object that lives in an [`Arena`] and is written where a
/// [`Ref`] first comes to it.
pub trait Circular: Sized + Send + Sync + 'static {
    /// Its slots: one more than the greatest order.
    const SLOTS: u8;

    /// Writes the member of a slot, or nothing for a hole.
    ///
    /// # Errors
    /// When the member cannot be written.
    fn pack_slot(&self, slot: usize, writer: &mut Writer<'_>) -> Result<(), Error>;

    /// Reads its members; the reader stands on the object's header. `begin` is called between the header and
    /// the members.
    ///
    /// # Errors
    /// When the bytes are none of it.
    fn unpack_slots<'a>(
        reader: &mut Reader<'a>,
        begin: &mut dyn FnMut(&mut Reader<'a>) -> Result<(), Error>,
    ) -> Result<Self, Error>;
}

/// A reference to a `T` in an [`Arena`].
pub struct Ref<T> {
    index: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> Ref<T> {
    fn new(index: usize) -> Ref<T> {
        Ref { index: index as u32, of: PhantomData }
    }

    /// Where it is among the arena's objects of its type, in the order in which they were added or read.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// Owns the objects of a [`Graph`], of all types.
#[derive(Default)]
pub struct Arena {
    /// A few types at most, so they are searched one after another.
    pools: Vec<(TypeId, Box<dyn Any + Send + Sync>)>,
}

/// The objects of one type. One that is still being read is `None`.
type Pool<T> = Vec<Option<T>>;

impl Arena {
    /// An arena without objects.
    pub fn new() -> Arena {
        Arena::default()
    }

    /// Adds an object.
    ///
    /// # Panics
    /// When there are more than `u32::MAX` of its type.
    pub fn add<T: Circular>(&mut self, object: T) -> Ref<T> {
        let pool = self.pool_mut::<T>();
        assert!(pool.len() < u32::MAX as usize, "an arena holds at most u32::MAX objects of a type");
        pool.push(Some(object));
        Ref::new(pool.len() - 1)
    }

    /// The object. A reference from another arena finds none, or another object.
    pub fn get<T: Circular>(&self, object: Ref<T>) -> Option<&T> {
        self.pool::<T>()?.get(object.index())?.as_ref()
    }

    /// The object. A reference from another arena finds none, or another object.
    pub fn get_mut<T: Circular>(&mut self, object: Ref<T>) -> Option<&mut T> {
        self.pool_mut::<T>().get_mut(object.index())?.as_mut()
    }

    /// The objects of one type, in the order in which they were added or read.
    pub fn iter<T: Circular>(&self) -> impl Iterator<Item = (Ref<T>, &T)> {
        let objects = self.pool::<T>().into_iter().flatten().enumerate();
        objects.filter_map(|(index, object)| Some((Ref::new(index), object.as_ref()?)))
    }

    fn place<T: Circular>(&self) -> Option<usize> {
        self.pools.iter().position(|(of, _)| *of == TypeId::of::<T>())
    }

    fn pool<T: Circular>(&self) -> Option<&Pool<T>> {
        self.pools[self.place::<T>()?].1.downcast_ref()
    }

    fn pool_mut<T: Circular>(&mut self) -> &mut Pool<T> {
        let place = self.place::<T>().unwrap_or_else(|| {
            self.pools.push((TypeId::of::<T>(), Box::new(Pool::<T>::new())));
            self.pools.len() - 1
        });
        self.pools[place].1.downcast_mut().expect("the pool at a type's place is of that type")
    }
}

impl<T: Circular> ops::Index<Ref<T>> for Arena {
    type Output = T;

    fn index(&self, object: Ref<T>) -> &T {
        self.get(object).expect("the reference is from this arena")
    }
}

impl<T: Circular> ops::IndexMut<Ref<T>> for Arena {
    fn index_mut(&mut self, object: Ref<T>) -> &mut T {
        self.get_mut(object).expect("the reference is from this arena")
    }
}

/// Objects that refer to one another, and what to begin with: a [`Ref`], or anything that has some.
///
/// ```
/// use upcall_pack::{Arena, Graph, Pack, Ref};
///
/// #[derive(Default, Pack)]
/// #[pack(circular, crate = upcall_pack)]
/// struct Node {
///     parent: Option<Ref<Node>>,
///     kids: Option<Vec<Ref<Node>>>,
/// }
///
/// let mut arena = Arena::new();
/// let root = arena.add(Node::default());
/// let kid = arena.add(Node { parent: Some(root), kids: None });
/// arena[root].kids = Some(vec![kid]);
///
/// let bytes = upcall_pack::to_vec(&Graph { arena, root })?;
/// let graph: Graph<Ref<Node>> = upcall_pack::from_slice(&bytes)?;
/// let kid = graph.arena[graph.root].kids.as_ref().unwrap()[0];
/// assert_eq!(graph.arena[kid].parent, Some(graph.root));
/// # Ok::<(), upcall_pack::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Graph<R> {
    /// What owns the objects.
    pub arena: Arena,
    /// What refers to the first of them.
    pub root: R,
}

/// Which objects a writer has met.
#[derive(Default)]
pub(crate) struct Met {
    inside: Inside,
    /// The id of the next object. It counts on from one graph to the next in the same value.
    next: u32,
}

/// The graph that is being written.
#[derive(Default)]
struct Inside {
    arena: Option<ptr::NonNull<Arena>>,
    /// Ends with the call that borrows the arena, wherever this may have been moved by then.
    running: Weak<()>,
    /// The id of each object that was met, by type and index.
    ids: Vec<(TypeId, Vec<Option<u32>>)>,
    /// Type and index of what was met, in order, so that what was only measured can be forgotten.
    order: Vec<(usize, u32)>,
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

    /// The id of an object, and whether it was met before.
    fn meet<T: Circular>(&mut self, object: Ref<T>) -> (u32, bool) {
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
            return (id, true);
        }
        let id = self.next;
        known[object.index()] = Some(id);
        order.push((of, object.index));
        self.next += 1;
        (id, false)
    }
}

/// Which objects a reader has met.
#[derive(Default)]
pub(crate) struct Found {
    /// The arena of the graph that is being read, and which graph of the value that is: references do not go
    /// from one to another.
    inside: Option<(Arena, u32)>,
    graphs: u32,
    /// By id: graph, type and index.
    objects: HashMap<u32, (u32, TypeId, u32)>,
}

impl<R: Pack> Pack for Graph<R> {
    const FORM: Form<Self> = match R::FORM.managed() {
        Some(form) => form,
        None => panic!("a raw value refers to nothing: a graph begins with a `Ref`, or with what has some"),
    };
    const MIN: usize = R::MIN;

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        /// Puts the outer graph back, also when the root panics: the arena is borrowed for this call alone.
        struct Restore<'w, 's>(&'w mut Writer<'s>, Inside);
        impl Drop for Restore<'_, '_> {
            fn drop(&mut self) {
                self.0.met().inside = mem::take(&mut self.1);
            }
        }

        let running = Rc::new(());
        let inside = Inside {
            arena: Some(ptr::NonNull::from(&self.arena)),
            running: Rc::downgrade(&running),
            ..Inside::default()
        };
        let outer = mem::replace(&mut writer.met().inside, inside);
        let restore = Restore(writer, outer);
        self.root.pack(restore.0)
    }
}

impl<'a, R: Unpack<'a>> Unpack<'a> for Graph<R> {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let found = reader.found();
        let outer = found.inside.replace((Arena::new(), found.graphs));
        found.graphs += 1;
        let root = R::unpack(reader);
        let inside = mem::replace(&mut reader.found().inside, outer);
        let arena = inside.map(|(arena, _)| arena).unwrap_or_default();
        Ok(Graph { arena, root: root? })
    }
}

impl<T: Circular> Pack for Ref<T> {
    const FORM: Form<Self> = Form::Object;
    const MIN: usize = 2;

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        let inside = &writer.met().inside;
        let Some(arena) = inside.arena.filter(|_| inside.running.strong_count() > 0) else {
            return Err(outside::<T>(writer.position()));
        };
        // SAFETY: `Graph::pack` borrows the arena, and is still running: what it drops at its end is there.
        let Some(object) = unsafe { arena.as_ref() }.get(*self) else {
            let message = format!(
                "a reference to {} number {}, which its graph's arena does not have: it is from another",
                type_name::<T>(),
                self.index
            );
            return Err(writer.error(ErrorKind::ReferenceInvalid, message));
        };
        let (id, before) = writer.met().meet(*self);
        if before {
            writer.u8(BACK)?;
            return writer.varint_id(id);
        }
        writer.slots(T::SLOTS, Some(id), &|slot, writer| object.pack_slot(slot, writer))
    }
}

impl<'a, T: Circular> Unpack<'a> for Ref<T> {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let place = reader.position();
        match reader.peek_u8()? {
            NULL => return Err(reader::null(place)),
            BACK => {
                reader.u8()?;
                let id = reader.varint_id()?;
                return reader.found().back(id, place);
            }
            _ => {}
        }
        let mut index = None;
        let object = T::unpack_slots(reader, &mut |reader| {
            let id = reader.varint_id()?;
            index = Some(reader.found().begin::<T>(id, place)?);
            Ok(())
        })?;
        match (&mut reader.found().inside, index) {
            (Some((arena, _)), Some(index)) => {
                arena.pool_mut::<T>()[index] = Some(object);
                Ok(Ref::new(index))
            }
            _ => Err(outside::<T>(place)),
        }
    }
}

impl Found {
    /// Makes a place for the object with this id.
    fn begin<T: Circular>(&mut self, id: u32, place: usize) -> Result<usize, Error> {
        let Some((arena, graph)) = &mut self.inside else { return Err(outside::<T>(place)) };
        let pool = arena.pool_mut::<T>();
        let index = pool.len();
        let entry = (*graph, TypeId::of::<T>(), index as u32);
        if self.objects.insert(id, entry).is_some() {
            let message = format!("a second object with the id {id}");
            return Err(Error::new(ErrorKind::ReferenceInvalid, place, message));
        }
        pool.push(None);
        Ok(index)
    }

    /// The object that had this id.
    fn back<T: Circular>(&self, id: u32, place: usize) -> Result<Ref<T>, Error> {
        let Some((_, here)) = &self.inside else { return Err(outside::<T>(place)) };
        let message = match self.objects.get(&id) {
            Some((graph, of, index)) if graph == here && *of == TypeId::of::<T>() => {
                return Ok(Ref::new(*index as usize));
            }
            Some((graph, ..)) if graph != here => {
                format!("a reference to the object {id}, which is part of another graph")
            }
            Some(_) => format!("a reference to the object {id}, which is no {}", type_name::<T>()),
            None => format!("a reference to the object {id}, which has not been there"),
        };
        Err(Error::new(ErrorKind::ReferenceInvalid, place, message))
    }
}

#[cold]
fn outside<T>(place: usize) -> Error {
    let message =
        format!("a reference to {} outside of a graph: write and read it in a `Graph`", type_name::<T>());
    Error::new(ErrorKind::Unsupported, place, message)
}

impl fmt::Debug for Arena {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arena").field("types", &self.pools.len()).finish_non_exhaustive()
    }
}

impl<T> Clone for Ref<T> {
    fn clone(&self) -> Ref<T> {
        *self
    }
}

impl<T> Copy for Ref<T> {}

impl<T> PartialEq for Ref<T> {
    fn eq(&self, other: &Ref<T>) -> bool {
        self.index == other.index
    }
}

impl<T> Eq for Ref<T> {}

impl<T> hash::Hash for Ref<T> {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}

impl<T> fmt::Debug for Ref<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ref({})", self.index)
    }
}
