//! Opaque types with members.

use super::names::global;
use crate::model::{Api, Body, Function, Role, TypeId};

/// One opaque type and its functions.
pub(super) struct Handle<'a> {
    pub id: TypeId,
    pub constructors: Vec<&'a Function>,
    pub release: Option<&'a Function>,
    pub others: Vec<&'a Function>,
}

/// The handles of the API.
pub(super) fn of<'a>(api: &'a Api, functions: &[&'a Function]) -> Vec<Handle<'a>> {
    let mut handles = Vec::new();
    for (id, declared) in api.declared() {
        let mut handle = Handle { id, constructors: Vec::new(), release: None, others: Vec::new() };
        for function in functions {
            match &function.member {
                Some(member) if member.of == id => match member.role {
                    Role::Constructor => handle.constructors.push(function),
                    Role::Release => handle.release = Some(function),
                    Role::Method | Role::Static => handle.others.push(function),
                },
                _ => {}
            }
        }
        let any = handle.release.is_some() || !handle.constructors.is_empty() || !handle.others.is_empty();
        if declared.body == Body::Opaque && any {
            handles.push(handle);
        }
    }
    handles
}

/// The class of what a function gives away, and whether it may give nothing.
pub(super) struct Given {
    pub class: String,
    pub nullable: bool,
}

impl Given {
    /// The statements that return it.
    pub(super) fn returned(&self, call: &str, indent: &str) -> String {
        let class = &self.class;
        if self.nullable {
            return format!(
                "{indent}const address = {call};\n{indent}return address === 0 ? null : {class}.from(address);\n"
            );
        }
        format!("{indent}return {class}.from({call});\n")
    }

    /// Its type.
    pub(super) fn shown(&self) -> String {
        format!("{}{}", self.class, if self.nullable { " | null" } else { "" })
    }
}

/// The handle that a function returns and no longer owns.
pub(super) fn given(api: &Api, handles: &[Handle<'_>], function: &Function) -> Option<Given> {
    let (id, pointer) = api.behind(&function.signature.ret)?;
    let known = handles.iter().any(|handle| handle.id == id && handle.release.is_some());
    (pointer.owned && known).then(|| Given { class: global(&api.get(id).name), nullable: pointer.nullable })
}
