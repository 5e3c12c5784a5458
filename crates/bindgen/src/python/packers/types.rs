//! What a packed value is in Python, and its default.

use super::{Packers, is_byte, number_code};
use crate::model::{Known, ListKind, PackedBody, Wire, default_variant};

impl Packers<'_> {
    pub(super) fn type_of(&self, wire: &Wire) -> String {
        match wire {
            Wire::Bool => "bool".into(),
            Wire::Int(_) | Wire::BigInteger => "int".into(),
            Wire::Float(_) | Wire::Known(Known::Half) => "float".into(),
            Wire::Rune | Wire::Char | Wire::Text(_) | Wire::Uri | Wire::Builder => "str".into(),
            Wire::Known(Known::Guid) => "_uuid.UUID".into(),
            Wire::Known(Known::Decimal) => "_decimal.Decimal".into(),
            Wire::Known(Known::DateOnly) => "_datetime.date".into(),
            Wire::Known(Known::Complex) => "complex".into(),
            Wire::Known(known) => format!("_r.{known:?}"),
            Wire::Version => "_r.Version".into(),
            Wire::BitArray | Wire::BitPack => "list[bool]".into(),
            Wire::Brotli(of) | Wire::Lazy(of) => self.type_of(of),
            Wire::Named(id) => self.name(*id),
            Wire::List { of, kind } if kind.is_set() && self.is_hashable(of) => {
                format!("set[{}]", self.type_of(of))
            }
            Wire::List { of, kind: ListKind::List } | Wire::Fixed { of, .. } => self.list_of(of),
            Wire::List { of, .. } => format!("list[{}]", self.type_of(of)),
            Wire::Map { key, value, .. } if self.is_hashable(key) => {
                format!("dict[{}, {}]", self.type_of(key), self.type_of(value))
            }
            Wire::Map { key, value, .. } => {
                format!("list[tuple[{}, {}]]", self.type_of(key), self.type_of(value))
            }
            Wire::Grid { of, .. } => format!("_r.Grid[{}]", self.type_of(of)),
            Wire::Tuple(items) | Wire::ClassTuple(items) => {
                let items: Vec<String> = items.iter().map(|item| self.type_of(item)).collect();
                format!("tuple[{}]", items.join(", "))
            }
            Wire::Pair(key, value) => format!("tuple[{}, {}]", self.type_of(key), self.type_of(value)),
            Wire::Group(key, value) => format!("_r.Group[{}, {}]", self.type_of(key), self.type_of(value)),
            Wire::Optional(of) => format!("{} | None", self.type_of(of)),
        }
    }

    fn list_of(&self, of: &Wire) -> String {
        match (is_byte(of), number_code(of)) {
            (true, _) => "bytes".into(),
            (_, Some(_)) => format!("_Sequence[{}]", self.type_of(of)),
            _ => format!("list[{}]", self.type_of(of)),
        }
    }

    /// Whether it can be in a set or be a dictionary's key: dataclasses cannot, as they may change.
    pub(super) fn is_hashable(&self, wire: &Wire) -> bool {
        match wire {
            Wire::Named(id) => matches!(self.api.packed(*id).body, PackedBody::Enum { .. }),
            Wire::List { of, kind: ListKind::List } => is_byte(of),
            Wire::Fixed { of, .. } => is_byte(of),
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
        if !self.api.has_default(wire) {
            return None;
        }
        let shared = |text: &str| Some((text.to_owned(), true));
        let own = |text: String| Some((text, false));
        let tuple = |items: &[&Wire]| {
            let items: Option<Vec<_>> = items.iter().map(|item| self.default_of(item)).collect();
            let items = items?;
            let texts: Vec<String> = items.iter().map(|(text, _)| text.clone()).collect();
            Some((super::read::tuple(&texts), items.iter().all(|(_, shared)| *shared)))
        };
        match wire {
            Wire::Bool => shared("False"),
            Wire::Int(_) | Wire::BigInteger => shared("0"),
            Wire::Float(_) | Wire::Known(Known::Half) => shared("0.0"),
            Wire::Rune | Wire::Char => shared("\"\\0\""),
            Wire::Text(_) | Wire::Uri | Wire::Builder => shared("\"\""),
            Wire::Known(Known::Guid) => shared("_uuid.UUID(int=0)"),
            Wire::Known(Known::Decimal) => shared("_decimal.Decimal(0)"),
            Wire::Known(Known::DateOnly) => shared("_datetime.date.min"),
            Wire::Known(Known::Complex) => shared("0j"),
            Wire::Known(known) => Some((format!("_r.{known:?}()"), true)),
            Wire::Version => shared("_r.Version()"),
            Wire::Brotli(of) | Wire::Lazy(of) => self.default_of(of),
            Wire::Named(id) => match &self.api.packed(*id).body {
                PackedBody::Enum { of, default } => {
                    let variant = &of.variants[default_variant(of, *default)];
                    // It may be declared further below.
                    own(format!("{}.{}", self.name(*id), self.variant(&variant.name)))
                }
                _ => own(format!("{}()", self.name(*id))),
            },
            Wire::List { of, kind } if kind.is_set() && self.is_hashable(of) => own("set()".into()),
            Wire::List { of, kind: ListKind::List } => match (is_byte(of), number_code(of)) {
                (true, _) => shared("b\"\""),
                (_, Some(_)) => shared("()"),
                _ => own("[]".into()),
            },
            Wire::Map { key, .. } if self.is_hashable(key) => own("{}".into()),
            Wire::List { .. } | Wire::Map { .. } | Wire::BitArray | Wire::BitPack => own("[]".into()),
            Wire::Fixed { of, len } => match (is_byte(of), number_code(of)) {
                (true, _) => Some((format!("bytes({len})"), true)),
                (_, Some(_)) => own(format!("[{}] * {len}", self.default_of(of)?.0)),
                _ => own(format!("[{} for _ in range({len})]", self.default_of(of)?.0)),
            },
            Wire::Grid { rank, .. } => {
                let zeroes = vec!["0"; *rank as usize].join(", ");
                own(format!("_r.Grid(({zeroes}), ())"))
            }
            Wire::Tuple(items) | Wire::ClassTuple(items) => tuple(&items.iter().collect::<Vec<_>>()),
            Wire::Pair(key, value) => tuple(&[key, value]),
            Wire::Group(key, _) => own(format!("_r.Group({}, ())", self.default_of(key)?.0)),
            Wire::Optional(_) => shared("None"),
        }
    }
}
