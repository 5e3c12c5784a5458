//! A TOML section with one key of ours beside those of a back end's options.

use crate::{header, java, python, typescript};
use serde::de::value::MapAccessDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, IntoDeserializer, MapAccess, Visitor,
};
use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;

/// A back end's options as a section has them.
pub trait Options: DeserializeOwned {
    /// Called after all keys were read, with the names of those present.
    fn complete(&mut self, _written: &[String]) {}
}

impl Options for python::Options {}
impl Options for typescript::Options {}
impl Options for java::Options {}
impl Options for header::Options {}
impl Options for typescript::layouts::Options {}

/// Reads `output` and passes all other keys on as they come, so that an error has its place in the file
/// (serde's `flatten` knows neither places nor unknown keys).
pub(crate) fn read<'de, O: Options, D: Deserializer<'de>>(from: D) -> Result<(PathBuf, O), D::Error> {
    from.deserialize_map(Section(PhantomData))
}

struct Section<O>(PhantomData<O>);

impl<'de, O: Options> Visitor<'de> for Section<O> {
    type Value = (PathBuf, O);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a section")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let (mut output, mut written) = (None, Vec::new());
        let rest = Without { map, output: &mut output, written: &mut written };
        let mut options = O::deserialize(MapAccessDeserializer::new(rest))?;
        options.complete(&written);
        Ok((output.ok_or_else(|| A::Error::missing_field("output"))?, options))
    }
}

/// A map without the key `output`.
struct Without<'a, A> {
    map: A,
    output: &'a mut Option<PathBuf>,
    written: &'a mut Vec<String>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Without<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let mut seed = Some(seed);
        loop {
            match self.map.next_key_seed(Key { seed: &mut seed, written: self.written })? {
                Some(None) => *self.output = Some(self.map.next_value()?),
                Some(found) => return Ok(found),
                None => return Ok(None),
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// `None` for `output`, else what the options make of the key.
struct Key<'a, K> {
    seed: &'a mut Option<K>,
    written: &'a mut Vec<String>,
}

impl<'de, K: DeserializeSeed<'de>> DeserializeSeed<'de> for Key<'_, K> {
    type Value = Option<K::Value>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        let key: String = serde::Deserialize::deserialize(from)?;
        if key == "output" {
            return Ok(None);
        }
        let seed = self.seed.take().ok_or_else(|| D::Error::custom("a key was read twice"))?;
        self.written.push(key.clone());
        seed.deserialize(key.into_deserializer()).map(Some)
    }
}
