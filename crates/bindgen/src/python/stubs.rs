//! The stubs: one text for both implementations.

use super::classes::{Class, Member, Shows, classes};
use super::handles::{self, list, members, shown_params};
use super::kind::{enums, out, pointee, says};
use super::names::{ERRORS, docstring, function_docs, ident};
use super::package::{HEADER, member};
use super::relative;
use crate::model::{Api, Function, Signature, Ty, TypeId, Value, Variant};
use crate::plan::{Call, Given, Handles, Kind, Number, is_letter};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// `__init__.pyi`.
pub(super) fn package(api: &Api, functions: &[&Function], handles: &Handles<'_>) -> String {
    let call = |function| Call::new(api, handles, function);
    let mut text = format!("{HEADER}{}", include_str!("stubs.in.pyi"));
    for error in api.errors() {
        let class = api.error_class(error, ERRORS);
        let docs = format!("A function of the library has failed with its error {error}.");
        let _ = write!(text, "\nclass {class}(NativeError):\n{}", docstring(&docs, "    "));
    }
    for (declared, base, values) in enums(api) {
        let (name, docs) = (ident(&declared.name), docstring(&declared.docs, "    "));
        let _ = write!(text, "\nclass {name}({base}):\n{docs}");
        for Variant { name, value, .. } in values {
            let _ = writeln!(text, "    {} = {value}", member(name));
        }
        if values.is_empty() {
            text.push_str("    ...\n");
        }
    }
    for index in 0..api.types.len() {
        structure(api, TypeId(index as u32), &mut text);
    }
    for handle in handles.iter() {
        let declared = api.get(handle.id);
        let (name, docs) = (ident(&declared.name), docstring(&declared.docs, "    "));
        let _ = write!(text, "\nclass {name}(_Handle):\n{docs}");
        if handle.constructors.is_empty() && handle.others.is_empty() && docs.is_empty() {
            text.push_str("    ...\n");
        }
        for handles::Member { function, name, decorator, first, own } in members(handle) {
            let call = call(function);
            let params = params(api, &call, own, first);
            let ret = match first {
                Some("cls") => "_Self".into(),
                Some(_) if own == 0 => "None".into(),
                _ => returned(api, &call, true),
            };
            let head = format!("{decorator}    def {name}({params}) -> {ret}:");
            in_class(&head, &function_docs(api, function), &mut text);
        }
    }
    for function in functions {
        let call = call(function);
        let (name, params) = (ident(&function.name), params(api, &call, 0, None));
        let ret = returned(api, &call, function.member.is_none());
        let head = format!("\ndef {name}({params}) -> {ret}:");
        with_docs(&head, &function_docs(api, function), "    ", &mut text);
    }
    text.push('\n');
    for item in &api.statics {
        let name = &item.name;
        let opaque = matches!(Kind::plain(api, &item.ty), Kind::Opaque(_));
        let get = if opaque { "_int".into() } else { get(api, &item.ty) };
        let _ = writeln!(text, "def get_{name}() -> {get}: ...");
        if item.mutable && !opaque {
            let _ = writeln!(text, "def set_{name}(value: {}) -> None: ...", set(api, &item.ty));
        }
    }
    for constant in &api.constants {
        let ty = match constant.value {
            Value::Int(_) | Value::Big(_) => "_int",
            Value::Float(_) => "_float",
            Value::Bool(_) => "_bool",
            Value::Char(_) | Value::Str(_) => "_str",
            Value::CStr(_) => "_bytes",
        };
        let _ = writeln!(text, "{}: _Final[{ty}]", ident(&constant.name));
    }
    text
}

/// A member of a class; its docs, if any, are its body.
fn in_class(head: &str, docs: &str, text: &mut String) {
    with_docs(head, docs, "        ", text);
}

fn with_docs(head: &str, docs: &str, indent: &str, text: &mut String) {
    match &docstring(docs, indent)[..] {
        "" => *text += &format!("{head} ...\n"),
        docs => *text += &format!("{head}\n{docs}{indent}...\n"),
    }
}

fn structure(api: &Api, id: TypeId, text: &mut String) {
    for made in classes(api, id) {
        class(api, &made, text);
        if let Some(related) = relative::all(api).into_iter().find(|related| related.name == made.name) {
            let elements = match related.of {
                relative::Seen::Class(_) => format!("_Elements[{}]", get(api, related.element)),
                relative::Seen::Letter(_) => "_memoryview".into(),
            };
            let (base, docs) = if related.base {
                (", base: _Readable | _Index", "The elements, whose offset counts from the start of base.")
            } else {
                (
                    "",
                    "The elements where they are. They must be there, and stay as long as they are looked at.",
                )
            };
            in_class(&format!("    def elements(self{base}, /) -> {elements}:"), docs, text);
        }
    }
}

fn class(api: &Api, Class { name, docs, members, .. }: &Class<'_>, text: &mut String) {
    // The name, the type when read, the type when written.
    let member = |member: &Member<'_>| {
        let (get, set) = match &member.shows {
            Shows::Value(ty) => (get(api, ty), set(api, ty)),
            Shows::Bits(_, bits) => (get(api, &bits.of), set(api, &bits.of)),
            Shows::Variant(class, ..) => (class.clone(), class.clone()),
        };
        (member.name.clone(), get, set)
    };
    let mut members: Vec<_> = members.iter().map(member).collect();
    let renamed = renamed(name, &mut members);
    let _ = write!(text, "\nclass {name}(_Struct):\n{}", docstring(docs, "    "));
    if members.is_empty() {
        text.push_str("    def __init__(self) -> None: ...\n");
        return;
    }
    let params: Vec<String> = members.iter().map(|(name, _, set)| format!("{name}: {set} = ...")).collect();
    let receiver = if members.iter().any(|(name, ..)| name == "self") { "_self" } else { "self" };
    let _ = writeln!(text, "    def __init__({receiver}, *, {}) -> None: ...", params.join(", "));
    for (name, get, set) in &members {
        let _ = write!(
            text,
            "    @_property\n    def {name}(self) -> {get}: ...\n    @{name}.setter\n    def {name}(self, value: {set}) -> None: ...\n"
        );
    }
    // After the class: before it, its name could still mean one of Python's own functions.
    text.push_str(&renamed);
}

/// In a class a member hides a type of its name: gives such types other names there, and defines those names.
fn renamed(class: &str, members: &mut [(String, String, String)]) -> String {
    let names: Vec<String> = members.iter().map(|(name, ..)| name.clone()).collect();
    let mut hidden = BTreeSet::new();
    for (_, get, set) in members {
        for ty in [get, set] {
            let words = ty.split_inclusive(|char: char| !char.is_alphanumeric() && char != '_');
            let word = |word: &str| {
                let name = word.trim_end_matches(|char: char| !char.is_alphanumeric() && char != '_');
                if names.iter().all(|hiding| hiding != name) {
                    return word.to_owned();
                }
                hidden.insert(name.to_owned());
                format!("_{class}_{word}")
            };
            *ty = words.map(word).collect();
        }
    }
    hidden.iter().map(|name| format!("\n_{class}_{name}: _TypeAlias = \"{name}\"\n")).collect()
}

/// The type of a field or an element when read.
fn get(api: &Api, ty: &Ty) -> String {
    match Kind::plain(api, ty) {
        Kind::Nothing | Kind::Opaque(_) => "None".into(),
        Kind::Bool => "_bool".into(),
        Kind::Char => "_str".into(),
        Kind::Int(Number { named: Some(id), .. }) | Kind::Record(id) | Kind::Empty(id) => named(api, id),
        Kind::Int(_) => "_int".into(),
        Kind::Float(_) => "_float".into(),
        Kind::Array(of, _) => format!("NativeArray[{}]", get(api, of)),
        Kind::Pointer(pointer) if says(api, pointer) => "NativeText | None".into(),
        _ => "_int | None".into(),
    }
}

/// The types accepted when a field or an element is written.
fn set(api: &Api, ty: &Ty) -> String {
    match Kind::plain(api, ty) {
        Kind::Int(Number { named: Some(id), .. }) => format!("{} | _int", named(api, id)),
        Kind::Array(of, _) => format!("_Items[{}]", set(api, of)),
        Kind::Function(of) if of.crosses => "Callback | _Index | None".into(),
        Kind::Function(_) => "_Index | None".into(),
        Kind::Pointer(pointer) => match pointee(api, pointer) {
            Some(id) => format!("{} | _int | None", named(api, id)),
            None => "_Index | None".into(),
        },
        _ => get(api, ty),
    }
}

fn named(api: &Api, id: TypeId) -> String {
    ident(&api.get(id).name)
}

/// What a function returns, or a callback is given.
fn result(api: &Api, ty: &Ty) -> String {
    match Kind::of(api, ty) {
        Kind::Slice(..) => "_memoryview".into(),
        Kind::Str(_) | Kind::Text(_) => "_str".into(),
        Kind::Buffer(_, of) => format!("NativeBuffer[{}]", get(api, of)),
        Kind::Pointer(pointer) if !pointer.nullable => {
            if says(api, pointer) { "NativeText" } else { "_int" }.into()
        }
        _ => get(api, ty),
    }
}

/// A function's result: a handle that it gives away is its class, except in the plain functions of members.
fn returned(api: &Api, call: &Call<'_>, in_class: bool) -> String {
    match call.given.filter(|_| in_class) {
        Some(Given { id, nullable }) => {
            format!("{}{}", named(api, id), if nullable { " | None" } else { "" })
        }
        None => result(api, &call.function.signature.ret),
    }
}

/// What a parameter accepts.
fn parameter(api: &Api, ty: &Ty) -> String {
    match Kind::of(api, ty) {
        Kind::Slice(_, _, true) => "_Writable".into(),
        Kind::Slice(_, _, false) => "_Readable".into(),
        Kind::Str(_) => "_str | _bytes".into(),
        Kind::Int(Number { named: None, .. }) => "_Index".into(),
        Kind::Function(of) if of.signature.kept && of.crosses => callable(api, of.signature),
        Kind::Function(of) if of.crosses => {
            let none = if of.nullable { " | None" } else { "" };
            format!("{} | Callback | _Index{none}", callable(api, of.signature))
        }
        Kind::Pointer(pointer) => {
            let none = if pointer.nullable { " | None" } else { "" };
            let out = match out(api, pointer) {
                true => format!("Out[{}] | ", get(api, &pointer.to)),
                false => String::new(),
            };
            if let Some(id) = pointee(api, pointer) {
                return format!("{out}{} | _Index{none}", named(api, id));
            }
            let scalar = matches!(
                Kind::plain(api, &pointer.to),
                Kind::Bool | Kind::Char | Kind::Int(_) | Kind::Float(_)
            );
            let buffer = match (scalar || *api.resolve(&pointer.to) == Ty::Unit, pointer.mutable) {
                (false, _) => "",
                (true, true) => "_Writable | ",
                (true, false) if is_letter(api, &pointer.to) => "_str | _Readable | ",
                (true, false) => "_Readable | ",
            };
            format!("{out}{buffer}_Index{none}")
        }
        _ => set(api, ty),
    }
}

fn callable(api: &Api, signature: &Signature) -> String {
    let shown = signature.params.iter().enumerate();
    let shown = shown.filter(|(place, _)| signature.context != Some(*place as u32));
    let params: Vec<String> = shown.map(|(_, param)| result(api, &param.ty)).collect();
    let ret = match Kind::plain(api, &signature.ret) {
        Kind::Nothing => "_object".into(),
        Kind::Function(_) => "_Index | None".into(),
        _ => set(api, &signature.ret),
    };
    format!("_Callable[[{}], {ret}]", params.join(", "))
}

/// The parameters after the first `own`.
fn params(api: &Api, call: &Call<'_>, own: usize, first: Option<&str>) -> String {
    let all = call.shown().zip(shown_params(call)).skip(own);
    let all = all.map(|(arg, name)| format!("{name}: {}", parameter(api, &arg.param.ty)));
    list(first.map(str::to_owned).into_iter().chain(all))
}
