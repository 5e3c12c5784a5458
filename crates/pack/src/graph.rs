//! Objects that refer to one another in circles: an arena owns them, and a reference is an index.

mod arena;
mod met;

use crate::members::NULL;
use crate::prelude::*;
use crate::{Error, ErrorKind, Form, Pack, Reader, Unpack, Writer, reader};
use alloc::rc::Rc;
use core::any::type_name;
use core::mem;
use met::Inside;

pub use arena::{Arena, Ref};
pub(crate) use met::{Found, Mark, Met};

/// Precedes the id of an object that has been written already.
const BACK: u8 = 0xFA;

/// What `#[pack(circular)]` makes of a struct: an object that lives in an [`Arena`] and is written where a
/// [`Ref`] first comes to it.
pub trait Circular: Sized + Send + Sync + 'static {
    /// Its slots: one more than the greatest order.
    const SLOTS: u8;

    /// Says what its bytes are, for a [`Schema`](crate::Schema). `#[derive(Pack)]` does it.
    fn describe(to: &mut crate::Describe) {
        to.unknown(type_name::<Self>());
    }

    /// Writes the member of a slot, or nothing for a hole.
    ///
    /// # Errors
    /// When the member cannot be written.
    fn pack_slot(&self, slot: usize, writer: &mut Writer<'_>) -> Result<(), Error>;

    /// Reads its members; the reader stands on the object's header. `begin` is called between the header and
    /// the members.
    ///
    /// # Errors
    /// When the bytes are not a valid value.
    fn unpack_slots<'a>(
        reader: &mut Reader<'a>,
        begin: &mut dyn FnMut(&mut Reader<'a>) -> Result<(), Error>,
    ) -> Result<Self, Error>;
}

/// Objects that refer to one another, and where to begin: a [`Ref`], or anything that holds one.
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

impl<R: Pack> Pack for Graph<R> {
    const FORM: Form<Self> = match R::FORM.managed() {
        Some(form) => form,
        None => panic!("a raw value refers to nothing: a graph begins with a `Ref`, or with what holds one"),
    };
    const MIN: usize = R::MIN;

    fn describe(to: &mut crate::Describe) {
        R::describe(to);
    }

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        /// Puts the outer graph back, even when the root panics: the arena is borrowed for this call alone.
        struct Restore<'w, 's>(&'w mut Writer<'s>, Inside);
        impl Drop for Restore<'_, '_> {
            fn drop(&mut self) {
                self.0.met().inside = mem::take(&mut self.1);
            }
        }

        let running = Rc::new(());
        let outer = mem::replace(&mut writer.met().inside, Inside::of(&self.arena, &running));
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

    fn describe(to: &mut crate::Describe) {
        T::describe(to);
    }

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        let Some(arena) = writer.met().inside.arena() else {
            return Err(outside::<T>(writer.position()));
        };
        // SAFETY: `Graph::pack` borrows the arena, and is still running.
        let Some(object) = unsafe { arena.as_ref() }.get(*self) else {
            let message = format!(
                "a reference to {} number {}, which its graph's arena does not have: it is from another",
                type_name::<T>(),
                self.index()
            );
            return Err(writer.error(ErrorKind::ReferenceInvalid, message));
        };
        let Some((id, before)) = writer.met().meet(*self) else {
            let message = "more objects than a u32 can number: split the graph";
            return Err(writer.error(ErrorKind::Unsupported, message));
        };
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
        index.and_then(|index| reader.found().end(index, object)).ok_or_else(|| outside::<T>(place))
    }
}

#[cold]
fn outside<T>(place: usize) -> Error {
    let message =
        format!("a reference to {} outside of a graph: write and read it in a `Graph`", type_name::<T>());
    Error::new(ErrorKind::Unsupported, place, message)
}
