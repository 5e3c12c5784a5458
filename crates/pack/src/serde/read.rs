//! Gives a type's `Deserialize` what it reads, by the table of the type: what is in the bytes decides nothing.

use super::access::{Items, Members, Pairs};
use super::error::unsupported;
use super::shape::{Class, ClassKind, Id, Leaf, Node, Nodes, What};
use super::tagged::Tagged;
use crate::option::is_null;
use crate::prelude::*;
use crate::reader::null;
use crate::{Error, ErrorKind, Invalid, Reader, Unpack};
use ::serde::de::{Deserializer, IntoDeserializer, Visitor};
use ::serde::forward_to_deserialize_any;
use alloc::borrow::Cow;

/// Where values are read from.
pub(super) struct In<'i, 'de> {
    pub(super) reader: &'i mut Reader<'de>,
    pub(super) nodes: &'i Nodes,
    /// Unmanaged values, whose parts need not be read in the order in which they lie, and where they do.
    block: Cow<'de, [u8]>,
    place: usize,
}

impl<'i, 'de> In<'i, 'de> {
    pub(super) fn new(reader: &'i mut Reader<'de>, nodes: &'i Nodes) -> In<'i, 'de> {
        In { reader, nodes, block: Cow::Borrowed(&[]), place: 0 }
    }

    /// Takes a block of unmanaged values.
    #[inline]
    pub(super) fn open(&mut self, size: usize) -> Result<(), Error> {
        self.place = self.reader.position();
        self.block = self.reader.bytes_or_copy(size)?;
        Ok(())
    }

    /// The value at `at` in the block.
    #[inline]
    fn load<T: Unpack<'de>>(&self, at: usize) -> Result<T, Error> {
        let size = const { T::FORM.layout_or_empty().size };
        let Some(bytes) = self.block.get(at..).filter(|bytes| bytes.len() >= size) else {
            return Err(unsupported("a part that lies outside of its value"));
        };
        // SAFETY: there are as many bytes as the type has, which is raw: all that call it are.
        unsafe { T::read_raw(bytes.as_ptr()) }.map_err(|invalid| self.invalid(at, invalid))
    }

    #[cold]
    fn invalid(&self, at: usize, invalid: Invalid) -> Error {
        Error::new(ErrorKind::ValueInvalid, self.place + at + invalid.at, invalid.to_string())
    }
}

/// One value.
pub(super) struct Get<'g, 'i, 'de> {
    pub(super) from: &'g mut In<'i, 'de>,
    pub(super) node: &'i Node,
    /// Where it lies in the block, if it does.
    pub(super) at: Option<usize>,
}

impl<'g, 'i, 'de> Get<'g, 'i, 'de> {
    #[inline]
    fn leaf<T: Unpack<'de>>(&mut self) -> Result<T, Error> {
        match self.at {
            None => self.from.reader.raw(),
            Some(at) => self.from.load(at),
        }
    }

    #[inline]
    fn visit_leaf<V: Visitor<'de>>(mut self, leaf: Leaf, visitor: V) -> Result<V::Value, Error> {
        match leaf {
            Leaf::Bool => visitor.visit_bool(self.leaf()?),
            Leaf::Char => visitor.visit_char(self.leaf()?),
            Leaf::I8 => visitor.visit_i8(self.leaf()?),
            Leaf::U8 => visitor.visit_u8(self.leaf()?),
            Leaf::I16 => visitor.visit_i16(self.leaf()?),
            Leaf::U16 => visitor.visit_u16(self.leaf()?),
            Leaf::I32 => visitor.visit_i32(self.leaf()?),
            Leaf::U32 => visitor.visit_u32(self.leaf()?),
            Leaf::I64 => visitor.visit_i64(self.leaf()?),
            Leaf::U64 => visitor.visit_u64(self.leaf()?),
            Leaf::I128 => visitor.visit_i128(self.leaf()?),
            Leaf::U128 => visitor.visit_u128(self.leaf()?),
            Leaf::F32 => visitor.visit_f32(self.leaf()?),
            Leaf::F64 => visitor.visit_f64(self.leaf()?),
        }
    }

    /// An unmanaged value of several parts.
    #[inline]
    fn visit_raw<V: Visitor<'de>>(self, at: usize, visitor: V) -> Result<V::Value, Error> {
        let Get { from, node, .. } = self;
        match &node.what {
            What::Leaf(leaf) => Get { from, node, at: Some(at) }.visit_leaf(*leaf, visitor),
            What::Number(names) => {
                let number: u32 = from.load(at)?;
                if number as usize >= names.count {
                    let invalid =
                        Invalid::new((number as i32).into(), "it is not one of the enum's variants");
                    return Err(from.invalid(at, invalid).inside(names.name));
                }
                visitor.visit_enum(number.into_deserializer())
            }
            What::Array { item, count } => Items::raw(from, *item, *count, at).read(visitor),
            What::Tuple(parts) => Items::tuple(from, parts, Some(at)).read(visitor),
            What::Maybe { of, at: inner } => {
                match from.load::<u8>(at)? {
                    0 => visitor.visit_none(),
                    1 => {
                        let node = &from.nodes[*of];
                        visitor.visit_some(Get { from, node, at: Some(at + inner) })
                    }
                    other => Err(from
                        .invalid(at, Invalid::new(other.into(), "the flag of a nullable value is 0 or 1"))),
                }
            }
            _ => Err(unsupported("a managed value inside an unmanaged one")),
        }
    }

    fn visit_class<V: Visitor<'de>>(
        from: &mut In<'i, 'de>,
        class: &'i Class,
        visitor: V,
    ) -> Result<V::Value, Error> {
        Members::read(from, class, |members| match class.kind {
            ClassKind::Unit => visitor.visit_unit(),
            // Written by a program that had no member yet: the visitor may know a default.
            ClassKind::Newtype if members.is_empty() => visitor.visit_seq(members),
            ClassKind::Newtype => members.only(|get| visitor.visit_newtype_struct(get)),
            ClassKind::Fields => visitor.visit_seq(members),
        })
    }

    fn visit_list<V: Visitor<'de>>(
        from: &mut In<'i, 'de>,
        item: Id,
        size: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        from.reader.check_stack()?;
        let node = &from.nodes[item];
        let count = from.reader.count_not_null(node.min)?;
        let room = from.reader.promise_of(size, count);
        let items = match node.layout {
            Some(layout) => {
                from.open(count * layout.size)?;
                Items::raw(from, item, count, 0)
            }
            None => Items::managed(from, item, count),
        };
        let value = items.expecting(room).read(visitor)?;
        from.reader.kept_of(size, room);
        Ok(value)
    }

    fn visit_array<V: Visitor<'de>>(
        from: &mut In<'i, 'de>,
        item: Id,
        count: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let place = from.reader.position();
        let found = from.reader.claimed()?.ok_or_else(|| null(place))?;
        if found != count {
            return Err(wrong_count(place, found, count));
        }
        from.reader.holds(place, count, from.nodes[item].min)?;
        Items::managed(from, item, count).read(visitor)
    }
}

#[cold]
fn wrong_count(place: usize, found: usize, count: usize) -> Error {
    let message = format!("a list of {found} items, but the array has {count}: read a `Vec`");
    Error::new(ErrorKind::LengthInvalid, place, message)
}

impl<'de> Deserializer<'de> for Get<'_, '_, 'de> {
    type Error = Error;

    /// Whatever is asked for, the table knows what is there.
    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Get { from, node, at } = self;
        if let Some(at) = at {
            return Get { from, node, at: None }.visit_raw(at, visitor);
        }
        match (&node.what, node.layout) {
            (What::Leaf(leaf), _) => Get { from, node, at }.visit_leaf(*leaf, visitor),
            (_, Some(layout)) => {
                from.open(layout.size)?;
                Get { from, node, at }.visit_raw(0, visitor)
            }
            (What::Text, _) => match from.reader.text()? {
                Some(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
                Some(Cow::Owned(text)) => visitor.visit_string(text),
                None => Err(null(from.reader.position() - 4)),
            },
            (What::List { item, size }, _) => Get::visit_list(from, *item, *size, visitor),
            (What::Map(map), _) => Pairs::read(from, map, visitor),
            (What::Array { item, count }, _) => Get::visit_array(from, *item, *count, visitor),
            (What::Tuple(parts), _) => Items::tuple(from, parts, None).read(visitor),
            (What::Maybe { of, .. }, _) => {
                let node = &from.nodes[*of];
                if is_null(from.reader, node.form)? {
                    visitor.visit_none()
                } else {
                    visitor.visit_some(Get { from, node, at: None })
                }
            }
            (What::Class(class), _) => Get::visit_class(from, class, visitor),
            (What::Union(union), _) => Tagged::read(from, union, visitor),
            (What::Number(_), None) => Err(unsupported("an enum without a size")),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.node.what {
            What::List { item, .. } if matches!(self.from.nodes[item].what, What::Leaf(Leaf::U8)) => {
                let reader = &mut *self.from.reader;
                let count = reader.count_not_null(1)?;
                match reader.bytes_or_copy(count)? {
                    Cow::Borrowed(bytes) => visitor.visit_borrowed_bytes(bytes),
                    Cow::Owned(bytes) => visitor.visit_byte_buf(bytes),
                }
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string option unit unit_struct newtype_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
