//! Opaque types with members, as classes on top of the plain functions.

use super::names::{self, docstring, ident};
use crate::model::{Api, Body, Function, Pointer, Role, Ty, TypeId};
use std::fmt::Write as _;

/// A handle with its members.
pub(super) struct Handle<'a> {
    pub id: TypeId,
    pub name: String,
    pub docs: &'a str,
    pub constructors: Vec<&'a Function>,
    pub release: Option<&'a Function>,
    pub others: Vec<&'a Function>,
}

/// Whether the type at this index is shown as a class.
pub(super) fn is_handle(api: &Api, index: usize) -> bool {
    matches!(api.types[index].body, Body::Opaque)
        && api
            .functions
            .iter()
            .any(|function| function.member.as_ref().is_some_and(|member| member.of.0 as usize == index))
}

/// The handle that a type is a pointer to.
pub(super) fn handle_behind<'a>(api: &'a Api, ty: &'a Ty) -> Option<(TypeId, &'a Pointer)> {
    api.behind(ty).filter(|(id, _)| is_handle(api, id.0 as usize))
}

/// A release that takes only the handle and cannot fail.
pub(super) fn simple_release(function: &Function) -> Option<&Function> {
    let signature = &function.signature;
    (signature.params.len() == 1 && signature.ret == Ty::Unit && !function.fallible).then_some(function)
}

/// All handles.
pub(super) fn handles<'a>(api: &'a Api, functions: &[&'a Function]) -> Vec<Handle<'a>> {
    let mut handles = Vec::new();
    for (index, declared) in api.types.iter().enumerate().filter(|(index, _)| is_handle(api, *index)) {
        let with = |role: Role| {
            let is = move |function: &&&Function| {
                let member = function.member.as_ref();
                member.is_some_and(|member| member.of.0 as usize == index && member.role == role)
            };
            functions.iter().filter(is).copied().collect::<Vec<_>>()
        };
        let mut others = with(Role::Method);
        others.extend(with(Role::Static));
        handles.push(Handle {
            id: TypeId(index as u32),
            name: ident(&declared.name),
            docs: &declared.docs,
            constructors: with(Role::Constructor),
            release: with(Role::Release).first().copied(),
            others,
        });
    }
    handles
}

/// The class of what a function returns and no longer owns.
pub(super) struct Given {
    class: String,
    nullable: bool,
}

impl Given {
    /// The statements that return it.
    fn returned(&self, call: &str, indent: &str) -> String {
        let class = &self.class;
        if self.nullable {
            return format!(
                "{indent}address = {call}\n{indent}return None if address is None else {class}._of(address)\n"
            );
        }
        format!("{indent}return {class}._of({call})\n")
    }

    /// Its type in the stubs.
    pub(super) fn shown(&self) -> String {
        format!("{}{}", self.class, if self.nullable { " | None" } else { "" })
    }
}

/// The handle that a function gives away.
pub(super) fn given(api: &Api, function: &Function) -> Option<Given> {
    let (id, pointer) = api.behind(&function.signature.ret)?;
    let released = |function: &Function| {
        function.member.as_ref().is_some_and(|member| member.of == id && member.role == Role::Release)
    };
    (pointer.owned && api.functions.iter().any(released))
        .then(|| Given { class: ident(&api.get(id).name), nullable: pointer.nullable })
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

/// The Python parameters of a function: those that are not filled in.
pub(super) fn shown_params(function: &Function) -> Vec<String> {
    let all = names::params(function.signature.params.iter().map(|param| param.name.as_str()));
    let params = function.signature.params.iter().zip(all);
    params.filter(|(param, _)| param.context_of.is_none()).map(|(_, name)| name).collect()
}

/// The classes, as text of `__init__.py`.
pub(super) fn classes(api: &Api, functions: &[&Function]) -> String {
    let mut text = String::new();
    let all = handles(api, functions);
    if all.is_empty() {
        return text;
    }
    text.push_str(include_str!("handle.in.py"));
    for handle in &all {
        let name = &handle.name;
        let _ = write!(text, "\n\nclass {name}(_Handle):\n{}", docstring(handle.docs, "    "));
        if let Some(release) = handle.release {
            let release = ident(&release.name);
            let _ =
                write!(text, "    @staticmethod\n    def _release(address):\n        {release}(address)\n\n");
        }
        for (index, constructor) in handle.constructors.iter().enumerate() {
            let params = shown_params(constructor);
            let call = format!("{}({})", ident(&constructor.name), params.join(", "));
            let docs = docstring(&constructor.docs, "        ");
            if index == 0 {
                let params = with("self", &params);
                let _ = write!(text, "    def __init__({params}):\n{docs}        self._hold({call})\n\n");
            } else {
                let (method, params) = (member_name(constructor), with("cls", &params));
                let _ = write!(
                    text,
                    "    @classmethod\n    def {method}({params}):\n{docs}        return cls._of({call})\n\n"
                );
            }
        }
        for method in &handle.others {
            let (name, docs) = (member_name(method), docstring(&method.docs, "        "));
            let mut params = shown_params(method);
            let function = ident(&method.name);
            let returned = |params: &str| {
                let call = format!("{function}({params})");
                match given(api, method) {
                    Some(given) => given.returned(&call, "        "),
                    None => format!("        return {call}\n"),
                }
            };
            if method.role() == Some(Role::Static) {
                let params = params.join(", ");
                let _ = write!(
                    text,
                    "    @staticmethod\n    def {name}({params}):\n{docs}{}\n",
                    returned(&params)
                );
            } else {
                "self".clone_into(&mut params[0]);
                let params = params.join(", ");
                let _ = write!(text, "    def {name}({params}):\n{docs}{}\n", returned(&params));
            }
        }
        while text.ends_with("\n\n") {
            text.pop();
        }
    }
    for function in functions.iter().filter(|function| function.member.is_none()) {
        let Some(given) = given(api, function) else { continue };
        let (name, params) = (ident(&function.name), shown_params(function).join(", "));
        let docs = docstring(&function.docs, "    ");
        let returned = given.returned(&format!("implementation.{name}({params})"), "    ");
        let _ = write!(text, "\n\ndef {name}({params}):\n{docs}{returned}");
    }
    let names: String = all.iter().map(|handle| format!("{}, ", handle.name)).collect();
    let _ = write!(text, "\n\nimplementation._learn(({}))\n", names.trim_end());
    text
}

fn with(first: &str, params: &[String]) -> String {
    let mut all = vec![first.to_owned()];
    all.extend_from_slice(params);
    all.join(", ")
}
