//! What a packed value is in TypeScript, and its default.

use super::{Packers, number_array};
use crate::model::{Int, Known, ListKind, PackedBody, Wire, default_variant};

impl Packers<'_> {
    pub(super) fn type_of(&self, wire: &Wire) -> String {
        match wire {
            Wire::Bool => "boolean".into(),
            Wire::Int(int) if is_big(*int) => {
                if self.options.numbers { "number | bigint" } else { "bigint" }.into()
            }
            Wire::Int(_) | Wire::Float(_) | Wire::Known(Known::Half) => "number".into(),
            Wire::Rune | Wire::Char | Wire::Text(_) | Wire::Uri | Wire::Builder => "string".into(),
            Wire::Known(known) => format!("$.{known:?}"),
            Wire::Version => "$.Version".into(),
            Wire::BigInteger => "bigint".into(),
            Wire::BitArray | Wire::BitPack => "boolean[]".into(),
            Wire::Brotli(of) | Wire::Lazy(of) => self.type_of(of),
            Wire::Named(id) => self.name(*id),
            Wire::List { of, kind } if kind.is_set() => {
                format!("Set<{}>", self.type_of(of))
            }
            Wire::List { of, kind: ListKind::List } | Wire::Fixed { of, .. } => self.array_of(of),
            Wire::List { of, .. } => self.plain_array_of(of),
            Wire::Map { key, value, .. } => format!("Map<{}, {}>", self.type_of(key), self.type_of(value)),
            Wire::Grid { of, .. } => format!("$.Grid<{}>", self.array_of(of)),
            Wire::Tuple(items) | Wire::ClassTuple(items) => {
                let items: Vec<String> = items.iter().map(|item| self.type_of(item)).collect();
                format!("[{}]", items.join(", "))
            }
            Wire::Pair(key, value) => format!("[{}, {}]", self.type_of(key), self.type_of(value)),
            Wire::Group(key, value) => format!("$.Group<{}, {}>", self.type_of(key), self.array_of(value)),
            Wire::Optional(of) => format!("{} | null", self.type_of(of)),
        }
    }

    pub(super) fn array_of(&self, of: &Wire) -> String {
        number_array(of).map_or_else(|| self.plain_array_of(of), str::to_owned)
    }

    fn plain_array_of(&self, of: &Wire) -> String {
        let of = self.type_of(of);
        if of.contains('|') { format!("({of})[]") } else { format!("{of}[]") }
    }

    /// An expression for the default; `None` if there is none.
    pub(super) fn default_of(&self, wire: &Wire) -> Option<String> {
        if !self.api.has_default(wire) {
            return None;
        }
        let list = |items: &[&Wire]| {
            let items: Option<Vec<String>> = items.iter().map(|item| self.default_of(item)).collect();
            items.map(|items| items.join(", "))
        };
        Some(match wire {
            Wire::Bool => "false".into(),
            Wire::Int(int) if is_big(*int) => "0n".into(),
            Wire::BigInteger => "0n".into(),
            Wire::Int(_) | Wire::Float(_) | Wire::Known(Known::Half) => "0".into(),
            Wire::Rune | Wire::Char => "\"\\0\"".into(),
            Wire::Text(_) | Wire::Uri | Wire::Builder => "\"\"".into(),
            Wire::Known(Known::Guid) => "$.Guid.empty".into(),
            Wire::Known(Known::Complex) => "{ real: 0, imaginary: 0 }".into(),
            Wire::Known(Known::Index) => INDEX.into(),
            Wire::Known(Known::Range) => format!("{{ start: {INDEX}, end: {INDEX} }}"),
            Wire::Known(known) => format!("new $.{known:?}()"),
            Wire::Version => "{ major: 0, minor: 0, build: -1, revision: -1 }".into(),
            Wire::BitArray | Wire::BitPack => "[]".into(),
            Wire::Brotli(of) | Wire::Lazy(of) => self.default_of(of)?,
            Wire::Named(id) => match &self.api.packed(*id).body {
                PackedBody::Enum { of, default } => {
                    let variant = &of.variants[default_variant(of, *default)];
                    format!("{}.{}", self.name(*id), self.variant(&variant.name))
                }
                _ => format!("new {}()", self.name(*id)),
            },
            Wire::List { kind, .. } if kind.is_set() => "new Set()".into(),
            Wire::List { of, kind: ListKind::List } => empty(of),
            Wire::List { .. } => "[]".into(),
            Wire::Map { .. } => "new Map()".into(),
            Wire::Fixed { of, len } => match number_array(of) {
                Some(class) => format!("new {class}({len})"),
                None => format!("Array.from({{ length: {len} }}, () => {})", self.default_of(of)?),
            },
            Wire::Grid { of, rank } => {
                let zeroes = vec!["0"; *rank as usize].join(", ");
                format!("{{ dimensions: [{zeroes}], items: {} }}", empty(of))
            }
            Wire::Tuple(items) | Wire::ClassTuple(items) => {
                format!("[{}]", list(&items.iter().collect::<Vec<_>>())?)
            }
            Wire::Pair(key, value) => format!("[{}]", list(&[key, value])?),
            Wire::Group(key, value) => {
                format!("{{ key: {}, values: {} }}", self.default_of(key)?, empty(value))
            }
            Wire::Optional(_) => "null".into(),
        })
    }
}

const INDEX: &str = "{ value: 0, fromEnd: false }";

fn empty(of: &Wire) -> String {
    number_array(of).map_or("[]".into(), |class| format!("new {class}()"))
}

/// Whether numbers cannot hold all of its values.
pub(super) fn is_big(int: Int) -> bool {
    matches!(
        int,
        Int::I64 | Int::U64 | Int::Isize | Int::Usize | Int::I128 | Int::U128 | Int::Long | Int::ULong
    )
}

/// The method that writes and reads it.
pub(super) fn method(int: Int) -> &'static str {
    match int {
        Int::Isize | Int::Long => "i64",
        Int::Usize | Int::ULong => "u64",
        Int::CChar => "i8",
        int => int.rust_name(),
    }
}
