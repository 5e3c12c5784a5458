//! Functions of C as members of the handles that they take.

use super::{Api, Function, Member, Role, TypeId};
use crate::Diagnostics;
use crate::case::stripped;
use std::collections::BTreeMap;

impl Api {
    /// What releases each handle: the functions by the handles, both by their names in the source. `section` says whose
    /// option that is.
    pub(crate) fn releases(
        &self,
        released: &BTreeMap<String, String>,
        section: &str,
        diagnostics: &mut Diagnostics,
    ) -> BTreeMap<TypeId, &Function> {
        let mut releases = BTreeMap::new();
        for (handle, release) in released {
            let found = self.functions.iter().find(|function| function.name == *release);
            let taken = found.and_then(|function| match &function.signature.params[..] {
                [only] => self.behind(&only.ty).map(|(id, _)| (id, function)),
                _ => None,
            });
            match taken.filter(|(id, _)| self.get(*id).name == *handle) {
                Some((id, function)) => {
                    releases.insert(id, function);
                }
                None => diagnostics.error(
                    None,
                    format!("`{release}` cannot release `{handle}`: it is no function that takes a pointer to one and nothing else"),
                    format!("name another function under `released` of `[{section}]`"),
                ),
            }
        }
        releases
    }

    /// Makes the functions of `releases` members of their handles, and where `methods` is set also those that have such a
    /// handle first; without the first of these `prefixes` that a name has.
    pub(crate) fn with_members(
        &self,
        releases: &BTreeMap<TypeId, &Function>,
        methods: bool,
        prefixes: &[String],
    ) -> Api {
        let mut api = self.clone();
        for (function, old) in api.functions.iter_mut().zip(&self.functions) {
            let first = old.signature.params.first().and_then(|param| self.behind(&param.ty));
            let Some((of, _)) = first.filter(|(id, _)| releases.contains_key(id)) else { continue };
            let release = releases[&of].name == old.name;
            if old.member.is_none() && (release || methods) {
                let role = if release { Role::Release } else { Role::Method };
                function.member = Some(Member { of, role, name: stripped(&old.name, prefixes).into() });
            }
        }
        api
    }
}
