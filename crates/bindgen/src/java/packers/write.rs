//! Statements that write, to a variable `w`.

use super::Packers;
use super::read::known_method;
use super::types::method;
use crate::model::{Encoding, Float, Int, PackedBody, Wire};

impl Packers<'_> {
    /// The statement that writes `value`, an expression.
    pub fn write(&self, wire: &Wire, value: &str) -> String {
        let (of, null) = match wire {
            Wire::Optional(of) if !self.api.is_raw(wire) => (&**of, true),
            other => (other, false),
        };
        let present = if null { value.to_owned() } else { format!("w.present({value})") };
        match of {
            Wire::Text(Encoding::Chosen) | Wire::Uri => return format!("w.text({present});"),
            Wire::Text(encoding) => {
                return format!(
                    "w.text({present}, PackOptions.Text.{});",
                    format!("{encoding:?}").to_uppercase()
                );
            }
            Wire::Builder => return format!("w.text({present}, PackOptions.Text.UTF16);"),
            Wire::Named(id) if self.is_class(*id) => {
                return format!("{}.write(w, {present});", self.name(*id));
            }
            _ if null => return format!("{};", self.part("write", wire, &format!("w, {value}"))),
            _ => {}
        }
        match of {
            Wire::Optional(_) => format!("{};", self.part("write", wire, &format!("w, {value}"))),
            Wire::Bool => format!("w.bool({value});"),
            Wire::Int(int @ (Int::I128 | Int::U128)) => format!("w.i128({value}, {});", *int == Int::I128),
            Wire::Int(int) => format!("w.{}({value});", method(*int)),
            Wire::Float(Float::F32) => format!("w.f32({value});"),
            Wire::Float(Float::F64) => format!("w.f64({value});"),
            Wire::Rune => format!("w.rune({value});"),
            Wire::Char => format!("w.unit({value});"),
            Wire::Known(known) => format!("w.{}({value});", known_method(*known)),
            Wire::Version => format!("w.version({present});"),
            Wire::BitArray => format!("w.bitArray({present});"),
            Wire::BitPack => format!("w.bits({present});"),
            Wire::BigInteger => format!("w.bigInteger({value});"),
            Wire::Brotli(of) => self.write(of, value),
            Wire::Named(id) => match &self.api.packed(*id).body {
                PackedBody::Enum { of, .. } => format!("w.{}({present}.value());", method(of.repr)),
                _ => format!("{}.write(w, {present});", self.name(*id)),
            },
            _ => format!("{};", self.part("write", wire, &format!("w, {present}"))),
        }
    }
}
