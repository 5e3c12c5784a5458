//! Sets: a count and the items. A duplicate item is taken once, as in C#.

use crate::{Error, Form, Pack, Reader, Unpack, Writer};
use alloc::collections::BTreeSet;
#[cfg(feature = "std")]
use core::hash::{BuildHasher, Hash};
#[cfg(feature = "std")]
use std::collections::HashSet;

macro_rules! written_as_items {
    ($([$($parameter:tt)*] $type:ty),*) => {$(
        impl<$($parameter)*> Pack for $type {
            const FORM: Form<Self> = Form::Counted;
            const MIN: usize = 4;

            fn describe(to: &mut crate::Describe) {
                to.of("list", &[T::describe]);
            }

            fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
                writer.count(self.len())?;
                self.iter().try_for_each(|item| item.pack(writer))
            }
        }
    )*};
}
written_as_items!([T: Pack] BTreeSet<T>);
#[cfg(feature = "std")]
written_as_items!([T: Pack, S] HashSet<T, S>);

/// C#'s `SortedSet<T>`.
impl<'a, T: Unpack<'a> + Ord> Unpack<'a> for BTreeSet<T> {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let count = reader.count_not_null(T::MIN)?;
        (0..count).map(|_| T::unpack(reader)).collect()
    }
}

/// C#'s `HashSet<T>`, with any hasher.
#[cfg(feature = "std")]
impl<'a, T: Unpack<'a> + Eq + Hash, S: BuildHasher + Default> Unpack<'a> for HashSet<T, S> {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut set = HashSet::default();
        set.overwrite(reader)?;
        Ok(set)
    }

    fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
        let count = reader.count_not_null(T::MIN)?;
        self.clear();
        let room = reader.promise::<T>(count);
        self.reserve(room);
        for _ in 0..count {
            self.insert(T::unpack(reader)?);
        }
        reader.kept::<T>(room);
        Ok(())
    }
}
