//! The files that both implementations share: enums, constants, handles, and the choice between the two.

use super::Options;
use super::classes::classes;
use super::handles;
use super::kind::enums;
use super::names::{ERRORS, docstring, ident, literal, truth};
use super::relative;
use crate::model::{Api, Constant, Function, Value, Variant};
use crate::plan::Handles;
use std::fmt::Write as _;

/// The first line of every generated Python file.
pub(super) const HEADER: &str = "# Made by upcall bindgen; do not edit.\n";

/// `_types.py`.
pub(super) fn types(api: &Api, options: &Options) -> String {
    let mut text = format!("{HEADER}\"\"\"What does not depend on how the library is called.\"\"\"\n\n");
    text.push_str(
        "import enum as _enum\nimport math as _math\n\nfrom ._base import NativeError, NativeText\n\n",
    );
    let upper = upper(&api.library);
    let _ = write!(
        text,
        "_LIBRARY = {}\n_LIBRARY_VARIABLE = \"{upper}_LIBRARY\"\n_CHOICE_VARIABLE = \"{upper}_PYTHON\"\n_GLUE = \"{}\"\n\
         _UNDERSCORED = [{}]\n",
        literal(&api.library),
        glue_name(&options.package(api)),
        underscored(api),
    );
    for error in api.errors() {
        let class = api.error_class(error, ERRORS);
        let docs =
            docstring(&format!("A function of the library has failed with its error {error}."), "    ");
        let _ = write!(text, "\n\nclass {class}(NativeError):\n{docs}\n\nNativeError._{class} = {class}\n");
    }
    for (declared, base, values) in enums(api) {
        let _ = write!(text, "\n\nclass {}({base}):\n", ident(&declared.name));
        text.push_str(&docstring(&declared.docs, "    "));
        if values.is_empty() {
            text.push_str("    pass\n");
        } else if !declared.docs.trim().is_empty() {
            text.push('\n');
        }
        for Variant { name, value, docs } in values {
            let _ = writeln!(text, "    {} = {value}", member(name));
            text.push_str(&docstring(docs, "    "));
        }
    }
    if !api.constants.is_empty() {
        text.push_str("\n\n");
    }
    for constant in &api.constants {
        let _ = writeln!(text, "{} = {}", ident(&constant.name), value(constant));
        text.push_str(&docstring(&constant.docs, ""));
    }
    let _ = write!(text, "\n__all__ = [\n    \"NativeError\",\n    \"NativeText\",\n");
    let errors = api.errors().into_iter().map(|error| api.error_class(error, ERRORS));
    let enums = enums(api).map(|(declared, ..)| ident(&declared.name));
    let constants = api.constants.iter().map(|constant| ident(&constant.name));
    for name in errors.chain(enums).chain(constants) {
        let _ = writeln!(text, "    \"{name}\",");
    }
    text.push_str("]\n");
    text
}

/// The library's own names that look private, as the elements of a list.
fn underscored(api: &Api) -> String {
    let functions = api.functions.iter().map(|function| ident(&function.name));
    let types = api.declared().flat_map(|(id, declared)| {
        classes(api, id).into_iter().map(|class| class.name).chain([ident(&declared.name)])
    });
    let names = functions.chain(types).filter(|name| name.starts_with('_'));
    names.map(|name| literal(&name)).collect::<Vec<_>>().join(", ")
}

/// A member's name: Python's enums reserve `mro` and names with underscores around them.
pub(super) fn member(name: &str) -> String {
    let name = ident(name);
    match name.as_str() {
        "mro" | "name" | "value" => format!("{name}_"),
        _ if name.starts_with('_') => format!("N{name}"),
        _ => name,
    }
}

/// `__init__.py`.
pub(super) fn init(api: &Api, functions: &[&Function], handles: &Handles<'_>, options: &Options) -> String {
    let docs =
        if options.docs.is_empty() { format!("The library {}.", api.library) } else { options.docs.clone() };
    let mut text = format!("{HEADER}{}\n", docstring(&docs, ""));
    text.push_str(include_str!("init.in.py"));
    text.push_str(&relative::attached(api));
    text.push_str(&handles::classes(api, functions, handles));
    text
}

/// The name of the glue's crate and library.
pub(super) fn glue_name(package: &str) -> String {
    format!("{package}_native")
}

fn upper(library: &str) -> String {
    let upper = library.to_uppercase();
    upper.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '_' }).collect()
}

fn value(constant: &Constant) -> String {
    match &constant.value {
        Value::Int(value) => value.to_string(),
        Value::Big(value) => value.to_string(),
        Value::Float(value) if value.is_nan() => "_math.nan".into(),
        Value::Float(value) if value.is_infinite() => {
            format!("{}_math.inf", if *value > 0.0 { "" } else { "-" })
        }
        Value::Float(value) => format!("{value:?}"),
        Value::Bool(value) => truth(*value).into(),
        Value::Char(value) => literal(&value.to_string()),
        Value::Str(value) => literal(value),
        Value::CStr(bytes) => format!("b\"{}\"", bytes.escape_ascii()),
    }
}
