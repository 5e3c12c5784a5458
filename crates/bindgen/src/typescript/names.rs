//! Names in JavaScript and TypeScript.

use super::Options;
use super::kind::is_record;
use crate::Diagnostics;
use crate::model::{Api, Body, Field, Function, Param, Place};
use heck::ToLowerCamelCase;
use std::collections::HashSet;
use upcall_packers::Scope;

const KEYWORDS: &[&str] = &[
    "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default",
    "delete", "do", "else", "enum", "eval", "export", "extends", "false", "finally", "for", "function", "if",
    "implements", "import", "in", "instanceof", "interface", "let", "new", "null", "package", "private",
    "protected", "public", "return", "static", "super", "switch", "this", "throw", "true", "try", "typeof",
    "undefined", "var", "void", "while", "with", "yield",
];

/// Names that every generated module defines, or uses from its surroundings.
const OURS: &[&str] = &[
    "$", "native", "addressOf", "bytesAt", "statics", "textAt", "textsAt", "AnyMemory", "ByteArray", "CText",
    "Callable", "Callback", "NativeArray", "NativeError", "Out", "OwnedBuffer", "View", "Pointer",
    "PointerTo", "Symbol", "Error", "Iterable", "ArrayLike", "ArrayBuffer", "ArrayBufferView", "Int8Array",
    "Uint8Array", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array", "BigInt64Array",
    "BigUint64Array", "Float32Array", "Float64Array", "any", "bigint", "boolean", "never", "number",
    "object", "string", "symbol", "unknown", "readonly", "keyof", "unique", "infer", "asserts", "abstract",
    "__esModule", "then", "require", "exports", "module", "Object", "Iterator", "Reflect", "TypeError",
    "NaN", "Infinity",
];

/// A name at the top of the module.
pub(super) fn global(name: &str) -> String {
    match name {
        _ if OURS.contains(&name) => format!("{name}_"),
        _ => ident(name),
    }
}

/// A name anywhere: a keyword gets a trailing underscore, an index a leading one.
pub(super) fn ident(name: &str) -> String {
    match name {
        _ if KEYWORDS.contains(&name) => format!("{name}_"),
        _ if name.starts_with(|first: char| first.is_ascii_digit()) => format!("_{name}"),
        _ => name.to_owned(),
    }
}

/// A name as the key of an object's literal, where one name alone would mean something else.
pub(super) fn key(name: &str) -> &str {
    if name == "__proto__" { "[\"__proto__\"]" } else { name }
}

/// A field's name. Those that every view has, or that every object has with another type, are escaped.
pub(super) fn member(options: &Options, name: &str) -> String {
    let name = variant(&cased(options.camel_case, name));
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// The same of a variant, whose case stays.
pub(super) fn variant(name: &str) -> String {
    match name {
        "_r" | "_o" | "tag" => format!("{name}_"),
        "__proto__"
        | "constructor"
        | "hasOwnProperty"
        | "isPrototypeOf"
        | "propertyIsEnumerable"
        | "toLocaleString"
        | "toString"
        | "valueOf" => format!("{name}_"),
        _ => name.to_owned(),
    }
}

/// A handle's member.
pub(super) fn method(options: &Options, name: &str) -> String {
    let name = cased(options.camel_case, name);
    match name.as_str() {
        "constructor" | "release" | "released" | "from" | "_address" | "_hold" | "_leave" | "prototype"
        | "name" | "length" => format!("{name}_"),
        _ => name,
    }
}

pub(super) fn function(options: &Options, function: &Function) -> String {
    global(&cased(options.camel_case, &function.name))
}

/// The names at the top of a module, which its functions' bodies may use.
pub(super) struct Top(HashSet<String>);

impl Top {
    pub fn new(api: &Api, options: &Options) -> Top {
        let types = api.types.iter().map(|declared| global(&declared.name));
        let functions = api.functions.iter().map(|item| function(options, item));
        let constants = api.constants.iter().map(|constant| global(&constant.name));
        Top(types.chain(functions).chain(constants).collect())
    }

    /// Parameter names of one function: escaped, and a repeated name gets its index. None may hide one of the
    /// module's.
    pub fn params(&self, options: &Options, params: &[Param]) -> Vec<String> {
        let mut taken: Vec<String> = Vec::new();
        for (index, param) in params.iter().enumerate() {
            let mut name = global(&cased(options.camel_case, &param.name));
            if name == "_" || name == "result" || taken.contains(&name) {
                name = format!("{name}{index}");
            }
            while self.0.contains(&name) || taken.contains(&name) {
                name.push('_');
            }
            taken.push(name);
        }
        taken
    }
}

/// In camel case where it is asked for.
pub(super) fn cased(camel_case: bool, name: &str) -> String {
    let made = name.to_lower_camel_case();
    if camel_case && !made.is_empty() { made } else { name.to_owned() }
}

/// Names of the module, and of each class, that two items would share.
pub(super) fn check(api: &Api, options: &Options, handles: &[u32], diagnostics: &mut Diagnostics) {
    let mut top = scope();
    for (index, declared) in api.types.iter().enumerate() {
        let value = match &declared.body {
            Body::Opaque => handles.contains(&(index as u32)),
            Body::Alias(_) | Body::Callback { .. } => false,
            Body::Enum(_) | Body::Flags(_) => true,
            _ => is_record(declared),
        };
        if value {
            top.declare(&global(&declared.name), &declared.name, &declared.place, diagnostics);
        }
        match &declared.body {
            Body::Struct(record) | Body::Union(record) => {
                fields(options, &record.fields, &declared.place, diagnostics)
            }
            Body::Tagged(tagged) => {
                for variant in &tagged.variants {
                    fields(options, &variant.fields, &declared.place, diagnostics);
                }
            }
            _ => {}
        }
    }
    for item in &api.functions {
        top.declare(&function(options, item), &item.name, &item.place, diagnostics);
    }
    for constant in &api.constants {
        top.declare(&global(&constant.name), &constant.name, &constant.place, diagnostics);
    }
}

fn fields(options: &Options, fields: &[Field], place: &Place, diagnostics: &mut Diagnostics) {
    let mut scope = scope();
    for field in fields.iter().filter(|field| field.public) {
        scope.declare(&member(options, &field.name), &field.name, place, diagnostics);
    }
}

fn scope() -> Scope {
    Scope::new("TypeScript", "rename one of them")
}

/// JavaScript text for a string.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        match char {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            char if char < ' ' || matches!(char, '\u{7f}' | '\u{2028}' | '\u{2029}') => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(char)));
            }
            char => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}

/// A JSDoc comment at this indentation.
pub(super) fn docs(text: &str, deprecated: Option<&str>, indent: &str) -> String {
    let mut lines: Vec<String> = text.trim().lines().map(|line| line.replace("*/", "*\\/")).collect();
    if let Some(why) = deprecated {
        lines.push(
            format!("@deprecated {}", why.replace("*/", "*\\/").replace('\n', " ")).trim_end().to_owned(),
        );
    }
    match lines.as_slice() {
        [] => String::new(),
        [only] => format!("{indent}/** {only} */\n"),
        lines => {
            let lines: String =
                lines.iter().map(|line| format!("{}\n", format!("{indent} * {line}").trim_end())).collect();
            format!("{indent}/**\n{lines}{indent} */\n")
        }
    }
}
