use super::cx::Cx;
use super::names::escaped;
use super::options::fits;
use super::text::{Text, quoted};
use crate::Diagnostics;
use crate::model::{Api, Body, Constant, Float, Int, Static, Ty, Value};
use std::fmt::Write as _;

/// Writes one constant.
pub(super) fn constant(cx: &Cx, constant: &Constant, text: &mut Text, diagnostics: &mut Diagnostics) {
    if !fits(&cx.options.constants, &constant.name) {
        return;
    }
    let Some(declaration) = declaration(cx, constant) else {
        let message = format!("the constant `{}` has a value that its type does not have", constant.name);
        diagnostics.unsupported(&constant.place, message, "");
        return;
    };
    text.docs(&constant.docs);
    text.line(format!("{} {declaration}", cx.options.accessibility));
}

fn declaration(cx: &Cx, constant: &Constant) -> Option<String> {
    let name = escaped(&constant.name);
    let api: &Api = cx.api;
    let ty = api.resolve(&constant.ty);
    Some(match (&constant.value, ty) {
        (Value::Bool(value), _) => format!("const bool {name} = {value};"),
        (Value::Char(value), _) if cx.options.utf16_constants && value.len_utf16() == 1 => {
            format!("const char {name} = '\\u{:04x}';", u32::from(*value))
        }
        (Value::Char(value), _) => format!("const uint {name} = {:#x}; // {value:?}", u32::from(*value)),
        (Value::Str(value), _) if cx.options.utf16_constants => {
            format!("const string {name} = {};", quoted(value))
        }
        (Value::Str(value), _) if cx.options.language >= 11 => {
            format!("static ReadOnlySpan<byte> {name} => {}u8;", quoted(value))
        }
        (Value::Str(value), _) => bytes(&name, value.as_bytes()),
        (Value::CStr(value), _) => bytes(&name, value),
        (Value::Float(value), ty) => {
            let double = *ty != Ty::Float(Float::F32);
            format!("const {} {name} = {};", if double { "double" } else { "float" }, float(*value, double))
        }
        (Value::Int(value), Ty::Named(id)) => match &api.get(*id).body {
            Body::Enum(_) | Body::Flags(_) => {
                format!("const {0} {name} = ({0})({value});", cx.name(*id))
            }
            _ => return None,
        },
        (Value::Int(value), Ty::Int(Int::I128)) => wide("Int128", &name, *value as u128),
        (Value::Int(value), Ty::Int(Int::U128)) => wide("UInt128", &name, *value as u128),
        (Value::Big(value), _) => wide("UInt128", &name, *value),
        (Value::Int(value), Ty::Int(int)) => format!("const {} {name} = {value};", cx.plain_int(*int)),
        (Value::Int(_), _) => return None,
    })
}

fn bytes(name: &str, bytes: &[u8]) -> String {
    let list: Vec<String> = bytes.iter().map(u8::to_string).collect();
    format!("static ReadOnlySpan<byte> {name} => new byte[] {{ {} }};", list.join(", "))
}

fn wide(ty: &str, name: &str, value: u128) -> String {
    format!("static {ty} {name} => new({:#x}, {:#x});", (value >> 64) as u64, value as u64)
}

/// The shortest text that reads back as the same number.
fn float(value: f64, double: bool) -> String {
    let ty = if double { "double" } else { "float" };
    if value.is_nan() {
        return format!("{ty}.NaN");
    }
    if value.is_infinite() {
        return format!("{ty}.{}Infinity", if value > 0.0 { "Positive" } else { "Negative" });
    }
    if double { format!("{value:?}") } else { format!("{:?}f", value as f32) }
}

/// Writes one static: a reference to the library's variable.
pub(super) fn variable(cx: &Cx, variable: &Static, text: &mut Text) {
    let (access, name) = (&cx.options.accessibility, escaped(&variable.name));
    text.blank();
    text.docs(&variable.docs);
    if let Ty::Array { .. } = cx.api.resolve(&variable.ty) {
        let ty = cx.ty(&variable.ty);
        text.line(format!("{access} static {ty} {name} => ({ty})__Symbol(\"{}\");", variable.symbol));
        return;
    }
    let ty = cx.blittable(&variable.ty);
    let reference = if variable.mutable { "ref" } else { "ref readonly" };
    text.line(format!(
        "{access} static {reference} {ty} {name} => ref *({ty}*)__Symbol(\"{}\");",
        variable.symbol
    ));
}

/// Writes how statics find the library.
pub(super) fn finder(cx: &Cx, text: &mut Text) {
    let class = &cx.options.class;
    text.blank();
    text.docs(
        "The library's handle for its variables. Set it first when a resolver decides where the library is.",
    );
    let mut lines = String::new();
    let _ = write!(
        lines,
        "{} static nint __Library\n{{\n    \
         get => __library != 0 ? __library : __library = NativeLibrary.Load(__DllName, typeof({class}).Assembly, null);\n    \
         set => __library = value;\n}}\n\nprivate static nint __library;\n\n\
         private static void* __Symbol(string name) => (void*)NativeLibrary.GetExport(__Library, name);",
        cx.options.accessibility
    );
    text.line(lines);
}
