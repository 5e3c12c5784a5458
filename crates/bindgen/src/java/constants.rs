//! Constants, and variables of the library.

use super::jni::CALLS;
use super::lines::{Docs, Lines, literal};
use super::names;
use super::number::number_literal;
use super::scalar::Carrier;
use super::surface::{Java, Kind};
use crate::Diagnostics;
use crate::model::{Constant, Static, Value};

/// The most bytes of text that a class file holds as one constant.
const LONGEST: usize = 65_535;

impl<'a> Java<'a> {
    pub fn write_constant(&self, constant: &'a Constant, lines: &mut Lines, diagnostics: &mut Diagnostics) {
        let name = names::kept_name(self.stripped(&constant.name));
        let kind = self.kind(&constant.ty);
        let carrier = match kind {
            Kind::Scalar(scalar) => Some(scalar),
            _ => None,
        };
        let text = |text: &str| (bytes_of(text) <= LONGEST).then(|| ("String".to_owned(), literal(text)));
        let found = match (&constant.value, carrier) {
            (Value::Int(value), Some(scalar)) if scalar.carrier != Carrier::Address => {
                Some((scalar.java().to_owned(), number_literal(scalar, *value)))
            }
            (Value::Int(value), Some(_)) => {
                Some(("MemorySegment".into(), format!("MemorySegment.ofAddress({}L)", *value as i64)))
            }
            (Value::Int(value), None) => Some(("Int128".into(), wide(*value as u128))),
            (Value::Big(value), _) => Some(("Int128".into(), wide(*value))),
            (Value::Float(value), Some(scalar)) if scalar.carrier == Carrier::Float => {
                Some(("float".into(), float(*value as f32, "Float", "f")))
            }
            (Value::Float(value), _) => Some(("double".into(), float(*value, "Double", ""))),
            (Value::Bool(value), _) => Some(("boolean".into(), value.to_string())),
            (Value::Char(value), _) => Some(("int".into(), format!("0x{:x}", *value as u32))),
            (Value::Str(value), _) => text(value),
            (Value::CStr(bytes), _) => match std::str::from_utf8(bytes) {
                Ok(value) => text(value),
                Err(_) => return self.write_bytes(constant, &name, bytes, lines),
            },
        };
        let Some((ty, value)) = found else {
            let message = format!("the text of `{}` is too long for a Java constant", constant.name);
            return diagnostics.unsupported(&constant.place, message, "return it from a function");
        };
        lines.blank();
        let mut docs = Docs::new(&constant.docs, None);
        if let Kind::Scalar(scalar) = kind
            && let Some(note) = super::call::number_note(scalar, &constant.ty)
        {
            docs = docs.note(format!("It is {note}."));
        }
        lines.docs(&docs);
        lines.line(format!("public static final {ty} {name} = {value};"));
    }

    /// Text that is not UTF-8 becomes a method, as an array would not be constant.
    fn write_bytes(&self, constant: &Constant, name: &str, bytes: &[u8], lines: &mut Lines) {
        let bytes: Vec<String> = bytes.iter().map(|byte| (*byte as i8).to_string()).collect();
        lines.blank();
        lines.docs(&Docs::new(&constant.docs, None).note("Bytes that are not UTF-8, in a new array."));
        lines.open(format!("public static byte[] {name}()"));
        lines.line(format!("return new byte[] {{{}}};", bytes.join(", ")));
        lines.close();
    }

    pub fn write_static(&self, item: &'a Static, lines: &mut Lines) {
        let name = names::kept_name(&item.name);
        let write = if item.mutable { "It may be written." } else { "It must not be written." };
        lines.blank();
        lines.docs(&Docs::new(&item.docs, None).note(format!("The variable's memory. {write}")));
        lines.open(format!("public static MemorySegment {name}()"));
        lines.line(format!("return Static_{}.MEMORY;", item.name));
        lines.close();
        lines.blank();
        lines.open(format!("private static final class Static_{}", item.name));
        let read_only = if item.mutable { "" } else { ".asReadOnly()" };
        let size = self.size(&item.ty);
        let variable = match self.jni() {
            true => format!("MemorySegment.ofAddress({CALLS}.static_{}()).reinterpret({size}L)", item.name),
            false => format!("Native.variable({}, {size}L)", literal(&item.symbol)),
        };
        lines.line(format!("static final MemorySegment MEMORY = {variable}{read_only};"));
        lines.close();
    }
}

/// Bytes of text in a class file, where each surrogate takes three bytes.
fn bytes_of(text: &str) -> usize {
    let bytes = |unit: u16| match unit {
        1..0x80 => 1,
        0 | 0x80..0x800 => 2,
        _ => 3,
    };
    text.encode_utf16().map(bytes).sum()
}

fn wide(value: u128) -> String {
    format!("new Int128(0x{:x}L, 0x{:x}L)", (value >> 64) as u64, value as u64)
}

fn float<T: Into<f64> + std::fmt::Debug + Copy>(value: T, class: &str, suffix: &str) -> String {
    let wide: f64 = value.into();
    match wide {
        _ if wide.is_nan() => format!("{class}.NaN"),
        f64::INFINITY => format!("{class}.POSITIVE_INFINITY"),
        f64::NEG_INFINITY => format!("{class}.NEGATIVE_INFINITY"),
        _ => format!("{value:?}{suffix}"),
    }
}

#[cfg(test)]
mod tests {
    use super::bytes_of;

    #[test]
    fn text_is_as_long_as_in_a_class_file() {
        assert_eq!(["a", "\0", "é", "€", "😀"].map(bytes_of), [1, 2, 2, 3, 6]);
    }
}
