//! Names in Python.

use crate::Diagnostics;
use crate::model::{Api, Body, Function, Place};
use crate::plan::Handles;
use std::collections::HashMap;

const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Names that every generated module has besides the API's own.
const OURS: &[&str] = &[
    "NativeError", "NativeText", "NativeBuffer", "NativeArray", "Callback", "Out", "implementation",
    "_Handle", "_base", "_relative", "_classmethod", "_staticmethod",
];

/// Python's own errors: the generated code and whoever imports all of a package mean those by these names.
pub(super) const ERRORS: &[&str] = &[
    "ArithmeticError", "AssertionError", "AttributeError", "BlockingIOError", "BrokenPipeError",
    "BufferError", "ChildProcessError", "ConnectionAbortedError", "ConnectionError",
    "ConnectionRefusedError", "ConnectionResetError", "EOFError", "EnvironmentError", "FileExistsError",
    "FileNotFoundError", "FloatingPointError", "IOError", "ImportError", "IndentationError", "IndexError",
    "InterruptedError", "IsADirectoryError", "KeyError", "LookupError", "MemoryError", "ModuleNotFoundError",
    "NameError", "NotADirectoryError", "NotImplementedError", "OSError", "OverflowError", "PermissionError",
    "ProcessLookupError", "PythonFinalizationError", "RecursionError", "ReferenceError", "RuntimeError",
    "SyntaxError", "SystemError", "TabError", "TimeoutError", "TypeError", "UnboundLocalError",
    "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError", "UnicodeTranslateError", "ValueError",
    "WindowsError", "ZeroDivisionError",
];

/// The source's name in a form that Python accepts: a keyword gets a trailing underscore, an index a leading one.
pub(super) fn ident(name: &str) -> String {
    if KEYWORDS.contains(&name) {
        format!("{name}_")
    } else if name.starts_with(|first: char| first.is_ascii_digit()) {
        format!("_{name}")
    } else {
        name.to_owned()
    }
}

/// Parameter names of one function: escaped, with its index added to `_` alone or to a repeated name.
pub(super) fn params<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    for (index, name) in names.enumerate() {
        let mut name = ident(name);
        if name == "_" || name == "self" || taken.contains(&name) {
            name = format!("{name}{index}");
        }
        taken.push(name);
    }
    taken
}

/// Module names that two items would share.
pub(super) fn check(api: &Api, handles: &Handles<'_>, diagnostics: &mut Diagnostics) {
    let mut taken: HashMap<String, String> = HashMap::new();
    for name in OURS {
        taken.insert((*name).into(), "a part of every generated module".into());
    }
    let mut take = |name: String, what: String, place: &Place| {
        if let Some(before) = taken.get(&name) {
            let message = format!("{what} and {before} have the same name in Python, {name}");
            diagnostics.error(Some(place), message, "rename one of them");
        }
        taken.insert(name, what);
    };
    for (id, declared) in api.declared() {
        let shown = match &declared.body {
            Body::Opaque => handles.get(id).is_some(),
            Body::Alias(_) | Body::Callback { .. } => false,
            _ => true,
        };
        if shown {
            take(ident(&declared.name), format!("the type {}", declared.name), &declared.place);
        }
        if let Body::Tagged(tagged) = &declared.body {
            for variant in &tagged.variants {
                let name = format!("{}_{}", declared.name, variant.name);
                take(name, format!("the variant {}::{}", declared.name, variant.name), &declared.place);
            }
        }
    }
    for function in &api.functions {
        take(ident(&function.name), format!("the function {}", function.name), &function.place);
    }
    for constant in &api.constants {
        take(ident(&constant.name), format!("the constant {}", constant.name), &constant.place);
    }
    for item in &api.statics {
        for name in [format!("get_{}", item.name), format!("set_{}", item.name)] {
            take(name, format!("the static {}", item.name), &item.place);
        }
    }
}

/// A Python string literal.
pub(super) fn literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for char in text.chars() {
        match char {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            char if (char as u32) < 0x20 || char as u32 == 0x7f => {
                literal.push_str(&format!("\\x{:02x}", char as u32));
            }
            char => literal.push(char),
        }
    }
    literal.push('"');
    literal
}

/// A Python `bool`.
pub(super) fn truth(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}

/// A function's docs, with what it raises.
pub(super) fn function_docs(api: &Api, function: &Function) -> String {
    let docs = function.docs.trim();
    let Some(class) = api.fails_with(function, ERRORS) else { return docs.into() };
    let gap = if docs.is_empty() { "" } else { "\n\n" };
    format!("{docs}{gap}Raises {class} when it fails.")
}

/// A docstring, indented, with its line end; nothing without docs.
pub(super) fn docstring(docs: &str, indent: &str) -> String {
    let docs = docs.trim();
    if docs.is_empty() {
        return String::new();
    }
    // A quote at the start or the end would run into the three delimiting ones.
    let (docs, end) = docs.strip_suffix('"').map_or((docs, ""), |docs| (docs, "\\\""));
    let docs = docs.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"") + end;
    let docs = if docs.starts_with('"') { format!("\\{docs}") } else { docs };
    let lines: Vec<String> = docs
        .lines()
        .enumerate()
        .map(|(index, line)| match line.trim_end() {
            "" => String::new(),
            line if index == 0 => line.to_owned(),
            line => format!("{indent}{line}"),
        })
        .collect();
    let end = if lines.len() > 1 { format!("\n{indent}") } else { String::new() };
    format!("{indent}\"\"\"{}{end}\"\"\"\n", lines.join("\n"))
}
