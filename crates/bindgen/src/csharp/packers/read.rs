//! Expressions that read, from a variable `reader`.

use super::Packers;
use super::types::is_text;
use crate::model::{ListKind, PackedBody, Wire};

impl Packers<'_> {
    /// Reads a value of this type. `into` is an expression for what may be read over, null included.
    pub fn read(&self, wire: &Wire, into: Option<&str>) -> String {
        if let Some(read) = self.read_or_null(wire, into) {
            return read;
        }
        if self.api.is_raw(wire) {
            return format!("reader.Raw<{}>()", self.raw_arguments(wire));
        }
        let into = into.map(|into| format!(", {into}")).unwrap_or_default();
        match wire {
            Wire::Text(_) => "reader.Text()".into(),
            Wire::Uri => "reader.Uri(reader.Text())".into(),
            Wire::Builder => "new global::System.Text.StringBuilder(reader.Text())".into(),
            Wire::Version | Wire::BitArray | Wire::BigInteger => format!("reader.{wire:?}()"),
            Wire::BitPack => "reader.Bits()".into(),
            Wire::Brotli(of) if is_text(of) => "reader.BrotliText()".into(),
            Wire::Brotli(_) => "reader.Brotli()".into(),
            Wire::Named(id) => match &self.api.packed(*id).body {
                PackedBody::Object(object) if object.value => {
                    format!("{}.__Read(ref reader)", self.name(*id))
                }
                _ => {
                    let into = if into.is_empty() { ", null" } else { &into };
                    format!("({}.__Read(ref reader{into}) ?? throw reader.Null())", self.name(*id))
                }
            },
            Wire::List { of, kind } if is_array(*kind) && self.api.is_raw(of) => {
                let into = into.trim_start_matches(", ");
                format!("reader.Array<{}>({into})", self.raw_arguments(of))
            }
            Wire::List { kind, .. } if is_array(*kind) => self.part("Read", wire, &into),
            _ => self.part("Read", wire, ""),
        }
    }

    /// The same for a value that may be null.
    fn read_or_null(&self, wire: &Wire, into: Option<&str>) -> Option<String> {
        let Wire::Optional(of) = wire else { return None };
        if self.api.is_raw(wire) {
            return None;
        }
        let given = into.map(|into| format!(", {into}")).unwrap_or_default();
        Some(match &**of {
            Wire::Text(_) => "reader.TextOrNull()".into(),
            Wire::Version => "reader.VersionOrNull()".into(),
            Wire::BitArray => "reader.BitArrayOrNull()".into(),
            Wire::BitPack => "reader.BitsOrNull()".into(),
            Wire::Brotli(of) if is_text(of) => "reader.BrotliTextOrNull()".into(),
            Wire::Brotli(_) => "reader.BrotliOrNull()".into(),
            Wire::Named(id) if !self.is_value(of) => {
                let into = if given.is_empty() { ", null" } else { &given };
                format!("{}.__Read(ref reader{into})", self.name(*id))
            }
            Wire::List { of, kind } if is_array(*kind) && self.api.is_raw(of) => {
                format!("reader.ArrayOrNull<{}>({})", self.raw_arguments(of), given.trim_start_matches(", "))
            }
            Wire::List { kind, .. } if is_array(*kind) => self.part("Read", wire, &given),
            _ => self.part("Read", wire, ""),
        })
    }

    /// A call of a part.
    pub fn part(&self, verb: &str, wire: &Wire, given: &str) -> String {
        let name = self.parts.borrow_mut().name(self.api, wire);
        let by = if verb == "Read" { "reader" } else { "writer" };
        format!("{}.{verb}{name}(ref {by}{given})", self.parts_class())
    }

    /// The type arguments of the copying method: the type, and its shape unless that is plain.
    pub fn raw_arguments(&self, wire: &Wire) -> String {
        let ty = self.ty(wire);
        match self.shape(wire) {
            Some(shape) => format!("{ty}, {shape}"),
            None => ty,
        }
    }
}

/// Whether a list is shown as an array.
pub(super) fn is_array(kind: ListKind) -> bool {
    matches!(kind, ListKind::List | ListKind::PriorityQueue | ListKind::Lookup)
}
