//! A TOML section with one key of ours beside those of a back end's options.

use serde::de::value::MapAccessDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, IntoDeserializer, MapAccess, Visitor,
};
use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;

/// Reads `output` and hands all other keys on as they come, so that an error has its place in the file
/// (serde's `flatten` knows neither places nor unknown keys).
pub(crate) fn read<'de, O: DeserializeOwned, D: Deserializer<'de>>(
    from: D,
) -> Result<(PathBuf, O), D::Error> {
    from.deserialize_map(Section(PhantomData))
}

struct Section<O>(PhantomData<O>);

impl<'de, O: DeserializeOwned> Visitor<'de> for Section<O> {
    type Value = (PathBuf, O);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a section")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let mut output = None;
        let options = O::deserialize(MapAccessDeserializer::new(Without { map, output: &mut output }))?;
        Ok((output.ok_or_else(|| A::Error::missing_field("output"))?, options))
    }
}

/// A map without the key `output`.
struct Without<'a, A> {
    map: A,
    output: &'a mut Option<PathBuf>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Without<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let mut seed = Some(seed);
        loop {
            match self.map.next_key_seed(Key(&mut seed))? {
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
struct Key<'a, K>(&'a mut Option<K>);

impl<'de, K: DeserializeSeed<'de>> DeserializeSeed<'de> for Key<'_, K> {
    type Value = Option<K::Value>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        let key: String = serde::Deserialize::deserialize(from)?;
        if key == "output" {
            return Ok(None);
        }
        let seed = self.0.take().ok_or_else(|| D::Error::custom("a key was read twice"))?;
        seed.deserialize(key.into_deserializer()).map(Some)
    }
}
