//! Statements that write, to a variable `writer`.

use super::Packers;
use super::read::is_array;
use super::types::is_text;
use crate::model::{Encoding, PackedBody, Wire};

impl Packers<'_> {
    /// The statement that writes `value`, an expression.
    pub fn write(&self, wire: &Wire, value: &str) -> String {
        if self.api.is_raw(wire) {
            return match self.shape(wire) {
                Some(shape) if *wire != Wire::Bool && !self.is_plain_number(wire) => {
                    format!("writer.Raw<{}, {shape}>({value});", self.ty(wire))
                }
                _ => format!("writer.Raw<{}>({value});", self.ty(wire)),
            };
        }
        let (of, null) = match wire {
            Wire::Optional(of) => (&**of, "OrNull"),
            other => (other, ""),
        };
        let given = format!(", {value}");
        match of {
            Wire::Text(Encoding::Chosen) => format!("writer.Text{null}({value});"),
            Wire::Text(encoding) => format!("writer.Text{null}({value}, PackText.{encoding:?});"),
            Wire::Uri if null.is_empty() => format!("writer.Text(writer.Present({value}).OriginalString);"),
            Wire::Uri => format!("writer.TextOrNull({value}?.OriginalString);"),
            Wire::Builder if null.is_empty() => {
                format!("writer.Text(writer.Present({value}).ToString(), PackText.Utf16);")
            }
            Wire::Builder => format!("writer.TextOrNull({value}?.ToString(), PackText.Utf16);"),
            Wire::List { of, kind } if is_array(*kind) && self.api.is_raw(of) => {
                format!("writer.Array{null}<{}>({value});", self.raw_arguments(of))
            }
            Wire::Named(id) if !self.is_value(of) => {
                let value =
                    if null.is_empty() { format!("writer.Present({value})") } else { value.to_owned() };
                format!("{}.__Write(ref writer, {value});", self.name(*id))
            }
            Wire::Named(id) if null.is_empty() => format!("{}.__Write(ref writer, {value});", self.name(*id)),
            Wire::BigInteger if null.is_empty() => format!("writer.BigInteger({value});"),
            Wire::Version | Wire::BitArray if null.is_empty() => {
                format!("writer.{of:?}(writer.Present({value}));")
            }
            Wire::BitPack if null.is_empty() => format!("writer.Bits(writer.Present({value}));"),
            Wire::Brotli(of) if null.is_empty() && (is_text(of) || **of != Wire::Bool) => {
                format!("writer.Brotli(writer.Present({value}));")
            }
            _ => format!("{};", self.part("Write", wire, &given)),
        }
    }

    /// Whether a value has no bytes between its parts, so that its shape matters to readers only.
    fn is_plain_number(&self, wire: &Wire) -> bool {
        match wire {
            Wire::Named(id) => matches!(self.api.packed(*id).body, PackedBody::Enum { .. }),
            Wire::Rune => true,
            _ => false,
        }
    }
}
