//! Opaque types with members.

use crate::model::{Api, Body, Function, Role, TypeId};

/// One opaque type and its functions.
pub(super) struct Handle<'a> {
    pub id: TypeId,
    pub constructors: Vec<&'a Function>,
    pub release: Option<&'a Function>,
    pub others: Vec<&'a Function>,
}

/// Those of the API.
pub(super) fn of<'a>(api: &'a Api, functions: &[&'a Function]) -> Vec<Handle<'a>> {
    let mut handles = Vec::new();
    for (index, declared) in api.types.iter().enumerate() {
        let id = TypeId(index as u32);
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
