//! Values as text, by their type, both ways.

use crate::arguments::Form;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::fmt::Write;
use upcall_flow::ValueType;

/// How the values of a pool are printed; `None` when its type does not say.
pub(crate) fn form(value: &ValueType, asked: Option<Form>) -> Option<Printed> {
    match value {
        ValueType::Bytes | ValueType::Blittable { .. } | ValueType::Packed { .. } => asked.map(Printed::Form),
        typed => Some(Printed::Type(typed.clone())),
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Printed {
    /// Text that has no line breaks and its own way to say them.
    Json,
    Type(ValueType),
    Form(Form),
}

impl Printed {
    /// A value as text, on one line; an error says what is wrong with it.
    pub(crate) fn print(&self, value: &[u8]) -> Result<String, String> {
        match self {
            Printed::Json => Ok(String::from_utf8_lossy(value).into_owned()),
            Printed::Type(ValueType::Text) | Printed::Form(Form::Text) => {
                let text = std::str::from_utf8(value).map_err(|_| "is not UTF-8".to_owned())?;
                Ok(line(text))
            }
            Printed::Type(typed) => number(typed, value),
            Printed::Form(Form::U64) => number(&ValueType::U64, value),
            Printed::Form(Form::Base64) => Ok(BASE64_STANDARD.encode(value)),
            Printed::Form(Form::Hex) => Ok(value.iter().fold(String::new(), |mut text, byte| {
                let _ = write!(text, "{byte:02x}");
                text
            })),
        }
    }
}

/// Text without what would break a line or a column.
pub(crate) fn line(text: &str) -> String {
    if !text.contains(['\\', '\t', '\n', '\r']) {
        return text.to_owned();
    }
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

macro_rules! numbers {
    ($($variant:ident $type:ident),+) => {
        fn number(typed: &ValueType, value: &[u8]) -> Result<String, String> {
            let sized = || format!("has {} bytes, which is not a {typed}", value.len());
            match typed {
                $(ValueType::$variant => {
                    value.try_into().map(|bytes| $type::from_le_bytes(bytes).to_string()).map_err(|_| sized())
                })+
                other => Err(format!("has the type {other}, which is not a number")),
            }
        }
    };
}
numbers!(U8 u8, U16 u16, U32 u32, U64 u64, I8 i8, I16 i16, I32 i32, I64 i64, F32 f32, F64 f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_printed_by_the_pools_type_or_as_asked() {
        let print = |value, asked, bytes: &[u8]| form(value, asked).map(|form| form.print(bytes));
        let text = |text: &str| Some(Ok(text.to_owned()));
        assert_eq!(print(&ValueType::U64, None, &[1, 1, 0, 0, 0, 0, 0, 0]), text("257"));
        assert_eq!(print(&ValueType::I16, Some(Form::Hex), &[0xff, 0xff]), text("-1"));
        assert_eq!(print(&ValueType::F32, None, &1.5f32.to_le_bytes()), text("1.5"));
        assert_eq!(print(&ValueType::Text, None, b"a\tb\\c\n"), text("a\\tb\\\\c\\n"));
        assert_eq!(print(&ValueType::Bytes, None, b"x"), None);
        assert_eq!(print(&ValueType::Bytes, Some(Form::Hex), &[0, 0xab]), text("00ab"));
        assert_eq!(print(&ValueType::Bytes, Some(Form::Base64), b"ab"), text("YWI="));
        assert_eq!(print(&ValueType::Bytes, Some(Form::U64), &7u64.to_le_bytes()), text("7"));
        assert_eq!(
            print(&ValueType::Bytes, Some(Form::U64), b"7"),
            Some(Err("has 1 bytes, which is not a u64".into()))
        );
        assert_eq!(print(&ValueType::Bytes, Some(Form::Text), &[0xff]), Some(Err("is not UTF-8".into())));
    }
}
