//! Writes what a value's `Serialize` says, by the table of its type.

use super::error::unsupported;
use super::group::{Group, Of};
use super::shape::{Case, Class, Id, Leaf, Node, Nodes, What};
use crate::prelude::*;
use crate::{Error, Writer};
use ::serde::ser::{Serialize, Serializer};

/// Where values are written to.
pub(super) struct Out<'o, 's> {
    pub(super) writer: &'o mut Writer<'s>,
    pub(super) nodes: &'o Nodes,
    /// An unmanaged value of several parts, which need not come in the order in which they lie.
    block: Vec<u8>,
}

impl<'o, 's> Out<'o, 's> {
    pub(super) fn new(writer: &'o mut Writer<'s>, nodes: &'o Nodes) -> Out<'o, 's> {
        Out { writer, nodes, block: Vec::new() }
    }

    /// Writes a value of the type at `id`.
    #[inline]
    pub(super) fn value<T: Serialize + ?Sized>(&mut self, id: Id, value: &T) -> Result<(), Error> {
        let node = &self.nodes[id];
        match (node.layout, &node.what) {
            (None, _) | (_, What::Leaf(_)) => value.serialize(Put { out: self, node, at: None }),
            (Some(layout), _) => {
                self.open(layout.size);
                self.part(id, value, 0)?;
                self.close()
            }
        }
    }

    /// Begins a block of unmanaged values, with zeros between them.
    #[inline]
    pub(super) fn open(&mut self, size: usize) {
        self.block.clear();
        self.block.resize(size, 0);
    }

    /// Puts an unmanaged value into the block.
    #[inline]
    pub(super) fn part<T: Serialize + ?Sized>(&mut self, id: Id, value: &T, at: usize) -> Result<(), Error> {
        let node = &self.nodes[id];
        value.serialize(Put { out: self, node, at: Some(at) })
    }

    #[inline]
    fn place<const N: usize>(&mut self, at: usize, bytes: [u8; N]) -> Result<(), Error> {
        match self.block.get_mut(at..).and_then(|block| block.first_chunk_mut()) {
            Some(place) => {
                *place = bytes;
                Ok(())
            }
            None => Err(unsupported("a part that lies outside of its value")),
        }
    }

    /// Writes the block.
    #[inline]
    pub(super) fn close(&mut self) -> Result<(), Error> {
        self.writer.bytes(&self.block)
    }
}

/// One value: written, or put into the block.
pub(super) struct Put<'p, 'o, 's> {
    out: &'p mut Out<'o, 's>,
    node: &'o Node,
    at: Option<usize>,
}

impl<'p, 'o, 's> Put<'p, 'o, 's> {
    #[cold]
    fn other<T>(self, found: &str) -> Result<T, Error> {
        let expected = self.node.title();
        Err(unsupported(format!(
            "`Serialize` writes {found} where `Deserialize` reads {expected}: make them agree (no attribute may apply \
             to one of them only), or make the `Shape` of the type that is read"
        )))
    }

    #[inline]
    fn leaf<const N: usize>(self, leaf: Leaf, bytes: [u8; N]) -> Result<(), Error> {
        if !matches!(self.node.what, What::Leaf(found) if found == leaf) {
            return self.other(leaf.title());
        }
        self.bytes(bytes)
    }

    #[inline]
    fn bytes<const N: usize>(self, bytes: [u8; N]) -> Result<(), Error> {
        match self.at {
            None => self.out.writer.bytes(&bytes),
            Some(at) => self.out.place(at, bytes),
        }
    }

    /// The members of a class.
    #[inline]
    fn class(self, class: &'o Class) -> Result<Group<'p, 'o, 's>, Error> {
        self.out.writer.enter()?;
        self.out.writer.u8(class.members.len() as u8)?;
        Ok(Group::new(self.out, Of::Class(class)))
    }

    #[inline]
    fn fields(self, found: &str) -> Result<Group<'p, 'o, 's>, Error> {
        match &self.node.what {
            What::Class(class) => self.class(class),
            _ => self.other(found),
        }
    }

    #[inline]
    fn items(self, count: usize) -> Result<Group<'p, 'o, 's>, Error> {
        let of = match &self.node.what {
            What::Array { item, count } => {
                let size = self.out.nodes[*item].layout.map_or(0, |layout| layout.size);
                if self.at.is_none() {
                    self.out.writer.count(*count)?;
                }
                Of::Items { item: *item, count: *count, size }
            }
            What::Tuple(parts) => Of::Tuple(parts),
            _ => return self.other(&format!("a tuple of {count}")),
        };
        Ok(Group::new(self.out, of).at(self.at))
    }

    /// The tag of a variant, and what follows it.
    fn variant(self, index: u32, variant: &'static str) -> Result<(Self, &'o Case), Error> {
        let What::Union(union) = &self.node.what else { return self.other(variant) };
        let index = index as usize;
        let Some(case) = union.cases.get(index).filter(|_| union.names.agrees(index, variant)) else {
            return Err(unnumbered(union.names.name, index, variant));
        };
        self.out.writer.enter()?;
        self.out.writer.tag(index as u16)?;
        Ok((self, case))
    }

    fn variant_fields(self, index: u32, variant: &'static str) -> Result<Group<'p, 'o, 's>, Error> {
        match self.variant(index, variant)? {
            (put, Case::Fields(class)) => Ok(put.class(class)?.tagged()),
            (put, Case::Object(_)) => put.other(variant),
        }
    }
}

#[cold]
fn unnumbered(name: &'static str, index: usize, variant: &'static str) -> Error {
    unsupported(format!(
        "`{name}::{variant}` is variant {index} when it is written and another when it is read: move variants that are \
         skipped to the end, and give each the same name in both directions"
    ))
}

macro_rules! leaves {
    ($($serialize:ident $type:ty, $leaf:ident, |$value:ident| $bytes:expr;)*) => {$(
        #[inline]
        fn $serialize(self, $value: $type) -> Result<(), Error> {
            self.leaf(Leaf::$leaf, $bytes)
        }
    )*};
}

impl<'p, 'o, 's> Serializer for Put<'p, 'o, 's> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Group<'p, 'o, 's>;
    type SerializeTuple = Group<'p, 'o, 's>;
    type SerializeTupleStruct = Group<'p, 'o, 's>;
    type SerializeTupleVariant = Group<'p, 'o, 's>;
    type SerializeMap = Group<'p, 'o, 's>;
    type SerializeStruct = Group<'p, 'o, 's>;
    type SerializeStructVariant = Group<'p, 'o, 's>;

    leaves! {
        serialize_bool bool, Bool, |value| [value.into()];
        serialize_char char, Char, |value| u32::from(value).to_le_bytes();
        serialize_i8 i8, I8, |value| value.to_le_bytes();
        serialize_i16 i16, I16, |value| value.to_le_bytes();
        serialize_i32 i32, I32, |value| value.to_le_bytes();
        serialize_i64 i64, I64, |value| value.to_le_bytes();
        serialize_i128 i128, I128, |value| value.to_le_bytes();
        serialize_u8 u8, U8, |value| value.to_le_bytes();
        serialize_u16 u16, U16, |value| value.to_le_bytes();
        serialize_u32 u32, U32, |value| value.to_le_bytes();
        serialize_u64 u64, U64, |value| value.to_le_bytes();
        serialize_u128 u128, U128, |value| value.to_le_bytes();
        serialize_f32 f32, F32, |value| value.to_le_bytes();
        serialize_f64 f64, F64, |value| value.to_le_bytes();
    }

    #[inline]
    fn serialize_str(self, text: &str) -> Result<(), Error> {
        match self.node.what {
            What::Text => self.out.writer.string(text),
            _ => self.other("text"),
        }
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Error> {
        match self.node.what {
            What::List { item, .. } if matches!(self.out.nodes[item].what, What::Leaf(Leaf::U8)) => {
                self.out.writer.count(bytes.len())?;
                self.out.writer.bytes(bytes)
            }
            _ => self.other("bytes"),
        }
    }

    #[inline]
    fn serialize_none(self) -> Result<(), Error> {
        match self.node.what {
            What::Maybe { .. } if self.at.is_some() => Ok(()),
            What::Maybe { of, .. } => self.out.writer.null(self.out.nodes[of].form),
            _ => self.other("null"),
        }
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        let What::Maybe { of, at: inner } = self.node.what else { return self.other("an option") };
        match self.at {
            Some(at) => {
                self.out.place(at, [1])?;
                self.out.part(of, value, at + inner)
            }
            None => {
                self.out.writer.some(self.out.nodes[of].form)?;
                self.out.value(of, value)
            }
        }
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.other("`()`")
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<(), Error> {
        self.fields(name)?.finish()
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<(), Error> {
        match &self.node.what {
            What::Number(names) if names.agrees(index as usize, variant) => self.bytes(index.to_le_bytes()),
            What::Number(_) => Err(unnumbered(name, index as usize, variant)),
            _ => self.variant_fields(index, variant)?.finish(),
        }
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut group = self.fields(name)?;
        group.next(value, "")?;
        group.finish()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        match self.variant(index, variant)? {
            (put, Case::Object(node)) => {
                put.out.value(*node, value).map_err(|error| error.inside(variant))?;
                put.out.writer.leave();
                Ok(())
            }
            (put, Case::Fields(class)) => {
                let mut group = put.class(class)?.tagged();
                group.next(value, "")?;
                group.finish()
            }
        }
    }

    #[inline]
    fn serialize_seq(self, count: Option<usize>) -> Result<Group<'p, 'o, 's>, Error> {
        let What::List { item, .. } = self.node.what else { return self.other("a list") };
        let Some(count) = count else { return Err(uncounted("list", "Vec")) };
        self.out.writer.check_stack()?;
        self.out.writer.count(count)?;
        Ok(Group::new(self.out, Of::Items { item, count, size: 0 }))
    }

    #[inline]
    fn serialize_tuple(self, count: usize) -> Result<Group<'p, 'o, 's>, Error> {
        match (self.node.layout, self.at) {
            // Unmanaged values are put into a block before their parts are; one is missing only if the table is wrong.
            (Some(_), None) => self.other("a tuple"),
            _ => self.items(count),
        }
    }

    fn serialize_tuple_struct(self, name: &'static str, _: usize) -> Result<Group<'p, 'o, 's>, Error> {
        self.fields(name)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        index: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Group<'p, 'o, 's>, Error> {
        self.variant_fields(index, variant)
    }

    fn serialize_map(self, count: Option<usize>) -> Result<Group<'p, 'o, 's>, Error> {
        let What::Map(map) = &self.node.what else { return self.other("a map") };
        let Some(count) = count else { return Err(uncounted("map", "BTreeMap")) };
        self.out.writer.check_stack()?;
        self.out.writer.count(count)?;
        Ok(Group::new(self.out, Of::Pairs { map, count }))
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Group<'p, 'o, 's>, Error> {
        self.fields(name)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        index: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Group<'p, 'o, 's>, Error> {
        self.variant_fields(index, variant)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

#[cold]
fn uncounted(what: &str, instead: &str) -> Error {
    unsupported(format!(
        "`Serialize` of a {what} does not say how many items it has, and the count comes first: collect them into a \
         `{instead}`"
    ))
}
