//! The parts of one value, one after another: items, members, pairs.

use super::error::{inside, unsupported};
use super::shape::{Class, Id, Map, Part};
use super::write::Out;
use crate::Error;
use crate::prelude::*;
use ::serde::ser::{self, Serialize};

/// What the parts are.
pub(super) enum Of<'o> {
    /// Of a list or an array; unmanaged items of an array in a block have a size.
    Items {
        item: Id,
        count: usize,
        size: usize,
    },
    Tuple(&'o [Part]),
    Pairs {
        map: &'o Map,
        count: usize,
    },
    Class(&'o Class),
}

/// A value whose parts are being written.
pub(super) struct Group<'p, 'o, 's> {
    out: &'p mut Out<'o, 's>,
    of: Of<'o>,
    /// Where it begins in the block, if it is unmanaged.
    at: Option<usize>,
    /// How many parts were written.
    done: usize,
    /// Whether a key waits for its value.
    keyed: bool,
    /// Whether it stands behind a tag.
    variant: bool,
}

impl<'p, 'o, 's> Group<'p, 'o, 's> {
    #[inline]
    pub(super) fn new(out: &'p mut Out<'o, 's>, of: Of<'o>) -> Group<'p, 'o, 's> {
        Group { out, of, at: None, done: 0, keyed: false, variant: false }
    }

    /// The same, which begins at `at` in the block.
    #[inline]
    pub(super) fn at(self, at: Option<usize>) -> Self {
        Group { at, ..self }
    }

    /// The same behind a tag.
    pub(super) fn tagged(self) -> Self {
        Group { variant: true, ..self }
    }

    #[inline]
    fn count(&self) -> usize {
        match &self.of {
            Of::Items { count, .. } | Of::Pairs { count, .. } => *count,
            Of::Tuple(parts) => parts.len(),
            Of::Class(class) => class.members.len(),
        }
    }

    /// Writes the next part.
    #[inline]
    pub(super) fn next<T: Serialize + ?Sized>(&mut self, value: &T, name: &'static str) -> Result<(), Error> {
        if self.done == self.count() {
            return Err(self.miscounted("more", name));
        }
        let index = self.done;
        self.done += 1;
        match (&self.of, self.at) {
            (Of::Items { item, size, .. }, Some(at)) => self.out.part(*item, value, at + index * size),
            (Of::Items { item, .. }, None) => self.out.value(*item, value),
            (Of::Tuple(parts), at) => self.item(&parts[index], value, at),
            (Of::Class(class), _) => self
                .out
                .value(class.members[index].node, value)
                .map_err(|error| inside(error, name).inside(class.name)),
            (Of::Pairs { map, .. }, _) => match map.raw {
                Some((_, at)) => {
                    self.out.part(map.value, value, at)?;
                    self.out.close()
                }
                None => self.out.value(map.value, value),
            },
        }
    }

    #[inline]
    fn item<T: Serialize + ?Sized>(
        &mut self,
        part: &Part,
        value: &T,
        whole: Option<usize>,
    ) -> Result<(), Error> {
        match (part.at, whole) {
            (None, _) => self.out.value(part.node, value),
            (Some(at), Some(begin)) => self.out.part(part.node, value, begin + at),
            (Some(at), None) => {
                if let Some(size) = part.opens {
                    self.out.open(size);
                }
                self.out.part(part.node, value, at)?;
                if part.closes { self.out.close() } else { Ok(()) }
            }
        }
    }

    /// Ends the value.
    #[inline]
    pub(super) fn finish(self) -> Result<(), Error> {
        if self.done != self.count() {
            return Err(self.miscounted("fewer", ""));
        }
        if let Of::Class(_) = self.of {
            self.out.writer.leave();
        }
        if self.variant {
            self.out.writer.leave();
        }
        Ok(())
    }

    #[cold]
    fn miscounted(&self, found: &str, name: &'static str) -> Error {
        let (done, count) = (self.done, self.count());
        match &self.of {
            Of::Class(class) => {
                let message = format!(
                    "`Serialize` of `{}` writes {found} members than the {count} that `Deserialize` reads: no \
                     attribute may leave out a member in one direction only",
                    class.name
                );
                inside(unsupported(message), name)
            }
            _ => unsupported(format!(
                "`Serialize` said that there are {count} items and gave {found} (at {done}): the count comes first in \
                 the bytes, so it has to be right"
            )),
        }
    }
}

macro_rules! groups {
    ($($trait:ident::$next:ident)*) => {$(
        impl ser::$trait for Group<'_, '_, '_> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $next<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.next(value, "")
            }

            #[inline]
            fn end(self) -> Result<(), Error> {
                self.finish()
            }
        }
    )*};
}
groups! {
    SerializeSeq::serialize_element
    SerializeTuple::serialize_element
    SerializeTupleStruct::serialize_field
    SerializeTupleVariant::serialize_field
}

macro_rules! structs {
    ($($trait:ident)*) => {$(
        impl ser::$trait for Group<'_, '_, '_> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                self.next(value, name)
            }

            fn skip_field(&mut self, name: &'static str) -> Result<(), Error> {
                let message = "a member that is skipped, which only a format with names allows: leave out \
                               `skip_serializing_if`, or use `#[serde(skip)]`";
                Err(unsupported(message).inside(name))
            }

            #[inline]
            fn end(self) -> Result<(), Error> {
                self.finish()
            }
        }
    )*};
}
structs!(SerializeStruct SerializeStructVariant);

impl ser::SerializeMap for Group<'_, '_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let Of::Pairs { map, count } = &self.of else { return Err(self.miscounted("keys", "")) };
        if self.done == *count || core::mem::replace(&mut self.keyed, true) {
            return Err(self.miscounted("more", ""));
        }
        match map.raw {
            Some((size, _)) => {
                self.out.open(size);
                self.out.part(map.key, key, 0)
            }
            None => self.out.value(map.key, key),
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        if !core::mem::take(&mut self.keyed) {
            return Err(self.miscounted("a value without its key", ""));
        }
        self.next(value, "")
    }

    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}
