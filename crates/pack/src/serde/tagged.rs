//! An enum whose variants have fields: the tag of a union, and the object behind it.

use super::access::Members;
use super::error::unsupported;
use super::read::{Get, In};
use super::shape::{Case, Union};
use crate::Error;
use ::serde::de::value::U32Deserializer;
use ::serde::de::{DeserializeSeed, EnumAccess, IntoDeserializer, VariantAccess, Visitor};

/// What stands behind a tag.
pub(super) struct Tagged<'g, 'i, 'de> {
    from: &'g mut In<'i, 'de>,
    tag: u16,
    case: &'i Case,
    /// Set when it was read.
    read: &'g mut bool,
}

impl<'i, 'de> Tagged<'_, 'i, 'de> {
    /// The tag and what stands behind it.
    pub(super) fn read<V: Visitor<'de>>(
        from: &mut In<'i, 'de>,
        union: &'i Union,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let name = union.names.name;
        from.reader.enter()?;
        let tag = from.reader.tag()?;
        let Some(case) = union.cases.get(usize::from(tag)) else {
            return Err(from.reader.unknown_tag(tag, name));
        };
        let mut read = false;
        let tagged = Tagged { from: &mut *from, tag, case, read: &mut read };
        let value = visitor.visit_enum(tagged).map_err(|error| error.inside(name))?;
        if !read {
            return Err(unsupported("`Deserialize` leaves out what the variant holds: read it").inside(name));
        }
        from.reader.leave();
        Ok(value)
    }

    fn fields<T>(self, read: impl FnOnce(&mut Members<'_, 'i, 'de>) -> Result<T, Error>) -> Result<T, Error> {
        let Case::Fields(class) = self.case else {
            return Err(unsupported("`Deserialize` reads fields where the variant holds an object"));
        };
        *self.read = true;
        Members::read(self.from, class, read)
    }
}

impl<'de> EnumAccess<'de> for Tagged<'_, '_, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Error> {
        let tag: U32Deserializer<Error> = u32::from(self.tag).into_deserializer();
        Ok((seed.deserialize(tag)?, self))
    }
}

impl<'de> VariantAccess<'de> for Tagged<'_, '_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        self.fields(|_| Ok(()))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        let Case::Object(object) = self.case else {
            return self.fields(|members| members.only(|get| seed.deserialize(get)));
        };
        *self.read = true;
        let node = &self.from.nodes[*object];
        seed.deserialize(Get { from: self.from, node, at: None })
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.fields(|members| visitor.visit_seq(members))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.fields(|members| visitor.visit_seq(members))
    }
}
