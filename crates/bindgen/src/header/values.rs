//! Constants as C writes them.

use super::writer::Writer;
use crate::model::{Api, Constant, Float, Int, Ty, Value};

impl Writer<'_> {
    pub fn constant(&mut self, constant: &Constant) {
        let name = super::names::escape(&constant.name);
        let what = format!("the constant `{}`", constant.name);
        if !self.scope.take(&name, what, &constant.place, self.diagnostics) {
            return;
        }
        let text = match (&constant.value, self.api.resolve(&constant.ty)) {
            (Value::Int(value), Ty::Int(int)) => number(*value, *int, self.api),
            (Value::Int(value), ty) => {
                let address = matches!(ty, Ty::Pointer(_));
                let int = self.api.integer(ty).unwrap_or(if address { Int::Usize } else { Int::I64 });
                let own = self.speller().declare(&constant.ty, "");
                format!("(({own}){})", number(*value, int, self.api))
            }
            (Value::Big(value), _) => wide("upcall_uint128", *value),
            (Value::Float(value), ty) => float(*value, *ty == Ty::Float(Float::F32)),
            (Value::Bool(value), _) => value.to_string(),
            (Value::Char(value), _) => format!("UINT32_C(0x{:x})", u32::from(*value)),
            (Value::Str(value), _) => quoted(value.as_bytes()),
            (Value::CStr(value), _) => quoted(value),
        };
        self.text.push('\n');
        self.docs(&constant.docs, "");
        self.line(&format!("#define {name} {text}"));
    }
}

/// A number of an integer type, usable in `#if` where its type allows.
pub fn number(value: i128, int: Int, api: &Api) -> String {
    let bits = api.int_size(int) * 8;
    let signed = api.is_signed(int);
    if bits == 128 {
        return wide(if signed { "upcall_int128" } else { "upcall_uint128" }, value as u128);
    }
    match (signed, value) {
        // The smallest number has no literal: it would be the negative of one that is too large.
        (true, value) if bits == 64 && value == i128::from(i64::MIN) => {
            format!("(-INT64_C({}) - 1)", i64::MAX)
        }
        (true, value) if bits == 32 && value == i128::from(i32::MIN) => {
            format!("(-INT32_C({}) - 1)", i32::MAX)
        }
        (true, value) if value < 0 => format!("(-INT{bits}_C({}))", -value),
        (true, value) => format!("INT{bits}_C({value})"),
        (false, value) => format!("UINT{bits}_C({value})"),
    }
}

fn wide(ty: &str, value: u128) -> String {
    let (high, low) = ((value >> 64) as u64, value as u64);
    format!("(({ty})(((upcall_uint128)UINT64_C({high}) << 64) | UINT64_C({low})))")
}

fn float(value: f64, single: bool) -> String {
    let suffix = if single { "f" } else { "" };
    if value.is_nan() {
        return format!("(0.0{suffix} / 0.0{suffix})");
    }
    if value.is_infinite() {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("({sign}1.0{suffix} / 0.0{suffix})");
    }
    let text = if single { format!("{:?}f", value as f32) } else { format!("{value:?}") };
    if value.is_sign_negative() { format!("({text})") } else { text }
}

/// Bytes as a string literal.
pub fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for byte in bytes {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(*byte)]),
            b'\n' => text.push_str("\\n"),
            // Three digits, so that a following digit stays a character of its own. No trigraphs.
            b'?' | 0..=31 | 127.. => text += &format!("\\{byte:03o}"),
            byte => text.push(char::from(*byte)),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_are_written_as_c_can_read_them() {
        let api = Api::default();
        assert_eq!(number(i64::MIN.into(), Int::Long, &api), "(-INT64_C(9223372036854775807) - 1)");
        assert_eq!(number(-1, Int::I8, &api), "(-INT8_C(1))");
        assert_eq!(number(u64::MAX.into(), Int::Usize, &api), "UINT64_C(18446744073709551615)");
        assert_eq!(float(-0.0, false), "(-0.0)");
        assert_eq!(float(f64::from(0.1f32), true), "0.1f");
        assert_eq!(float(f64::NEG_INFINITY, true), "(-1.0f / 0.0f)");
        assert_eq!(quoted(b"a\"\x001?\xff"), "\"a\\\"\\0001\\077\\377\"");
    }
}
