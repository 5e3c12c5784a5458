//! Names of packed types and their members.

use super::super::names::ident;
use super::Packers;
use crate::Diagnostics;
use crate::model::{PackedBody, PackedId, Slot};
use crate::scope::Scope;

/// What every class has, and what the types of members are made of: a member of such a name would hide it.
const OURS: &[&str] = &[
    "pack", "unpack", "self", "bool", "int", "float", "str", "bytes", "complex", "list", "dict", "set",
    "tuple", "staticmethod", "_write", "_read",
];

/// What the module uses of its surroundings.
const BUILTINS: &[&str] = &[
    "bool", "int", "float", "str", "bytes", "complex", "list", "dict", "set", "tuple", "range", "len",
    "sorted", "isinstance", "staticmethod", "object", "TypeError",
];

impl Packers<'_> {
    pub(super) fn name(&self, id: PackedId) -> String {
        self.name_of(&self.api.packed(id).name)
    }

    pub(super) fn name_of(&self, name: &str) -> String {
        if BUILTINS.contains(&name) { format!("{name}_") } else { ident(name) }
    }

    pub(super) fn member(&self, slot: &Slot) -> String {
        // A class's name would be hidden, too.
        let types = || self.api.packed.iter().any(|packed| packed.name == slot.name);
        // Two underscores make a name private to its class.
        let name = slot.name.trim_start_matches('_');
        let name = if slot.name.starts_with("__") && !name.is_empty() { name } else { &slot.name };
        if OURS.contains(&name) || types() { format!("{name}_") } else { ident(name) }
    }

    pub(super) fn variant(&self, name: &str) -> String {
        match name {
            // Enums have these.
            "name" | "value" | "mro" => format!("{name}_"),
            _ => ident(name),
        }
    }

    /// The class of a union's case.
    pub(super) fn case(&self, union: &str, case: &str) -> String {
        format!("{union}_{case}")
    }

    /// Reports two things that would share a name.
    pub(super) fn check_names(&self, diagnostics: &mut Diagnostics) {
        let scope = || Scope::new("Python", "rename one of them");
        let mut top = scope();
        for packed in &self.api.packed {
            let name = self.name_of(&packed.name);
            top.declare(&name, &packed.name, &packed.place, diagnostics);
            let slots = match &packed.body {
                PackedBody::Object(object) => &object.members[..],
                PackedBody::Raw(raw) => &raw.fields[..],
                PackedBody::Union(cases) => {
                    for case in cases {
                        let what = format!("{}::{}", packed.name, case.name);
                        top.declare(&self.case(&name, &case.name), &what, &packed.place, diagnostics);
                    }
                    &[]
                }
                PackedBody::Enum { .. } => &[],
            };
            let mut members = scope();
            for slot in slots {
                members.declare(&self.member(slot), &slot.name, &packed.place, diagnostics);
            }
        }
    }
}
