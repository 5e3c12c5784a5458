//! Opaque types with members.

use crate::model::{Api, Body, Function, Pointer, Role, Ty, TypeId};

/// An opaque type that is shown as an object.
pub(crate) struct Handle<'a> {
    pub id: TypeId,
    /// The first makes the object; the others are functions that return one.
    pub constructors: Vec<&'a Function>,
    pub release: Option<&'a Function>,
    /// Methods and static functions, in the order of the source.
    pub others: Vec<&'a Function>,
}

impl<'a> Handle<'a> {
    /// The release, if it takes only the handle and cannot fail.
    pub fn simple_release(&self) -> Option<&'a Function> {
        self.release.filter(|function| is_simple(function))
    }
}

/// Whether a function releases a handle, takes nothing else and cannot fail.
fn is_simple(function: &Function) -> bool {
    let signature = &function.signature;
    function.role() == Some(Role::Release)
        && signature.params.len() == 1
        && signature.ret == Ty::Unit
        && !function.fallible
}

/// What a function gives away: an object that its caller releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    pub id: TypeId,
    pub nullable: bool,
}

/// The handles of an API.
pub(crate) struct Handles<'a> {
    api: &'a Api,
    all: Vec<Handle<'a>>,
}

impl<'a> Handles<'a> {
    /// Those that some of these functions belong to, in the order of the types.
    pub fn new(api: &'a Api, functions: &[&'a Function]) -> Handles<'a> {
        let mut all = Vec::new();
        for (id, _) in api.declared().filter(|(_, declared)| declared.body == Body::Opaque) {
            let mut handle = Handle { id, constructors: Vec::new(), release: None, others: Vec::new() };
            let mut any = false;
            for function in functions {
                let Some(member) = function.member.as_ref().filter(|member| member.of == id) else {
                    continue;
                };
                any = true;
                match member.role {
                    Role::Constructor => handle.constructors.push(function),
                    Role::Release => handle.release = Some(function),
                    Role::Method | Role::Static => handle.others.push(function),
                }
            }
            if any {
                all.push(handle);
            }
        }
        Handles { api, all }
    }

    /// Only those of which it is true.
    pub fn retain(mut self, of: impl FnMut(&Handle<'a>) -> bool) -> Handles<'a> {
        self.all.retain(of);
        self
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Handle<'a>> {
        self.all.iter()
    }

    pub fn get(&self, id: TypeId) -> Option<&Handle<'a>> {
        self.all.iter().find(|handle| handle.id == id)
    }

    /// The handle that a type is.
    pub fn is(&self, ty: &Ty) -> Option<TypeId> {
        let Ty::Named(id) = self.api.resolve(ty) else { return None };
        self.get(*id).map(|handle| handle.id)
    }

    /// The handle that a type is the address of.
    pub fn behind<'t>(&'t self, ty: &'t Ty) -> Option<(TypeId, &'t Pointer)> {
        self.api.behind(ty).filter(|(id, _)| self.get(*id).is_some())
    }

    /// What a function gives away.
    pub fn given(&self, function: &Function) -> Option<Given> {
        let (id, pointer) = self.behind(&function.signature.ret)?;
        let released = pointer.owned && self.get(id).is_some_and(|handle| handle.release.is_some());
        released.then_some(Given { id, nullable: pointer.nullable })
    }
}
