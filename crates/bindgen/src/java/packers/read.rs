//! Expressions that read, from a variable `r`.

use super::Packers;
use super::types::{array, method};
use crate::model::{Float, Int, Known, PackedBody, Wire};

impl Packers<'_> {
    /// The expression that reads a value of this type.
    pub fn read(&self, wire: &Wire) -> String {
        let present = |read: &str| format!("r.present({read})");
        match wire {
            Wire::Bool => "r.bool()".into(),
            Wire::Int(Int::I128) => "r.i128(true)".into(),
            Wire::Int(Int::U128) => "r.i128(false)".into(),
            Wire::Int(int) => format!("r.{}()", method(*int)),
            Wire::Float(Float::F32) => "r.f32()".into(),
            Wire::Float(Float::F64) => "r.f64()".into(),
            Wire::Rune => "r.rune()".into(),
            Wire::Char => "r.unit()".into(),
            Wire::Known(known) => format!("r.{}()", known_method(*known)),
            Wire::Text(_) | Wire::Uri | Wire::Builder => present("r.text()"),
            Wire::Version => present("r.version()"),
            Wire::BitArray => present("r.bitArray()"),
            Wire::BitPack => present("r.bits()"),
            Wire::BigInteger => "r.bigInteger()".into(),
            Wire::Brotli(of) => self.read(of),
            Wire::Named(id) => {
                let name = self.name(*id);
                match &self.api.packed(*id).body {
                    PackedBody::Enum { of, .. } => format!("r.among({name}.of(r.{}()))", method(of.repr)),
                    PackedBody::Raw(_) => format!("{name}.read(r)"),
                    PackedBody::Object(object) if object.value => format!("{name}.read(r)"),
                    _ => present(&format!("{name}.read(r)")),
                }
            }
            Wire::Fixed { of, len } if array(of).is_some() => {
                format!("r.{}({len})", array(of).unwrap_or_default())
            }
            Wire::List { of, kind } if !kind.is_set() && array(of).is_some() => {
                let fewest = self.api.fewest_bytes(of);
                format!("r.{}(r.countOf({fewest}))", array(of).unwrap_or_default())
            }
            Wire::Optional(of) => match &**of {
                Wire::Text(_) | Wire::Uri | Wire::Builder => "r.text()".into(),
                Wire::Version => "r.version()".into(),
                Wire::BitArray => "r.bitArray()".into(),
                Wire::BitPack => "r.bits()".into(),
                Wire::Named(id) if self.is_class(*id) => format!("{}.read(r)", self.name(*id)),
                _ => self.part("read", wire, "r"),
            },
            _ => self.part("read", wire, "r"),
        }
    }

    /// Whether its head says that it is null.
    pub fn is_class(&self, id: crate::model::PackedId) -> bool {
        match &self.api.packed(id).body {
            PackedBody::Object(object) => !object.value,
            PackedBody::Union(_) => true,
            _ => false,
        }
    }

    /// A call of a part.
    pub fn part(&self, verb: &str, wire: &Wire, given: &str) -> String {
        let name = self.parts.borrow_mut().name(self.api, wire);
        format!("Packers.{verb}{name}({given})")
    }
}

/// The method for a value of the library.
pub(super) fn known_method(known: Known) -> &'static str {
    match known {
        Known::Half => "i16",
        Known::Index => "i32",
        Known::TimeSpan => "timeSpan",
        Known::DateTime => "dateTime",
        Known::DateTimeOffset => "dateTimeOffset",
        Known::DateOnly => "dateOnly",
        Known::TimeOnly => "timeOnly",
        Known::Guid => "guid",
        Known::Decimal => "decimal",
        Known::Complex => "complex",
        Known::Range => "range",
    }
}
