//! Dictionaries: a count and the pairs, each as a [`KeyValue`]. A duplicate key is an error, as in C#.

use crate::{Error, ErrorKind, Form, KeyValue, Pack, Reader, Unpack, Writer};
use alloc::collections::BTreeMap;
#[cfg(feature = "std")]
use core::hash::{BuildHasher, Hash};
#[cfg(feature = "std")]
use std::collections::HashMap;

macro_rules! written_as_pairs {
    ($([$($parameter:tt)*] $type:ty),*) => {$(
        impl<$($parameter)*> Pack for $type {
            const FORM: Form<Self> = Form::Counted;
            const MIN: usize = 4;

            fn describe(to: &mut crate::Describe) {
                to.of("map", &[K::describe, V::describe]);
            }

            fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
                writer.count(self.len())?;
                self.iter().try_for_each(|(key, value)| KeyValue { key, value }.pack(writer))
            }
        }
    )*};
}
written_as_pairs!([K: Pack, V: Pack] BTreeMap<K, V>);
#[cfg(feature = "std")]
written_as_pairs!([K: Pack, V: Pack, S] HashMap<K, V, S>);

/// C#'s `SortedDictionary<K, V>`.
impl<'a, K: Unpack<'a> + Ord, V: Unpack<'a>> Unpack<'a> for BTreeMap<K, V> {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut map = BTreeMap::new();
        let count = reader.count_not_null(const { <KeyValue<K, V> as Pack>::MIN })?;
        for _ in 0..count {
            let place = reader.position();
            let pair = KeyValue::unpack(reader)?;
            if map.insert(pair.key, pair.value).is_some() {
                return Err(twice(place));
            }
        }
        Ok(map)
    }
}

/// C#'s `Dictionary<K, V>`, with any hasher.
#[cfg(feature = "std")]
impl<'a, K, V, S> Unpack<'a> for HashMap<K, V, S>
where
    K: Unpack<'a> + Eq + Hash,
    V: Unpack<'a>,
    S: BuildHasher + Default,
{
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut map = HashMap::default();
        map.overwrite(reader)?;
        Ok(map)
    }

    fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
        let count = reader.count_not_null(const { <KeyValue<K, V> as Pack>::MIN })?;
        self.clear();
        let room = reader.promise::<(K, V)>(count);
        self.reserve(room);
        for _ in 0..count {
            let place = reader.position();
            let pair = KeyValue::unpack(reader)?;
            if self.insert(pair.key, pair.value).is_some() {
                return Err(twice(place));
            }
        }
        reader.kept::<(K, V)>(room);
        Ok(())
    }
}

#[cold]
fn twice(place: usize) -> Error {
    Error::new(
        ErrorKind::ValueInvalid,
        place,
        "a key that the dictionary has already: a `Vec` of `KeyValue` reads it",
    )
}
