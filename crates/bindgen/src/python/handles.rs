//! Opaque types with members, as classes on top of the plain functions.

use super::names::{self, docstring, function_docs, ident};
use crate::model::{Api, Function, Role};
use crate::plan::{Call, Given, Handle, Handles};
use std::fmt::Write as _;

/// The statements that return what a call does.
fn returned(api: &Api, given: Option<Given>, call: &str, indent: &str) -> String {
    let Some(Given { id, nullable }) = given else { return format!("{indent}return {call}\n") };
    let class = ident(&api.get(id).name);
    if nullable {
        return format!(
            "{indent}address = {call}\n{indent}return None if address is None else {class}._of(address)\n"
        );
    }
    format!("{indent}return {class}._of({call})\n")
}

/// A member's name in its class, where some names have a meaning already.
fn member_name(function: &Function) -> String {
    let name = ident(function.member.as_ref().map_or(function.name.as_str(), |member| &member.name));
    let special = name.len() > 4 && name.starts_with("__") && name.ends_with("__");
    if special || ["close", "_hold", "_of", "_release"].contains(&name.as_str()) {
        return format!("{name}_");
    }
    name
}

/// A member of a handle's class.
pub(super) struct Member<'a> {
    pub function: &'a Function,
    pub name: String,
    pub decorator: &'static str,
    /// What Python passes it.
    pub first: Option<&'static str>,
    /// How many of the function's own parameters that is.
    pub own: usize,
}

/// The members of a handle's class.
pub(super) fn members<'a>(handle: &Handle<'a>) -> impl Iterator<Item = Member<'a>> {
    let constructor = |(index, &function)| match index {
        0 => Member { function, name: "__init__".into(), decorator: "", first: Some("self"), own: 0 },
        _ => {
            let name = member_name(function);
            Member { function, name, decorator: "    @_classmethod\n", first: Some("cls"), own: 0 }
        }
    };
    let other = |&function: &&'a Function| {
        let name = member_name(function);
        match function.role() {
            Some(Role::Static) => {
                Member { function, name, decorator: "    @_staticmethod\n", first: None, own: 0 }
            }
            _ => Member { function, name, decorator: "", first: Some("self"), own: 1 },
        }
    };
    handle.constructors.iter().enumerate().map(constructor).chain(handle.others.iter().map(other))
}

/// Between commas.
pub(super) fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

/// The names of the parameters that a program passes.
pub(super) fn shown_params(call: &Call<'_>) -> Vec<String> {
    let all = names::params(call.function.signature.params.iter().map(|param| param.name.as_str()));
    call.shown().map(|arg| all[arg.index].clone()).collect()
}

/// The classes, as text of `__init__.py`.
pub(super) fn classes(api: &Api, functions: &[&Function], handles: &Handles<'_>) -> String {
    let mut text = String::new();
    if handles.iter().next().is_none() {
        return text;
    }
    let params = |function| shown_params(&Call::new(api, handles, function));
    text.push_str(include_str!("handle.in.py"));
    for handle in handles.iter() {
        let declared = api.get(handle.id);
        let (name, docs) = (ident(&declared.name), docstring(&declared.docs, "    "));
        let _ = write!(text, "\n\nclass {name}(_Handle):\n{docs}");
        if let Some(release) = handle.release {
            let release = ident(&release.name);
            let _ = write!(
                text,
                "    @_staticmethod\n    def _release(address, _call={release}):\n        _call(address)\n\n"
            );
        }
        for Member { function, name, decorator, first, own } in members(handle) {
            let mut passed = params(function);
            passed[..own].fill("self".into());
            let call = format!("{}({})", ident(&function.name), passed.join(", "));
            let body = match first {
                Some("cls") => format!("        return cls._of({call})\n"),
                Some(_) if own == 0 => format!("        self._hold({call})\n"),
                _ => returned(api, handles.given(function), &call, "        "),
            };
            let given = first.map(str::to_owned).into_iter().chain(passed.drain(own..));
            let (docs, given) = (docstring(&function_docs(api, function), "        "), list(given));
            let _ = write!(text, "{decorator}    def {name}({given}):\n{docs}{body}\n");
        }
        while text.ends_with("\n\n") {
            text.pop();
        }
    }
    for function in functions.iter().filter(|function| function.member.is_none()) {
        let Some(given) = handles.given(function) else { continue };
        let (name, params) = (ident(&function.name), params(function).join(", "));
        let docs = docstring(&function_docs(api, function), "    ");
        let returned = returned(api, Some(given), &format!("implementation.{name}({params})"), "    ");
        let _ = write!(text, "\n\ndef {name}({params}):\n{docs}{returned}");
    }
    let names: String = handles.iter().map(|handle| ident(&api.get(handle.id).name) + ", ").collect();
    let _ = write!(text, "\n\nimplementation._learn(({}))\n", names.trim_end());
    text
}
