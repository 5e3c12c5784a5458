//! A deserializer that has no bytes: it goes down one path in a type and notes what the type asks for there.

use super::error::unsupported;
use super::shape::Leaf;
use super::type_id::{is_tuple_of, type_id};
use crate::Error;
use crate::prelude::*;
use ::serde::de::value::U64Deserializer;
use ::serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use core::any::TypeId;

/// From a type to one of its parts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Some,
    Element,
    Key,
    Value,
    /// Of a tuple, or of a struct whose visitor wants a sequence.
    Item(usize),
    /// By its number, as derived visitors know it.
    Field(usize),
    /// By its name, as others do.
    Named(&'static str),
    Newtype,
    Variant(usize),
}

/// What a type asks for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    Leaf(Leaf),
    Text,
    Bytes,
    Option,
    List(TypeId),
    Map(TypeId),
    Tuple(usize),
    UnitStruct(&'static str),
    Newtype(TypeId, &'static str),
    TupleStruct(TypeId, &'static str, usize),
    Struct(TypeId, &'static str, &'static [&'static str]),
    Enum(TypeId, &'static str, &'static [&'static str]),
    Unit,
    Any,
    Identifier,
    Ignored,
    UnitVariant,
    NewtypeVariant,
    TupleVariant(usize),
    StructVariant(&'static [&'static str]),
}

/// What was noted at the end of a path.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) found: Option<Found>,
    /// Of the items up to the one that the last step led to.
    pub(super) items: Vec<TypeId>,
    /// Whether they are those of a tuple with items of one type.
    pub(super) tuple: bool,
    /// Bytes of memory of what the last step led to.
    pub(super) size: usize,
    /// How many parts the samples had.
    samples: usize,
}

/// The most types inside one another that a sample value is made of.
const DEEPEST_SAMPLE: usize = 64;

/// The most parts that samples have: a tree of an enum may double with each level.
const MOST_SAMPLES: usize = 10_000;

/// Where the path has led so far.
pub(super) struct Probe<'p> {
    way: Way<'p>,
    seen: &'p mut Seen,
}

#[derive(Clone, Copy)]
enum Way<'p> {
    /// What is left of the path.
    To(&'p [Step]),
    /// Beside the path: some value, so that the next one is asked for.
    Sample(usize),
}

impl<'p> Probe<'p> {
    /// At the start of a path.
    pub(super) fn new(path: &'p [Step], seen: &'p mut Seen) -> Probe<'p> {
        Probe { way: Way::To(path), seen }
    }

    /// Notes what is found at the path's end.
    fn end<T>(self, found: Found) -> Result<T, Error> {
        match self.way {
            Way::To([]) => {
                self.seen.found = Some(found);
                Err(unsupported("the end of a path"))
            }
            Way::To(_) => Err(unsupported("its `Deserialize` does not ask for the same each time")),
            Way::Sample(_) => Err(unsupported("it has no form")),
        }
    }

    /// One type deeper in a sample.
    fn deeper(seen: &mut Seen, depth: usize) -> Result<Way<'p>, Error> {
        seen.samples += 1;
        if depth < DEEPEST_SAMPLE && seen.samples < MOST_SAMPLES {
            return Ok(Way::Sample(depth + 1));
        }
        Err(unsupported("no small value of it was found"))
    }

    fn seq<'de, V: Visitor<'de>>(self, visitor: V, count: usize, found: Found) -> Result<V::Value, Error> {
        let (target, way) = match self.way {
            Way::To([Step::Item(item), rest @ ..]) => (*item, Way::To(rest)),
            Way::To([Step::Element, rest @ ..]) => (0, Way::To(rest)),
            Way::Sample(depth) => (count, Self::deeper(self.seen, depth)?),
            Way::To(_) => return self.end(found),
        };
        visitor.visit_seq(Items { way, seen: self.seen, target, count, at: 0, whole: type_id::<V::Value>() })
    }

    fn map<'de, V: Visitor<'de>>(
        self,
        visitor: V,
        fields: Option<&'static [&'static str]>,
        found: Found,
    ) -> Result<V::Value, Error> {
        match (self.way, fields) {
            (
                Way::To([entry @ (Step::Key | Step::Value | Step::Field(_) | Step::Named(_)), rest @ ..]),
                _,
            ) => visitor.visit_map(Entry { entry: Some(*entry), way: Way::To(rest), seen: self.seen }),
            (_, Some(fields)) => self.seq(visitor, fields.len(), found),
            (Way::Sample(_), None) => visitor.visit_map(Entry { entry: None, ..self.into() }),
            (Way::To(_), None) => self.end(found),
        }
    }
}

impl<'p> From<Probe<'p>> for Entry<'p> {
    fn from(probe: Probe<'p>) -> Entry<'p> {
        Entry { entry: None, way: probe.way, seen: probe.seen }
    }
}

macro_rules! leaves {
    ($($deserialize:ident $visit:ident $sample:expr, $found:expr;)*) => {$(
        fn $deserialize<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.way {
                Way::Sample(_) => visitor.$visit($sample),
                Way::To(_) => self.end($found),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = Error;

    leaves! {
        deserialize_bool visit_bool true, Found::Leaf(Leaf::Bool);
        deserialize_char visit_char '1', Found::Leaf(Leaf::Char);
        deserialize_i8 visit_i8 1, Found::Leaf(Leaf::I8);
        deserialize_i16 visit_i16 1, Found::Leaf(Leaf::I16);
        deserialize_i32 visit_i32 1, Found::Leaf(Leaf::I32);
        deserialize_i64 visit_i64 1, Found::Leaf(Leaf::I64);
        deserialize_i128 visit_i128 1, Found::Leaf(Leaf::I128);
        deserialize_u8 visit_u8 1, Found::Leaf(Leaf::U8);
        deserialize_u16 visit_u16 1, Found::Leaf(Leaf::U16);
        deserialize_u32 visit_u32 1, Found::Leaf(Leaf::U32);
        deserialize_u64 visit_u64 1, Found::Leaf(Leaf::U64);
        deserialize_u128 visit_u128 1, Found::Leaf(Leaf::U128);
        deserialize_f32 visit_f32 1.0, Found::Leaf(Leaf::F32);
        deserialize_f64 visit_f64 1.0, Found::Leaf(Leaf::F64);
        deserialize_str visit_borrowed_str "1", Found::Text;
        deserialize_string visit_borrowed_str "1", Found::Text;
        // As many as a UUID has.
        deserialize_bytes visit_borrowed_bytes &[1; 16], Found::Bytes;
        deserialize_byte_buf visit_borrowed_bytes &[1; 16], Found::Bytes;
    }

    fn deserialize_unit<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.end(Found::Unit)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.end(Found::Any)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.end(Found::Identifier)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.end(Found::Ignored)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.way {
            Way::To([Step::Some, rest @ ..]) => {
                visitor.visit_some(Probe { way: Way::To(rest), seen: self.seen })
            }
            Way::Sample(_) => visitor.visit_none(),
            Way::To(_) => self.end(Found::Option),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.seq(visitor, 0, Found::List(type_id::<V>()))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, count: usize, visitor: V) -> Result<V::Value, Error> {
        self.seq(visitor, count, Found::Tuple(count))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.map(visitor, None, Found::Map(type_id::<V>()))
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.way {
            Way::Sample(_) => visitor.visit_unit(),
            Way::To(_) => self.end(Found::UnitStruct(name)),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let way = match self.way {
            Way::To([Step::Newtype, rest @ ..]) => Way::To(rest),
            Way::Sample(depth) => Self::deeper(self.seen, depth)?,
            Way::To(_) => return self.end(Found::Newtype(type_id::<V>(), name)),
        };
        visitor.visit_newtype_struct(Probe { way, seen: self.seen })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        count: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.seq(visitor, count, Found::TupleStruct(type_id::<V>(), name, count))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.map(visitor, Some(fields), Found::Struct(type_id::<V>(), name, fields))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (variant, way) = match self.way {
            Way::To([Step::Variant(variant), rest @ ..]) => (*variant, Way::To(rest)),
            // An enum that lies in itself does so in some variant, but not in all: another one at each depth.
            Way::Sample(depth) => (mixed(depth) % variants.len().max(1), Self::deeper(self.seen, depth)?),
            Way::To(_) => return self.end(Found::Enum(type_id::<V>(), name, variants)),
        };
        visitor.visit_enum(Variant { variant, probe: Probe { way, seen: self.seen } })
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Samples up to the item that the path leads to.
struct Items<'p> {
    way: Way<'p>,
    seen: &'p mut Seen,
    target: usize,
    count: usize,
    at: usize,
    whole: TypeId,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let at = self.at;
        self.at += 1;
        if let Way::To([]) = self.way {
            self.seen.items.push(type_id::<S::Value>());
            self.seen.tuple = is_tuple_of::<S::Value>(self.whole, self.count);
            self.seen.size = size_of::<S::Value>();
        }
        let way = match self.way {
            Way::To(_) if at < self.target => Way::Sample(0),
            Way::To(_) if at > self.target => return Ok(None),
            Way::Sample(_) if at == self.count => return Ok(None),
            way => way,
        };
        seed.deserialize(Probe { way, seen: self.seen }).map(Some)
    }
}

/// One entry of a map, or one field of a struct.
struct Entry<'p> {
    entry: Option<Step>,
    way: Way<'p>,
    seen: &'p mut Seen,
}

impl<'de> MapAccess<'de> for Entry<'_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        if let Way::To([]) = self.way {
            self.seen.size += size_of::<S::Value>();
        }
        match self.entry {
            None => Ok(None),
            Some(Step::Key) => seed.deserialize(Probe { way: self.way, seen: self.seen }).map(Some),
            Some(Step::Field(field)) => seed.deserialize(index(field)).map(Some),
            Some(Step::Named(name)) => seed.deserialize(name.into_deserializer()).map(Some),
            Some(_) => seed.deserialize(Probe { way: Way::Sample(0), seen: self.seen }).map(Some),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        self.entry = None;
        if let Way::To([]) = self.way {
            self.seen.size += size_of::<S::Value>();
        }
        seed.deserialize(Probe { way: self.way, seen: self.seen })
    }
}

/// One variant of an enum.
struct Variant<'p> {
    variant: usize,
    probe: Probe<'p>,
}

impl<'de, 'p> EnumAccess<'de> for Variant<'p> {
    type Error = Error;
    type Variant = Probe<'p>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Probe<'p>), Error> {
        Ok((seed.deserialize(index(self.variant))?, self.probe))
    }
}

impl<'de> VariantAccess<'de> for Probe<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.way {
            Way::Sample(_) => Ok(()),
            Way::To(_) => self.end(Found::UnitVariant),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        match self.way {
            Way::To([Step::Newtype, rest @ ..]) => {
                seed.deserialize(Probe { way: Way::To(rest), seen: self.seen })
            }
            Way::Sample(_) => seed.deserialize(self),
            Way::To(_) => self.end(Found::NewtypeVariant),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, count: usize, visitor: V) -> Result<V::Value, Error> {
        self.seq(visitor, count, Found::TupleVariant(count))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.map(visitor, Some(fields), Found::StructVariant(fields))
    }
}

fn index(number: usize) -> U64Deserializer<Error> {
    (number as u64).into_deserializer()
}

/// A number without a pattern that types inside one another could follow.
fn mixed(depth: usize) -> usize {
    (depth.wrapping_mul(0x9E37_79B9) >> 7) & 0xFFFF
}
