//! Names of packed types and their members.

use super::super::names;
use super::Packers;
use crate::Diagnostics;
use crate::model::{PackedBody, PackedId, Slot};
use crate::scope::Scope;

/// Names that the generated code uses from its surroundings and `names::global` does not know.
const OURS: &[&str] = &["Map", "Set", "Array", "Partial", "ReadonlySet"];

impl Packers<'_> {
    pub(super) fn name(&self, id: PackedId) -> String {
        self.name_of(&self.api.packed(id).name)
    }

    pub(super) fn name_of(&self, name: &str) -> String {
        if OURS.contains(&name) { format!("{name}_") } else { names::global(name) }
    }

    pub(super) fn member(&self, slot: &Slot) -> String {
        names::member(self.options, &slot.name)
    }

    pub(super) fn variant(&self, name: &str) -> String {
        names::variant(name)
    }

    /// Reports two things that would share a name.
    pub(super) fn check_names(&self, diagnostics: &mut Diagnostics) {
        let scope = || Scope::new("TypeScript", "rename one of them");
        let mut top = scope();
        for packed in &self.api.packed {
            let name = self.name_of(&packed.name);
            top.declare(&name, &packed.name, &packed.place, diagnostics);
            match &packed.body {
                PackedBody::Enum { .. } => {
                    let values = format!("{name}_VALUES");
                    top.declare(&values, &format!("the values of {name}"), &packed.place, diagnostics);
                }
                body => {
                    let slots = match body {
                        PackedBody::Object(object) => &object.members[..],
                        PackedBody::Raw(raw) => &raw.fields[..],
                        _ => &[],
                    };
                    let mut members = scope();
                    for slot in slots {
                        members.declare(&self.member(slot), &slot.name, &packed.place, diagnostics);
                    }
                }
            }
        }
    }
}
