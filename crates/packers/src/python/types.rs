//! What a packed value is in Python, and its default.

use super::Packers;
use crate::lines;
use crate::plan::{Float, Int, Known, ListKind, One, PackedBody, Wire};

/// What one call reads and writes; values of the run time's own have the methods themselves.
pub(super) fn one(wire: &Wire) -> Option<One> {
    let (ty, default, method) = match wire {
        Wire::Bool => ("bool", "False", "boolean"),
        Wire::Int(int) => ("int", "0", lines::number(*int)),
        Wire::Float(Float::F32) => ("float", "0.0", "f32"),
        Wire::Float(Float::F64) => ("float", "0.0", "f64"),
        Wire::Rune => ("str", "\"\\0\"", "rune"),
        Wire::Char => ("str", "\"\\0\"", "char"),
        Wire::Text(_) | Wire::Uri | Wire::Builder => ("str", "\"\"", "text"),
        Wire::BigInteger => ("int", "0", "big_integer"),
        Wire::BitArray => ("list[bool]", "[]", "bit_array"),
        Wire::BitPack => ("list[bool]", "[]", "bits"),
        Wire::Version => ("_r.Version", "_r.Version()", "_r.Version"),
        Wire::Known(known) => match known {
            Known::Half => ("float", "0.0", "half"),
            Known::Guid => ("_uuid.UUID", "_uuid.UUID(int=0)", "guid"),
            Known::Decimal => ("_decimal.Decimal", "_decimal.Decimal(0)", "decimal"),
            Known::DateOnly => ("_datetime.date", "_datetime.date.min", "day"),
            Known::Complex => ("complex", "0j", "complex_number"),
            Known::TimeSpan => ("_r.TimeSpan", "_r.TimeSpan()", "_r.TimeSpan"),
            Known::DateTime => ("_r.DateTime", "_r.DateTime()", "_r.DateTime"),
            Known::DateTimeOffset => ("_r.DateTimeOffset", "_r.DateTimeOffset()", "_r.DateTimeOffset"),
            Known::TimeOnly => ("_r.TimeOnly", "_r.TimeOnly()", "_r.TimeOnly"),
            Known::Index => ("_r.Index", "_r.Index()", "_r.Index"),
            Known::Range => ("_r.Range", "_r.Range()", "_r.Range"),
        },
        Wire::List { of, kind: ListKind::List } if is_byte(of) => ("bytes", "b\"\"", "blob"),
        _ => return None,
    };
    Some(One { ty, default, method })
}

/// The `array` type code for adjacent numbers, if they have one; bytes are shown as such.
pub(super) fn number_code(of: &Wire) -> Option<&'static str> {
    Some(match of {
        Wire::Int(Int::I8) => "b",
        Wire::Int(Int::U16) => "H",
        Wire::Int(Int::I16) => "h",
        Wire::Int(Int::U32) => "I",
        Wire::Int(Int::I32) => "i",
        Wire::Int(Int::U64 | Int::Usize) => "Q",
        Wire::Int(Int::I64 | Int::Isize) => "q",
        Wire::Float(Float::F32) => "f",
        Wire::Float(Float::F64) => "d",
        _ => return None,
    })
}

/// Whether it is a byte; a list of them is `bytes`.
pub(super) fn is_byte(of: &Wire) -> bool {
    matches!(of, Wire::Int(Int::U8))
}

/// A tuple of expressions; a single one gets a comma.
pub(super) fn tuple(parts: &[String]) -> String {
    match parts {
        [one] => format!("({one},)"),
        many => format!("({})", many.join(", ")),
    }
}

impl Packers<'_> {
    pub(super) fn type_of(&self, wire: &Wire) -> String {
        let all =
            |items: &[&Wire]| items.iter().map(|item| self.type_of(item)).collect::<Vec<_>>().join(", ");
        if let Some(one) = one(wire) {
            return one.ty.to_owned();
        }
        match wire {
            Wire::Named(id) => self.name(*id),
            Wire::List { of, kind } if kind.is_set() && self.is_hashable(of) => {
                format!("set[{}]", self.type_of(of))
            }
            Wire::List { of, kind: ListKind::List } | Wire::Fixed { of, .. } => {
                match (is_byte(of), number_code(of)) {
                    (true, _) => "bytes".into(),
                    (_, Some(_)) => format!("_Sequence[{}]", self.type_of(of)),
                    _ => format!("list[{}]", self.type_of(of)),
                }
            }
            Wire::List { of, .. } => format!("list[{}]", self.type_of(of)),
            Wire::Map { key, value, .. } if self.is_hashable(key) => format!("dict[{}]", all(&[key, value])),
            Wire::Map { key, value, .. } => format!("list[tuple[{}]]", all(&[key, value])),
            Wire::Grid { of, .. } => format!("_r.Grid[{}]", self.type_of(of)),
            Wire::Group(key, value) => format!("_r.Group[{}]", all(&[key, value])),
            Wire::Optional(of) => format!("{} | None", self.type_of(of)),
            Wire::Brotli(of) | Wire::Lazy(of) => self.type_of(of),
            other => format!("tuple[{}]", all(&other.parts())),
        }
    }

    /// Whether it can be in a set or be a dictionary's key: dataclasses cannot, as they may change.
    pub(super) fn is_hashable(&self, wire: &Wire) -> bool {
        match wire {
            Wire::Named(id) => matches!(self.plan.packed(*id).body, PackedBody::Enum { .. }),
            Wire::List { of, kind: ListKind::List } | Wire::Fixed { of, .. } => is_byte(of),
            Wire::List { .. } | Wire::Map { .. } | Wire::Grid { .. } | Wire::Group(..) => false,
            Wire::BitArray | Wire::BitPack => false,
            other => other.parts().into_iter().all(|part| self.is_hashable(part)),
        }
    }

    /// Whether two of them can be compared with `<`.
    pub(super) fn is_ordered(&self, wire: &Wire) -> bool {
        match wire {
            Wire::Known(Known::Complex | Known::Index | Known::Range) | Wire::Optional(_) => false,
            other => other.parts().into_iter().all(|part| self.is_ordered(part)),
        }
    }

    /// An expression for the default, and whether one object may be shared; `None` if there is no default.
    pub(super) fn default_of(&self, wire: &Wire) -> Option<(String, bool)> {
        self.plan.has_default(wire).then(|| self.default(wire))
    }

    fn default(&self, wire: &Wire) -> (String, bool) {
        let own = |text: String| (text, false);
        if let Some(one) = one(wire) {
            return (one.default.to_owned(), one.default != "[]");
        }
        match wire {
            Wire::Optional(_) => ("None".into(), true),
            Wire::Brotli(of) | Wire::Lazy(of) => self.default(of),
            // It may be declared further below.
            Wire::Named(id) => own(match self.plan.default_variant(*id) {
                Some(variant) => format!("{}.{}", self.name(*id), self.variant(&variant.name)),
                None => format!("{}()", self.name(*id)),
            }),
            Wire::List { of, kind } if kind.is_set() && self.is_hashable(of) => own("set()".into()),
            Wire::List { of, kind: ListKind::List } if number_code(of).is_some() => ("()".into(), true),
            Wire::Map { key, .. } if self.is_hashable(key) => own("{}".into()),
            Wire::List { .. } | Wire::Map { .. } => own("[]".into()),
            Wire::Fixed { of, len } => match (is_byte(of), number_code(of)) {
                (true, _) => (format!("bytes({len})"), true),
                (_, Some(_)) => own(format!("[{}] * {len}", self.default(of).0)),
                _ => own(format!("[{} for _ in range({len})]", self.default(of).0)),
            },
            Wire::Grid { rank, .. } => {
                own(format!("_r.Grid(({}), ())", vec!["0"; *rank as usize].join(", ")))
            }
            Wire::Group(key, _) => own(format!("_r.Group({}, ())", self.default(key).0)),
            other => {
                let items: Vec<_> = other.parts().into_iter().map(|item| self.default(item)).collect();
                let texts: Vec<String> = items.iter().map(|(text, _)| text.clone()).collect();
                (tuple(&texts), items.iter().all(|(_, shared)| *shared))
            }
        }
    }
}
