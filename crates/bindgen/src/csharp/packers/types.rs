use super::Packers;
use crate::Diagnostics;
use crate::csharp::options::Options;
use crate::model::{
    Api, Encoding, Float, Form, Int, Known, ListKind, PackedBody, PackedId, Wire, default_variant,
};
use crate::packers::{self, Refusal};

/// How many elements of an array within a struct are spelled out before C# 12.
const SPELLED_OUT: u64 = 256;

/// The API without what C# cannot have; each such type is reported.
pub(super) fn supported(api: &Api, options: &Options, diagnostics: &mut Diagnostics) -> Api {
    packers::without(api, "C#", diagnostics, |packed| {
        let any = |wanted: &dyn Fn(&Wire) -> bool| {
            packed.body.wires().into_iter().any(|wire| wire.any(&mut |wire| wanted(wire)))
        };
        let raw = |wire: &Wire, wanted: &dyn Fn(u64) -> bool| matches!(wire, Wire::Fixed { len, .. } if wanted(*len) && api.is_raw(wire));
        let (what, help) = if options.language < 12 && any(&|wire| raw(wire, &|len| len > SPELLED_OUT)) {
            let what = format!("holds an array within a struct of more than {SPELLED_OUT} elements");
            (what, "ask for C# 12 with `language`")
        } else if any(&|wire| raw(wire, &|len| len == 0)) {
            let what = "holds an array without elements, which C# has no type for";
            (what.to_owned(), "leave the field out")
        } else if circular_twice(api, &packed.body) {
            let what = "holds a circular object in two cases, which are one class in C#";
            (what.to_owned(), "put one of them into a type of its own")
        } else {
            return None;
        };
        Some(Refusal { what, help })
    })
}

/// Whether an object that may refer to an earlier one is in two cases: it has no class for each.
fn circular_twice(api: &Api, body: &PackedBody) -> bool {
    let PackedBody::Union(cases) = body else { return false };
    let circular = |wire: &Wire| match wire {
        Wire::Named(id) => {
            matches!(&api.packed(*id).body, PackedBody::Object(object) if object.form == Form::Circular)
        }
        _ => false,
    };
    let twice = |wire: &Wire| cases.iter().filter(|case| case.wire == *wire).count() > 1;
    cases.iter().any(|case| circular(&case.wire) && twice(&case.wire))
}

impl Packers<'_> {
    /// How a type is spelled.
    pub fn ty(&self, wire: &Wire) -> String {
        let list = |items: &[Wire]| items.iter().map(|item| self.ty(item)).collect::<Vec<_>>().join(", ");
        match wire {
            Wire::Bool => "bool".into(),
            Wire::Int(int) => integer(*int).into(),
            Wire::Float(Float::F32) => "float".into(),
            Wire::Float(Float::F64) => "double".into(),
            Wire::Rune => "global::System.Text.Rune".into(),
            Wire::Char => "char".into(),
            Wire::Known(Known::Complex) => "global::System.Numerics.Complex".into(),
            Wire::Known(Known::Decimal) => "decimal".into(),
            Wire::Known(known) => format!("{known:?}"),
            Wire::Text(_) => "string".into(),
            Wire::Uri => "Uri".into(),
            Wire::Builder => "global::System.Text.StringBuilder".into(),
            Wire::Version => "Version".into(),
            Wire::BigInteger => "global::System.Numerics.BigInteger".into(),
            Wire::BitArray => "global::System.Collections.BitArray".into(),
            Wire::BitPack => "bool[]".into(),
            Wire::Brotli(of) => self.ty(of),
            Wire::Named(id) => self.name(*id).to_owned(),
            Wire::List { of, kind } => {
                let item = self.ty(of);
                match kind {
                    ListKind::Set => format!("HashSet<{item}>"),
                    ListKind::SortedSet if self.comparable(of) => format!("SortedSet<{item}>"),
                    ListKind::SortedSet => format!("HashSet<{item}>"),
                    ListKind::Queue => format!("Queue<{item}>"),
                    ListKind::LinkedList => format!("LinkedList<{item}>"),
                    ListKind::Stack => format!("Stack<{item}>"),
                    ListKind::List | ListKind::PriorityQueue | ListKind::Lookup => array_of(&item, "[]"),
                }
            }
            Wire::Map { key, value, sorted } => {
                let (key_type, value) = (self.ty(key), self.ty(value));
                match &**key {
                    // No key of a dictionary is null.
                    Wire::Optional(_) => format!("KeyValuePair<{key_type}, {value}>[]"),
                    key if *sorted && self.comparable(key) => {
                        format!("SortedDictionary<{key_type}, {value}>")
                    }
                    _ => format!("Dictionary<{key_type}, {value}>"),
                }
            }
            Wire::Fixed { of, len } if self.api.is_raw(wire) => {
                self.arrays.borrow_mut().insert(*len);
                format!("PackArray{len}<{}>", self.ty(of))
            }
            Wire::Fixed { of, .. } => array_of(&self.ty(of), "[]"),
            Wire::Grid { of, rank } => {
                array_of(&self.ty(of), &format!("[{}]", ",".repeat(*rank as usize - 1)))
            }
            Wire::Tuple(items) => match &items[..] {
                [one] => format!("ValueTuple<{}>", self.ty(one)),
                items => format!("({})", list(items)),
            },
            Wire::ClassTuple(items) => match items.split_at_checked(7) {
                Some((own, rest)) if !rest.is_empty() => {
                    format!("Tuple<{}, {}>", list(own), self.ty(&Wire::ClassTuple(rest.to_vec())))
                }
                _ => format!("Tuple<{}>", list(items)),
            },
            Wire::Pair(key, value) => format!("KeyValuePair<{}, {}>", self.ty(key), self.ty(value)),
            Wire::Group(key, value) => {
                format!("global::System.Linq.IGrouping<{}, {}>", self.ty(key), self.ty(value))
            }
            Wire::Lazy(of) => format!("Lazy<{}>", self.ty(of)),
            Wire::Optional(of) => format!("{}?", self.ty(of)),
        }
    }

    /// Whether null is not a value of the C# type.
    pub fn is_value(&self, wire: &Wire) -> bool {
        match wire {
            Wire::Tuple(_) | Wire::Pair(..) | Wire::BigInteger => true,
            Wire::Named(id) => match &self.api.packed(*id).body {
                PackedBody::Object(object) => object.value,
                PackedBody::Raw(_) | PackedBody::Enum { .. } => true,
                PackedBody::Union(_) => false,
            },
            Wire::Optional(_) => false,
            _ => self.api.is_raw(wire),
        }
    }

    /// What stands where nothing was read; `null!` where there is nothing.
    pub fn default(&self, wire: &Wire) -> String {
        if !self.api.has_default(wire) {
            return "null!".into();
        }
        let ty = || self.ty(wire);
        match wire {
            Wire::Text(_) => "\"\"".into(),
            Wire::Brotli(of) => self.default(of),
            Wire::Uri => "new Uri(\"\", UriKind.RelativeOrAbsolute)".into(),
            Wire::BitArray => "new global::System.Collections.BitArray(0)".into(),
            Wire::BitPack => "Array.Empty<bool>()".into(),
            Wire::Named(id) => match &self.api.packed(*id).body {
                PackedBody::Object(object) if !object.value => format!("new {}()", ty()),
                PackedBody::Object(_) if self.has_default_maker(*id) => format!("{}.__Default()", ty()),
                PackedBody::Enum { of, default } => {
                    let variant = &of.variants[default_variant(of, *default)];
                    match variant.value {
                        0 => "default".into(),
                        value => format!("({})({value})", ty()),
                    }
                }
                _ => "default".into(),
            },
            Wire::List { of, kind: ListKind::List | ListKind::PriorityQueue | ListKind::Lookup } => {
                format!("Array.Empty<{}>()", self.ty(of))
            }
            Wire::Map { key, value, .. } if matches!(**key, Wire::Optional(_)) => {
                format!("Array.Empty<KeyValuePair<{}, {}>>()", self.ty(key), self.ty(value))
            }
            Wire::List { of, kind: ListKind::SortedSet } if is_text(of) => {
                format!("new {}(PackOrder.Text)", ty())
            }
            Wire::Map { key, sorted: true, .. } if is_text(key) => {
                format!("new {}(PackOrder.Text)", ty())
            }
            Wire::Builder | Wire::Version | Wire::List { .. } | Wire::Map { .. } => format!("new {}()", ty()),
            Wire::Fixed { of, len } if !self.api.is_raw(wire) => {
                let item = self.ty(of);
                match self.default(of).as_str() {
                    "default" | "null!" => array_of(&format!("new {item}"), &format!("[{len}]")),
                    one => format!("PackParts.Filled<{item}>({len}, static () => {one})"),
                }
            }
            Wire::Grid { of, rank } => {
                let none = vec!["0"; *rank as usize].join(", ");
                array_of(&format!("new {}", self.ty(of)), &format!("[{none}]"))
            }
            Wire::Tuple(items) if !self.api.is_raw(wire) => match &items[..] {
                [one] => format!("new ValueTuple<{}>({})", self.ty(one), self.default(one)),
                items => format!(
                    "({})",
                    items.iter().map(|item| self.default(item)).collect::<Vec<_>>().join(", ")
                ),
            },
            Wire::ClassTuple(items) => {
                let own = items.iter().take(7).map(|item| self.default(item));
                let rest = items.get(7..).filter(|rest| !rest.is_empty());
                let rest = rest.map(|rest| self.default(&Wire::ClassTuple(rest.to_vec())));
                format!("new {}({})", ty(), own.chain(rest).collect::<Vec<_>>().join(", "))
            }
            Wire::Pair(key, value) if !self.api.is_raw(wire) => {
                format!("new {}({}, {})", ty(), self.default(key), self.default(value))
            }
            Wire::Group(key, value) => {
                let (key_type, value) = (self.ty(key), self.ty(value));
                format!("new PackGroup<{key_type}, {value}>({}, Array.Empty<{value}>())", self.default(key))
            }
            Wire::Lazy(of) => match self.default(of).as_str() {
                // It could be a function as well.
                "default" => format!("new {}(default({}))", ty(), self.ty(of)),
                value => format!("new {}({value})", ty()),
            },
            _ => "default".into(),
        }
    }

    /// Whether a struct whose members are all zero differs from its default: for example, its text is null.
    pub fn has_default_maker(&self, id: PackedId) -> bool {
        match &self.api.packed(id).body {
            PackedBody::Object(object) if object.value && self.api.has_default(&Wire::Named(id)) => {
                object.members.iter().any(|member| self.default(&member.wire) != "default")
            }
            _ => false,
        }
    }

    /// The number that an enum is.
    pub fn enum_of(&self, id: PackedId) -> Option<Int> {
        match &self.api.packed(id).body {
            PackedBody::Enum { of, .. } => Some(of.repr),
            _ => None,
        }
    }

    /// Whether values of this type are ordered in .NET.
    fn comparable(&self, wire: &Wire) -> bool {
        match wire {
            Wire::Bool
            | Wire::Int(_)
            | Wire::Float(_)
            | Wire::Rune
            | Wire::Char
            | Wire::BigInteger
            | Wire::Version => true,
            Wire::Known(known) => !matches!(known, Known::Complex | Known::Index | Known::Range),
            Wire::Tuple(items) => items.iter().all(|item| self.comparable(item) && !is_text(item)),
            Wire::Named(id) => self.enum_of(*id).is_some(),
            _ => is_text(wire),
        }
    }
}

/// An array of these. For an array of arrays, its own brackets come first.
pub(super) fn array_of(item: &str, brackets: &str) -> String {
    match item.find('[') {
        // Only a type that ends in brackets is an array itself; others have them among their arguments.
        Some(_) if item.ends_with(']') || item.ends_with("]?") => {
            let trimmed = item.trim_end_matches(['[', ']', ',', '?']);
            let (base, own) = item.split_at(trimmed.len());
            // `int[]?[]` is an array of arrays that may be null; the outer brackets stand behind that mark.
            if own.contains('?') { format!("{item}{brackets}") } else { format!("{base}{brackets}{own}") }
        }
        _ => format!("{item}{brackets}"),
    }
}

/// Whether it is text.
pub(super) fn is_text(wire: &Wire) -> bool {
    matches!(wire, Wire::Text(Encoding::Chosen | Encoding::Utf8 | Encoding::Utf16))
}

/// A number's type.
pub(super) fn integer(int: Int) -> &'static str {
    match int {
        Int::I8 => "sbyte",
        Int::U8 | Int::CChar => "byte",
        Int::I16 => "short",
        Int::U16 => "ushort",
        Int::I32 => "int",
        Int::U32 => "uint",
        Int::I64 | Int::Isize | Int::Long => "long",
        Int::U64 | Int::Usize | Int::ULong => "ulong",
        Int::I128 => "Int128",
        Int::U128 => "UInt128",
    }
}
