//! The parts of a value that is read, one after another: items, members, pairs.

use super::error::{inside, unsupported};
use super::read::{Get, In};
use super::shape::{Class, Id, Map, Part};
use crate::Error;
use crate::members::{NULL, no_default, too_many};
use crate::reader::null;
use ::serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};

/// The items of a list, an array or a tuple.
pub(super) struct Items<'g, 'i, 'de> {
    from: &'g mut In<'i, 'de>,
    of: Of<'i>,
    /// Where they begin in the block, if they are unmanaged.
    begin: Option<usize>,
    count: usize,
    done: usize,
    /// How many to make room for.
    room: usize,
}

enum Of<'i> {
    /// Each of `size` bytes in the block.
    Same {
        item: Id,
        size: usize,
    },
    Parts(&'i [Part]),
}

impl<'g, 'i, 'de> Items<'g, 'i, 'de> {
    /// `count` unmanaged items that lie in the block.
    pub(super) fn raw(from: &'g mut In<'i, 'de>, item: Id, count: usize, begin: usize) -> Self {
        let size = from.nodes[item].layout.map_or(0, |layout| layout.size);
        Items { from, of: Of::Same { item, size }, begin: Some(begin), count, done: 0, room: 0 }
    }

    /// `count` managed items.
    pub(super) fn managed(from: &'g mut In<'i, 'de>, item: Id, count: usize) -> Self {
        Items { from, of: Of::Same { item, size: 0 }, begin: None, count, done: 0, room: 0 }
    }

    /// The items of a tuple, which lie in the block if it is unmanaged.
    pub(super) fn tuple(from: &'g mut In<'i, 'de>, parts: &'i [Part], begin: Option<usize>) -> Self {
        let count = parts.len();
        Items { from, of: Of::Parts(parts), begin, count, done: 0, room: count }
    }

    /// The same, which says that there are that many, as a visitor may make room for all that it is told of.
    pub(super) fn expecting(self, room: usize) -> Self {
        Items { room, ..self }
    }

    /// All of them.
    #[inline]
    pub(super) fn read<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let value = visitor.visit_seq(&mut self)?;
        all_read(self.done, self.count)?;
        Ok(value)
    }

    /// The next one: what it is, and where it lies in the block.
    #[inline]
    fn next(&mut self) -> Result<(Id, Option<usize>), Error> {
        let index = self.done;
        self.done += 1;
        match (&self.of, self.begin) {
            (Of::Same { item, size }, begin) => Ok((*item, begin.map(|begin| begin + index * size))),
            (Of::Parts(parts), begin) => {
                let Part { node, at, opens, .. } = parts[index];
                if let (Some(size), None) = (opens, begin) {
                    self.from.open(size)?;
                }
                Ok((node, at.map(|at| begin.unwrap_or(0) + at)))
            }
        }
    }
}

impl<'de> SeqAccess<'de> for &mut Items<'_, '_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        if self.done == self.count {
            return Ok(None);
        }
        let (id, at) = self.next()?;
        let node = &self.from.nodes[id];
        seed.deserialize(Get { from: self.from, node, at }).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.room.min(self.count - self.done))
    }
}

/// A visitor that leaves parts where they are would leave the next value in the middle of one.
fn all_read(done: usize, count: usize) -> Result<(), Error> {
    if done == count {
        return Ok(());
    }
    Err(<Error as ::serde::de::Error>::custom(format_args!(
        "`Deserialize` has read {done} of {count} items or members, and cannot skip the others: read all of them"
    )))
}

/// The members of an object.
pub(super) struct Members<'g, 'i, 'de> {
    from: &'g mut In<'i, 'de>,
    class: &'i Class,
    /// How many the bytes have: at most as many as the type.
    count: usize,
    done: usize,
}

impl<'g, 'i, 'de> Members<'g, 'i, 'de> {
    /// All of those that the bytes have.
    pub(super) fn read<T>(
        from: &'g mut In<'i, 'de>,
        class: &'i Class,
        read: impl FnOnce(&mut Members<'g, 'i, 'de>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let place = from.reader.position();
        let (count, known) = (from.reader.u8()?, class.members.len());
        if count == NULL {
            return Err(null(place));
        }
        if usize::from(count) > known {
            return Err(too_many(from.reader, count, known as u8, class.name));
        }
        from.reader.enter()?;
        let mut members = Members { from, class, count: count.into(), done: 0 };
        let value = read(&mut members).map_err(|error| error.inside(class.name))?;
        all_read(members.done, members.count).map_err(|error| error.inside(class.name))?;
        members.from.reader.leave();
        Ok(value)
    }

    /// Whether there are none left.
    pub(super) fn is_empty(&self) -> bool {
        self.done == self.count
    }

    /// The next one, which must be there.
    #[inline]
    pub(super) fn only<T>(
        &mut self,
        read: impl FnOnce(Get<'_, 'i, 'de>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.is_empty() {
            return Err(no_default(self.from.reader, self.class.name));
        }
        let member = &self.class.members[self.done];
        self.done += 1;
        let node = &self.from.nodes[member.node];
        read(Get { from: self.from, node, at: None }).map_err(|error| inside(error, member.name))
    }
}

impl<'de> SeqAccess<'de> for &mut Members<'_, '_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        if self.is_empty() {
            return Ok(None);
        }
        self.only(|get| seed.deserialize(get)).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.count - self.done)
    }
}

/// The pairs of a map.
pub(super) struct Pairs<'g, 'i, 'de> {
    from: &'g mut In<'i, 'de>,
    map: &'i Map,
    count: usize,
    done: usize,
    room: usize,
    /// Whether a key waits for its value.
    keyed: bool,
}

impl<'g, 'i, 'de> Pairs<'g, 'i, 'de> {
    /// All of them.
    pub(super) fn read<V: Visitor<'de>>(
        from: &'g mut In<'i, 'de>,
        map: &'i Map,
        visitor: V,
    ) -> Result<V::Value, Error> {
        from.reader.check_stack()?;
        let least = match map.raw {
            Some((size, _)) => size,
            None => from.nodes[map.key].min.saturating_add(from.nodes[map.value].min),
        };
        let count = from.reader.count_not_null(least)?;
        let room = from.reader.promise_of(map.size, count);
        let mut pairs = Pairs { from, map, count, done: 0, room, keyed: false };
        let value = visitor.visit_map(&mut pairs)?;
        all_read(pairs.done, pairs.count)?;
        pairs.from.reader.kept_of(map.size, room);
        Ok(value)
    }
}

impl<'de> MapAccess<'de> for &mut Pairs<'_, '_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        if self.keyed {
            return Err(unsupported("`Deserialize` reads a key where its value is: read both"));
        }
        if self.done == self.count {
            return Ok(None);
        }
        self.keyed = true;
        if let Some((size, _)) = self.map.raw {
            self.from.open(size)?;
        }
        let node = &self.from.nodes[self.map.key];
        let at = self.map.raw.map(|_| 0);
        seed.deserialize(Get { from: self.from, node, at }).map(Some)
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        if !core::mem::take(&mut self.keyed) {
            return Err(unsupported("`Deserialize` reads a value where its key is: read both"));
        }
        self.done += 1;
        let node = &self.from.nodes[self.map.value];
        let at = self.map.raw.map(|(_, at)| at);
        seed.deserialize(Get { from: self.from, node, at })
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.room.min(self.count - self.done))
    }
}
