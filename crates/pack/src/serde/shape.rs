//! What the bytes of a type are, as a table that values are written and read by.

use crate::prelude::*;
use crate::{Form, Kind, Layout};
use core::ops::Index;

/// Where a node lies in its table.
pub(super) type Id = usize;

/// All types that lie in one.
#[derive(Debug)]
pub(super) struct Nodes {
    pub(super) root: Id,
    pub(super) all: Vec<Node>,
}

impl Index<Id> for Nodes {
    type Output = Node;

    #[inline]
    fn index(&self, id: Id) -> &Node {
        &self.all[id]
    }
}

/// One type.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) what: What,
    /// Of an unmanaged one.
    pub(super) layout: Option<Layout>,
    /// Of one that is managed, which decides its null.
    pub(super) form: Form<()>,
    /// The fewest bytes that a value takes.
    pub(super) min: usize,
}

impl Node {
    /// A managed type.
    pub(super) fn managed(what: What, form: Form<()>, min: usize) -> Node {
        Node { what, layout: None, form, min }
    }

    /// An unmanaged type.
    pub(super) fn raw(what: What, layout: Layout) -> Node {
        Node { what, layout: Some(layout), form: Form::Struct, min: layout.size }
    }

    /// What it is called in messages.
    pub(super) fn title(&self) -> &'static str {
        match &self.what {
            What::Leaf(leaf) => leaf.title(),
            What::Number(names) => names.name,
            What::Text => "text",
            What::List { .. } => "a list",
            What::Map(_) => "a map",
            What::Array { .. } => "an array",
            What::Tuple(_) => "a tuple",
            What::Maybe { .. } => "an option",
            What::Class(class) => class.name,
            What::Union(union) => union.names.name,
        }
    }
}

/// What it is made of.
#[derive(Debug)]
pub(super) enum What {
    Leaf(Leaf),
    /// An enum whose variants have no fields.
    Number(Names),
    Text,
    /// Items of `size` bytes of memory.
    List {
        item: Id,
        size: usize,
    },
    Map(Map),
    Array {
        item: Id,
        count: usize,
    },
    Tuple(Vec<Part>),
    /// An unmanaged value lies `at` bytes behind its flag.
    Maybe {
        of: Id,
        at: usize,
    },
    Class(Class),
    Union(Union),
}

#[derive(Debug)]
pub(super) struct Map {
    pub(super) key: Id,
    pub(super) value: Id,
    /// The size of a pair that is unmanaged, and where its value lies.
    pub(super) raw: Option<(usize, usize)>,
    /// Bytes of memory that a pair takes.
    pub(super) size: usize,
}

/// One item of a tuple.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) node: Id,
    /// Where it lies in a block of unmanaged items, if it does.
    pub(super) at: Option<usize>,
    /// The size of the block that begins with it.
    pub(super) opens: Option<usize>,
    /// Whether the block ends with it.
    pub(super) closes: bool,
}

/// An object.
#[derive(Debug)]
pub(super) struct Class {
    pub(super) name: &'static str,
    pub(super) members: Vec<Member>,
    pub(super) kind: ClassKind,
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) node: Id,
    /// Empty where it is not known.
    pub(super) name: &'static str,
}

/// What Rust has in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClassKind {
    Unit,
    Newtype,
    Fields,
}

#[derive(Debug)]
pub(super) struct Union {
    pub(super) names: Names,
    pub(super) cases: Vec<Case>,
}

/// What follows the tag of a union.
#[derive(Debug)]
pub(super) enum Case {
    /// The object that the variant holds.
    Object(Id),
    /// An object of the variant's own fields.
    Fields(Class),
}

/// An enum and its variants.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) name: &'static str,
    pub(super) count: usize,
    /// With their aliases.
    pub(super) variants: &'static [&'static str],
}

impl Names {
    /// Whether the variant of this number goes by this name, as far as that can be told.
    pub(super) fn agrees(&self, index: usize, variant: &str) -> bool {
        let same = |name: &&str| *name == variant;
        index < self.count
            && if self.variants.len() == self.count {
                self.variants.get(index).is_some_and(same)
            } else {
                self.variants.iter().any(same)
            }
    }
}

/// What has no parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    Bool,
    Char,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    I128,
    U128,
    F32,
    F64,
}

impl Leaf {
    pub(super) fn layout(self) -> Layout {
        let number = Layout::primitive(self.size());
        match self {
            Leaf::Bool => number.checked(),
            Leaf::Char => Layout { kind: Kind::Sequential, ..number }.checked(),
            Leaf::I128 | Leaf::U128 => Layout { kind: Kind::Sequential, ..number },
            _ => number,
        }
    }

    fn size(self) -> usize {
        match self {
            Leaf::Bool | Leaf::I8 | Leaf::U8 => 1,
            Leaf::I16 | Leaf::U16 => 2,
            Leaf::Char | Leaf::I32 | Leaf::U32 | Leaf::F32 => 4,
            Leaf::I64 | Leaf::U64 | Leaf::F64 => 8,
            Leaf::I128 | Leaf::U128 => 16,
        }
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            Leaf::Bool => "a bool",
            Leaf::Char => "a char",
            Leaf::I8 => "an i8",
            Leaf::U8 => "a u8",
            Leaf::I16 => "an i16",
            Leaf::U16 => "a u16",
            Leaf::I32 => "an i32",
            Leaf::U32 => "a u32",
            Leaf::I64 => "an i64",
            Leaf::U64 => "a u64",
            Leaf::I128 => "an i128",
            Leaf::U128 => "a u128",
            Leaf::F32 => "an f32",
            Leaf::F64 => "an f64",
        }
    }
}
