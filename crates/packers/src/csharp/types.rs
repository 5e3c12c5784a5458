use super::Packers;
use crate::Report;
use crate::plan::{Enum, Float, Form, Int, Known, ListKind, PackedBody, PackedId, Parts, Plan, Wire};
use crate::refusal::{self, Refusal};

/// How many elements of an array within a struct are spelled out before C# 12.
const SPELLED_OUT: u64 = 256;

/// The API without what C# cannot have; each such type is reported.
pub(super) fn supported(plan: &Plan, language: u32, report: &mut dyn Report) -> Plan {
    refusal::without(plan, "C#", report, |packed| {
        let any = |wanted: &dyn Fn(&Wire) -> bool| {
            packed.body.wires().into_iter().any(|wire| wire.any(&mut |wire| wanted(wire)))
        };
        let raw = |wire: &Wire, wanted: &dyn Fn(u64) -> bool| matches!(wire, Wire::Fixed { len, .. } if wanted(*len) && plan.is_raw(wire));
        let (what, help) = if language < 12 && any(&|wire| raw(wire, &|len| len > SPELLED_OUT)) {
            let what = format!("holds an array within a struct of more than {SPELLED_OUT} elements");
            (what, "ask for C# 12 with `language`")
        } else if any(&|wire| raw(wire, &|len| len == 0)) {
            let what = "holds an array without elements, which C# has no type for";
            (what.to_owned(), "leave the field out")
        } else if circular_twice(plan, &packed.body) {
            let what = "holds a circular object in two cases, which are one class in C#";
            (what.to_owned(), "put one of them into a type of its own")
        } else {
            return None;
        };
        Some(Refusal { what, help })
    })
}

/// Whether an object that may refer to an earlier one is in two cases: it has no class for each.
fn circular_twice(plan: &Plan, body: &PackedBody) -> bool {
    let PackedBody::Union(cases) = body else { return false };
    let circular = |wire: &Wire| match wire {
        Wire::Named(id) => {
            matches!(&plan.packed(*id).body, PackedBody::Object(object) if object.form == Form::Circular)
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
            Wire::Uri | Wire::Version => format!("{wire:?}"),
            Wire::Builder => "global::System.Text.StringBuilder".into(),
            Wire::BigInteger => "global::System.Numerics.BigInteger".into(),
            Wire::BitArray => "global::System.Collections.BitArray".into(),
            Wire::BitPack => "bool[]".into(),
            Wire::Brotli(of) => self.ty(of),
            Wire::Named(id) => self.name(*id).to_owned(),
            Wire::List { of, kind } => match kind {
                ListKind::List | ListKind::PriorityQueue | ListKind::Lookup => array_of(&self.ty(of), "[]"),
                ListKind::Set => format!("HashSet<{}>", self.ty(of)),
                ListKind::SortedSet if !self.comparable(of) => format!("HashSet<{}>", self.ty(of)),
                kind => format!("{kind:?}<{}>", self.ty(of)),
            },
            // No key of a dictionary is null.
            Wire::Map { key, value, .. } if is_pairs(wire) => {
                format!("KeyValuePair<{}, {}>[]", self.ty(key), self.ty(value))
            }
            Wire::Map { key, value, sorted } => {
                let sorted = if *sorted && self.comparable(key) { "Sorted" } else { "" };
                format!("{sorted}Dictionary<{}, {}>", self.ty(key), self.ty(value))
            }
            Wire::Fixed { of, len } if self.plan.is_raw(wire) => {
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
            Wire::Named(id) => match &self.plan.packed(*id).body {
                PackedBody::Object(object) => object.value,
                PackedBody::Raw(_) | PackedBody::Enum { .. } => true,
                PackedBody::Union(_) => false,
            },
            Wire::Optional(_) => false,
            _ => self.plan.is_raw(wire),
        }
    }

    /// What stands where nothing was read; `null!` where there is nothing.
    pub fn default(&self, wire: &Wire) -> String {
        if !self.plan.has_default(wire) {
            return "null!".into();
        }
        let ty = || self.ty(wire);
        match wire {
            Wire::Text(_) => "\"\"".into(),
            Wire::Brotli(of) => self.default(of),
            Wire::Uri => "new Uri(\"\", UriKind.RelativeOrAbsolute)".into(),
            Wire::BitArray => "new global::System.Collections.BitArray(0)".into(),
            Wire::BitPack => "Array.Empty<bool>()".into(),
            Wire::Named(id) => match &self.plan.packed(*id).body {
                PackedBody::Object(object) if !object.value => format!("new {}()", ty()),
                PackedBody::Object(_) if self.has_default_maker(*id) => format!("{}.__Default()", ty()),
                PackedBody::Enum { .. } => {
                    match self.plan.default_variant(*id).map_or(0, |variant| variant.value) {
                        0 => "default".into(),
                        value => format!("({})({value})", ty()),
                    }
                }
                _ => "default".into(),
            },
            Wire::List { of, .. } if is_array(wire) => format!("Array.Empty<{}>()", self.ty(of)),
            Wire::Map { key, value, .. } if is_pairs(wire) => {
                format!("Array.Empty<KeyValuePair<{}, {}>>()", self.ty(key), self.ty(value))
            }
            Wire::List { of: key, kind: ListKind::SortedSet } | Wire::Map { key, sorted: true, .. }
                if is_text(key) =>
            {
                format!("new {}(PackOrder.Text)", ty())
            }
            Wire::Builder | Wire::Version | Wire::List { .. } | Wire::Map { .. } => format!("new {}()", ty()),
            Wire::Fixed { of, len } if !self.plan.is_raw(wire) => match self.default(of).as_str() {
                "default" | "null!" => array_of(&format!("new {}", self.ty(of)), &format!("[{len}]")),
                one => format!("PackParts.Filled<{}>({len}, static () => {one})", self.ty(of)),
            },
            Wire::Grid { of, rank } => {
                let none = vec!["0"; *rank as usize].join(", ");
                array_of(&format!("new {}", self.ty(of)), &format!("[{none}]"))
            }
            // It could be a function as well.
            Wire::Lazy(of) if self.default(of) == "default" => {
                format!("new {}(default({}))", ty(), self.ty(of))
            }
            _ => match self.plan.parts(wire) {
                Some(Parts { wires, placed: None, .. }) => {
                    self.made(wire, &wires.iter().map(|part| self.default(part)).collect::<Vec<_>>())
                }
                _ => "default".into(),
            },
        }
    }

    /// A value made of its parts.
    pub fn made(&self, wire: &Wire, values: &[String]) -> String {
        let all = values.join(", ");
        match wire {
            Wire::Tuple(items) if items.len() > 1 => format!("({all})"),
            Wire::ClassTuple(items) if items.len() > 7 => {
                let rest = self.made(&Wire::ClassTuple(items[7..].to_vec()), &values[7..]);
                format!("new {}({}, {rest})", self.ty(wire), values[..7].join(", "))
            }
            Wire::Group(key, value) => format!("new PackGroup<{}, {}>({all})", self.ty(key), self.ty(value)),
            _ => format!("new {}({all})", self.ty(wire)),
        }
    }

    /// Whether a struct whose members are all zero differs from its default: for example, its text is null.
    pub fn has_default_maker(&self, id: PackedId) -> bool {
        match &self.plan.packed(id).body {
            PackedBody::Object(object) if object.value && self.plan.has_default(&Wire::Named(id)) => {
                object.members.iter().any(|member| self.default(&member.wire) != "default")
            }
            _ => false,
        }
    }

    /// The enum that a type is.
    pub fn enum_of(&self, wire: &Wire) -> Option<&Enum> {
        match wire {
            Wire::Named(id) => match &self.plan.packed(*id).body {
                PackedBody::Enum { of, .. } => Some(of),
                _ => None,
            },
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
            _ => is_text(wire) || self.enum_of(wire).is_some(),
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
    matches!(wire, Wire::Text(_))
}

/// Whether it is a list that is shown as an array.
pub(super) fn is_array(wire: &Wire) -> bool {
    matches!(wire, Wire::List { kind: ListKind::List | ListKind::PriorityQueue | ListKind::Lookup, .. })
}

/// Whether it is a map that is shown as an array of pairs, because keys may be null.
pub(super) fn is_pairs(wire: &Wire) -> bool {
    matches!(wire, Wire::Map { key, .. } if matches!(**key, Wire::Optional(_)))
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
