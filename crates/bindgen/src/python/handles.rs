//! Opaque types with members, as classes on top of the plain functions.

use super::names::{self, docstring, function_docs, ident};
use crate::model::{Api, Function, Role};
use crate::plan::{Call, Given, Handles};
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
pub(super) fn member_name(function: &Function) -> String {
    let name = ident(function.member.as_ref().map_or(function.name.as_str(), |member| &member.name));
    let special = name.len() > 4 && name.starts_with("__") && name.ends_with("__");
    if special || ["close", "_hold", "_of", "_release"].contains(&name.as_str()) {
        return format!("{name}_");
    }
    name
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
                "    @_staticmethod\n    def _release(address):\n        {release}(address)\n\n"
            );
        }
        for (index, constructor) in handle.constructors.iter().enumerate() {
            let params = params(constructor);
            let call = format!("{}({})", ident(&constructor.name), params.join(", "));
            let docs = docstring(&function_docs(api, constructor), "        ");
            if index == 0 {
                let params = with("self", &params);
                let _ = write!(text, "    def __init__({params}):\n{docs}        self._hold({call})\n\n");
            } else {
                let (method, params) = (member_name(constructor), with("cls", &params));
                let _ = write!(
                    text,
                    "    @_classmethod\n    def {method}({params}):\n{docs}        return cls._of({call})\n\n"
                );
            }
        }
        for method in &handle.others {
            let (name, docs) = (member_name(method), docstring(&function_docs(api, method), "        "));
            let mut params = params(method);
            let fixed = method.role() == Some(Role::Static);
            if !fixed {
                "self".clone_into(&mut params[0]);
            }
            let (decorator, params) = (if fixed { "    @_staticmethod\n" } else { "" }, params.join(", "));
            let call = format!("{}({params})", ident(&method.name));
            let returned = returned(api, handles.given(method), &call, "        ");
            let _ = write!(text, "{decorator}    def {name}({params}):\n{docs}{returned}\n");
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

fn with(first: &str, params: &[String]) -> String {
    let mut all = vec![first.to_owned()];
    all.extend_from_slice(params);
    all.join(", ")
}
