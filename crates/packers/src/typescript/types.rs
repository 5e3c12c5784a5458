//! What a packed value is in TypeScript, and its default.

use super::Packers;
use crate::lines;
use crate::plan::{Float, Int, Known, ListKind, One, Wire};

/// What one call reads and writes; values of the run time's own have the methods themselves.
pub(super) fn one(wire: &Wire) -> Option<One> {
    let (ty, default, method) = match wire {
        Wire::Bool => ("boolean", "false", "bool"),
        Wire::Int(int) if is_big(*int) => ("bigint", "0n", lines::number(*int)),
        Wire::Int(int) => ("number", "0", lines::number(*int)),
        Wire::Float(Float::F32) => ("number", "0", "f32"),
        Wire::Float(Float::F64) => ("number", "0", "f64"),
        Wire::Rune => ("string", "\"\\0\"", "rune"),
        Wire::Char => ("string", "\"\\0\"", "char"),
        Wire::Text(_) | Wire::Uri | Wire::Builder => ("string", "\"\"", "text"),
        Wire::Version => ("$.Version", "{ major: 0, minor: 0, build: -1, revision: -1 }", "version"),
        Wire::BigInteger => ("bigint", "0n", "bigInteger"),
        Wire::BitArray => ("boolean[]", "[]", "bitArray"),
        Wire::BitPack => ("boolean[]", "[]", "bits"),
        Wire::Known(known) => match known {
            Known::Half => ("number", "0", "$.Half"),
            Known::TimeSpan => ("$.TimeSpan", "new $.TimeSpan()", "$.TimeSpan"),
            Known::DateTime => ("$.DateTime", "new $.DateTime()", "$.DateTime"),
            Known::DateTimeOffset => ("$.DateTimeOffset", "new $.DateTimeOffset()", "$.DateTimeOffset"),
            Known::DateOnly => ("$.DateOnly", "new $.DateOnly()", "$.DateOnly"),
            Known::TimeOnly => ("$.TimeOnly", "new $.TimeOnly()", "$.TimeOnly"),
            Known::Guid => ("$.Guid", "$.Guid.empty", "$.Guid"),
            Known::Decimal => ("$.Decimal", "new $.Decimal()", "$.Decimal"),
            Known::Complex => ("$.Complex", "{ real: 0, imaginary: 0 }", "$.Complex"),
            Known::Index => ("$.Index", "{ value: 0, fromEnd: false }", "$.Index"),
            Known::Range => (
                "$.Range",
                "{ start: { value: 0, fromEnd: false }, end: { value: 0, fromEnd: false } }",
                "$.Range",
            ),
        },
        _ => return None,
    };
    Some(One { ty, default, method })
}

/// The array class for adjacent numbers, if they have one.
pub(super) fn number_array(of: &Wire) -> Option<&'static str> {
    Some(match of {
        Wire::Int(Int::U8) => "Uint8Array",
        Wire::Int(Int::I8) => "Int8Array",
        Wire::Int(Int::U16) => "Uint16Array",
        Wire::Int(Int::I16) => "Int16Array",
        Wire::Int(Int::U32) => "Uint32Array",
        Wire::Int(Int::I32) => "Int32Array",
        Wire::Int(Int::U64 | Int::Usize) => "BigUint64Array",
        Wire::Int(Int::I64 | Int::Isize) => "BigInt64Array",
        Wire::Float(Float::F32) => "Float32Array",
        Wire::Float(Float::F64) => "Float64Array",
        _ => return None,
    })
}

/// Whether numbers cannot hold all of its values.
pub(super) fn is_big(int: Int) -> bool {
    !matches!(int, Int::I8 | Int::U8 | Int::I16 | Int::U16 | Int::I32 | Int::U32 | Int::CChar)
}

impl Packers<'_> {
    pub(super) fn type_of(&self, wire: &Wire) -> String {
        let all =
            |items: &[&Wire]| items.iter().map(|item| self.type_of(item)).collect::<Vec<_>>().join(", ");
        match wire {
            Wire::Int(int) if is_big(*int) && self.settings.numbers => "number | bigint".into(),
            Wire::Brotli(of) | Wire::Lazy(of) => self.type_of(of),
            Wire::Named(id) => self.name(*id),
            Wire::List { of, kind } if kind.is_set() => format!("Set<{}>", self.type_of(of)),
            Wire::List { of, kind: ListKind::List } | Wire::Fixed { of, .. } => self.array_of(of),
            Wire::List { of, .. } => self.plain_array_of(of),
            Wire::Map { key, value, .. } => format!("Map<{}>", all(&[key, value])),
            Wire::Grid { of, .. } => format!("$.Grid<{}>", self.array_of(of)),
            Wire::Tuple(_) | Wire::ClassTuple(_) | Wire::Pair(..) => format!("[{}]", all(&wire.parts())),
            Wire::Group(key, value) => format!("$.Group<{}, {}>", self.type_of(key), self.array_of(value)),
            Wire::Optional(of) => format!("{} | null", self.type_of(of)),
            other => one(other).map_or_else(String::new, |one| one.ty.to_owned()),
        }
    }

    fn array_of(&self, of: &Wire) -> String {
        number_array(of).map_or_else(|| self.plain_array_of(of), str::to_owned)
    }

    fn plain_array_of(&self, of: &Wire) -> String {
        let of = self.type_of(of);
        if of.contains('|') { format!("({of})[]") } else { format!("{of}[]") }
    }

    /// An expression for the default; `None` if there is none.
    pub(super) fn default_of(&self, wire: &Wire) -> Option<String> {
        self.plan.has_default(wire).then(|| self.default(wire))
    }

    fn default(&self, wire: &Wire) -> String {
        let empty = |of: &Wire| number_array(of).map_or("[]".into(), |class| format!("new {class}()"));
        match wire {
            Wire::Optional(_) => "null".into(),
            Wire::Brotli(of) | Wire::Lazy(of) => self.default(of),
            Wire::Named(id) => match self.plan.default_variant(*id) {
                Some(variant) => {
                    format!("{}.{}", self.name(*id), (self.settings.spelling.variant)(&variant.name))
                }
                None => format!("new {}()", self.name(*id)),
            },
            Wire::List { kind, .. } if kind.is_set() => "new Set()".into(),
            Wire::List { of, kind: ListKind::List } => empty(of),
            Wire::List { .. } => "[]".into(),
            Wire::Map { .. } => "new Map()".into(),
            Wire::Fixed { of, len } => match number_array(of) {
                Some(class) => format!("new {class}({len})"),
                None => format!("Array.from({{ length: {len} }}, () => {})", self.default(of)),
            },
            Wire::Grid { of, rank } => {
                let zeroes = vec!["0"; *rank as usize].join(", ");
                format!("{{ dimensions: [{zeroes}], items: {} }}", empty(of))
            }
            Wire::Group(key, value) => format!("{{ key: {}, values: {} }}", self.default(key), empty(value)),
            other => match one(other) {
                Some(one) => one.default.into(),
                None => {
                    let items: Vec<String> = wire.parts().iter().map(|item| self.default(item)).collect();
                    format!("[{}]", items.join(", "))
                }
            },
        }
    }
}
