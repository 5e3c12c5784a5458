use super::cx::Cx;
use super::names::{beside, escaped, member, scope};
use super::text::{Text, quoted};
use crate::Diagnostics;
use crate::glob::fits;
use crate::model::{Api, Body, Constant, Float, Int, Static, Ty, TypeId, Value};
use std::fmt::Write as _;
use upcall_packers::Scope;

/// Where a constant is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home<'a> {
    /// In the class of the functions.
    Class,
    /// In a class named after this module.
    Module(&'a str),
    /// In the type it belongs to.
    Type(TypeId),
}

impl Home<'_> {
    /// Where `constant` is written.
    pub fn of<'a>(cx: &Cx, constant: &'a Constant) -> Home<'a> {
        let [.., home, _] = &constant.path[..] else { return Home::Class };
        if !cx.options.dotnet_names {
            return Home::Class;
        }
        let Some(index) = cx.api.types.iter().position(|declared| declared.name == *home) else {
            return Home::Module(home);
        };
        match cx.api.types[index].body {
            Body::Struct(_) | Body::Union(_) => Home::Type(TypeId(index as u32)),
            _ => Home::Class,
        }
    }
}

/// The constants written there.
fn at<'a>(cx: &Cx<'a>, home: Home<'a>) -> Vec<&'a Constant> {
    let wanted = |constant: &&Constant| fits(&cx.options.constants, &constant.name);
    cx.api.constants.iter().filter(wanted).filter(|constant| Home::of(cx, constant) == home).collect()
}

/// Whether the class of the functions has constants.
pub(super) fn any(cx: &Cx) -> bool {
    !at(cx, Home::Class).is_empty()
}

/// Whether one is an address, which stands for a function or for memory.
pub(super) fn any_address(cx: &Cx) -> bool {
    let address = |constant: &Constant| matches!(cx.api.resolve(&constant.ty), Ty::Pointer(_));
    cx.api.constants.iter().any(|constant| matches!(constant.value, Value::Int(_)) && address(constant))
}

/// Writes the constants of the functions' class.
pub(super) fn of_class(cx: &Cx, scope: &mut Scope, text: &mut Text, diagnostics: &mut Diagnostics) {
    for constant in at(cx, Home::Class) {
        write(cx, constant, scope, text, diagnostics);
    }
}

/// Writes a type's.
pub(super) fn of_type(
    cx: &Cx,
    id: TypeId,
    scope: &mut Scope,
    text: &mut Text,
    diagnostics: &mut Diagnostics,
) {
    for constant in at(cx, Home::Type(id)) {
        text.blank();
        write(cx, constant, scope, text, diagnostics);
    }
}

/// Writes a class for each module that has constants.
pub(super) fn of_modules(cx: &Cx, text: &mut Text, diagnostics: &mut Diagnostics) {
    let mut types = cx.type_scope(&mut Diagnostics::default());
    let mut seen = Vec::new();
    for constant in &cx.api.constants {
        let home = Home::of(cx, constant);
        let Home::Module(module) = home else { continue };
        let all = at(cx, home);
        if seen.contains(&module) || all.is_empty() {
            continue;
        }
        seen.push(module);
        let class = module_class(module, &types);
        if !types.take(&class, format!("the module `{module}`"), &constant.place, diagnostics) {
            continue;
        }
        text.blank();
        text.docs(&format!("The constants of the module {module}."));
        text.open(format!("{} static class {class}", cx.options.accessibility));
        let mut scope = scope();
        for constant in all {
            write(cx, constant, &mut scope, text, diagnostics);
        }
        text.close();
    }
}

/// A module's class: called as the module, unless a type is.
fn module_class(module: &str, types: &Scope) -> String {
    let name = member(module);
    if types.has(&name) { format!("{name}Constants") } else { name }
}

/// The name of a constant where it is written. No member can have its class's name.
fn name(cx: &Cx, constant: &Constant, scope: &Scope) -> String {
    let home = Home::of(cx, constant);
    let own = match (home, constant.path.last()) {
        (Home::Module(_) | Home::Type(_), Some(own)) => own,
        _ => &constant.name,
    };
    let class = match home {
        Home::Class => cx.options.class.clone(),
        Home::Module(module) => member(module),
        Home::Type(id) => cx.name(id).to_owned(),
    };
    beside(cx.member(own, escaped, scope), &class)
}

/// Writes one constant.
fn write(cx: &Cx, constant: &Constant, scope: &mut Scope, text: &mut Text, diagnostics: &mut Diagnostics) {
    let source = if constant.path.is_empty() { constant.name.clone() } else { constant.path.join("::") };
    let name = name(cx, constant, scope);
    if !scope.declare(&name, &source, &constant.place, diagnostics) {
        return;
    }
    let Some(declaration) = declaration(cx, constant, &name) else {
        let message = format!("the constant `{}` has a value outside its type", constant.name);
        diagnostics.unsupported(&constant.place, message, "");
        return;
    };
    text.docs(&constant.docs);
    let access = &cx.options.accessibility;
    text.line(format!("{access} {declaration}"));
    if let Some((utf8, bytes)) = utf8(cx, constant, &name)
        && scope.declare(&utf8, &source, &constant.place, diagnostics)
    {
        text.docs(&format!("{} as UTF-8.", name.trim_start_matches('@')));
        text.line(format!("{access} {bytes}"));
    }
}

/// The UTF-8 bytes of a text, which stand beside its string.
fn utf8(cx: &Cx, constant: &Constant, name: &str) -> Option<(String, String)> {
    let value = text_of(&constant.value).filter(|_| !cx.options.utf16_constants)?;
    let suffix = if cx.options.dotnet_names { "Utf8" } else { "_UTF8" };
    let name = format!("{}{suffix}", name.trim_start_matches('@'));
    let declaration = match cx.options.language {
        11.. => format!("static ReadOnlySpan<byte> {name} => {}u8;", quoted(value)),
        _ => bytes(&name, value.as_bytes()),
    };
    Some((name, declaration))
}

/// A text, if it is one.
fn text_of(value: &Value) -> Option<&str> {
    match value {
        Value::Str(text) => Some(text),
        Value::CStr(bytes) => std::str::from_utf8(bytes).ok(),
        _ => None,
    }
}

fn declaration(cx: &Cx, constant: &Constant, name: &str) -> Option<String> {
    let api: &Api = cx.api;
    let ty = api.resolve(&constant.ty);
    Some(match (&constant.value, ty) {
        (Value::Bool(value), _) => format!("const bool {name} = {value};"),
        (Value::Char(value), _) if cx.options.utf16_constants && value.len_utf16() == 1 => {
            format!("const char {name} = '\\u{:04x}';", u32::from(*value))
        }
        (Value::Char(value), _) => format!("const uint {name} = {:#x}; // {value:?}", u32::from(*value)),
        (Value::Str(text), _) => format!("const string {name} = {};", quoted(text)),
        (Value::CStr(value), _) => match text_of(&constant.value) {
            Some(text) => format!("const string {name} = {};", quoted(text)),
            None => bytes(name, value),
        },
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
        (Value::Int(value), Ty::Int(Int::I128)) => wide("Int128", name, *value as u128),
        (Value::Int(value), Ty::Int(Int::U128)) => wide("UInt128", name, *value as u128),
        (Value::Big(value), _) => wide("UInt128", name, *value),
        (Value::Int(value), Ty::Int(int)) => {
            // A byte, whatever the sign of the target's `char`.
            let value = if *int == Int::CChar { value & 0xff } else { *value };
            format!("const {} {name} = {value};", cx.plain_int(*int))
        }
        (Value::Int(value), Ty::Pointer(_)) => {
            format!("static void* {name} => (void*)unchecked(({}){value:#x});", cx.int(Int::Isize))
        }
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
pub(super) fn variable(cx: &Cx, variable: &Static, name: &str, text: &mut Text) {
    let access = &cx.options.accessibility;
    text.blank();
    text.docs(&variable.docs);
    let symbol = quoted(&variable.symbol);
    if let Ty::Array { .. } = cx.api.resolve(&variable.ty) {
        let ty = cx.ty(&variable.ty);
        text.line(format!("{access} static {ty} {name} => ({ty})__Symbol({symbol});"));
        return;
    }
    let ty = cx.blittable(&variable.ty);
    let reference = if variable.mutable { "ref" } else { "ref readonly" };
    text.line(format!("{access} static {reference} {ty} {name} => ref *({ty}*)__Symbol({symbol});"));
}

/// Writes how statics find the library.
pub(super) fn finder(cx: &Cx, text: &mut Text) {
    let class = &cx.options.class;
    let named = if cx.options.has_variable() { "__Named.File ?? " } else { "" };
    text.blank();
    text.docs(
        "The library's handle for its variables. Set it first when a resolver decides where the library is.",
    );
    let mut lines = String::new();
    let _ = write!(
        lines,
        "{} static nint __Library\n{{\n    \
         get => __library != 0 ? __library : __library = NativeLibrary.Load({named}__DllName, typeof({class}).Assembly, null);\n    \
         set => __library = value;\n}}\n\nprivate static nint __library;\n\n\
         private static void* __Symbol(string name) => (void*)NativeLibrary.GetExport(__Library, name);",
        cx.options.accessibility
    );
    text.line(lines);
}
