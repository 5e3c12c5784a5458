//! Checks once all packed types are read: raw ones are raw, unions hold objects, no name is used
//! twice, and nobody holds a refused type.

use super::super::{Lower, names_apart};
use crate::model::{Object, PackedBody, PackedId, Wire};
use std::collections::HashSet;

/// The largest value in bytes.
const MOST: u64 = i32::MAX as u64;

impl Lower<'_> {
    pub(super) fn settle(&mut self) {
        self.place_raw();
        for index in 0..self.api.packed.len() {
            let id = PackedId(index as u32);
            if !self.packing.refused.contains(&id)
                && let Some(odd) = self.odd_case(id)
            {
                let packed = &self.api.packed[index];
                let message = format!("the variant `{odd}` of the union `{}` holds no class", packed.name);
                self.refuse_packed(id, message, "its variants hold types with `#[derive(Pack)]` and no `#[pack(raw)]` or `#[pack(struct)]`");
            }
            if !self.packing.refused.contains(&id) && self.unmanaged(id) {
                let name = &self.api.packed[index].name;
                let message =
                    format!("`{name}` is a `struct` whose members are all raw: C# has it as memory");
                self.refuse_packed(id, message, "write `#[pack(raw)]` and `#[repr(C)]`");
            }
        }
        let refused = std::mem::take(&mut self.packing.refused);
        let mut said = Vec::new();
        for (packed, because) in self.api.packed.keep(|id| !refused.contains(&id)) {
            // A generic type is written once and may have been refused with many arguments. Where that is an error, the
            // one about what is within says all.
            if said.contains(&packed.place) || !self.diagnostics.skip_unsupported {
                continue;
            }
            said.push(packed.place.clone());
            let message = format!("`{}` is left out, as `{because}` in it cannot be packed", packed.name);
            self.diagnostics.warning(Some(&packed.place), message, "");
        }
        names_apart(self.api.packed.iter_mut().map(|one| (&mut one.name, &*one.source)));
        self.api.packed.find_defaults();
    }

    fn refuse_packed(&mut self, id: PackedId, what: String, help: &str) {
        let place = self.api.packed(id).place.clone();
        self.diagnostics.unsupported(&place, what, help);
        self.packing.refused.insert(id);
    }

    /// Lays out raw structs, each after those it holds. Any left at the end hold themselves.
    fn place_raw(&mut self) {
        // Types mostly come after those that hold them.
        let mut waiting: Vec<PackedId> = (0..self.api.packed.len() as u32)
            .rev()
            .map(PackedId)
            .filter(|id| matches!(self.api.packed(*id).body, PackedBody::Raw(_)))
            .filter(|id| !self.packing.refused.contains(id))
            .collect();
        let mut open: HashSet<PackedId> = waiting.iter().copied().collect();
        loop {
            let before = waiting.len();
            waiting.retain(|id| !self.placed(*id, &open) || !open.remove(id));
            if waiting.len() == before {
                break;
            }
        }
        for id in waiting.into_iter().rev() {
            let message = format!("`{}` holds itself as raw memory", self.api.packed(id).name);
            self.refuse_packed(id, message, "");
        }
    }

    /// Whether there is nothing to wait for: it is laid out now, or refused.
    fn placed(&mut self, id: PackedId, open: &HashSet<PackedId>) -> bool {
        let packed = self.api.packed(id);
        let PackedBody::Raw(raw) = &packed.body else { return true };
        let mut waits = |wire: &Wire| matches!(wire, Wire::Named(id) if open.contains(id));
        if raw.fields.iter().any(|field| field.wire.any(&mut waits)) {
            return false;
        }
        let managed = raw.fields.iter().find(|field| !self.api.packed.is_raw(&field.wire));
        match (managed, self.api.packed.place_raw(raw)) {
            (None, Some(placed)) if placed.layout.size <= MOST => {
                if let PackedBody::Raw(raw) = &mut self.api.packed[id.0 as usize].body {
                    raw.placed = placed;
                }
            }
            (None, _) => {
                let message = format!("`{}` is larger than a length can express", packed.name);
                self.refuse_packed(id, message, "");
            }
            (Some(field), _) => {
                let message = format!("`{}` is raw, and its field `{}` is not", packed.name, field.name);
                self.refuse_packed(id, message, "write `#[pack(struct)]` in place of `raw`");
            }
        }
        true
    }

    /// Whether it is declared as a managed struct but holds nothing managed. A refused type counts as managed.
    fn unmanaged(&self, id: PackedId) -> bool {
        let PackedBody::Object(Object { value: true, whole: true, members, .. }) = &self.api.packed(id).body
        else {
            return false;
        };
        let refused = |wire: &Wire| {
            wire.any(&mut |wire| matches!(wire, Wire::Named(id) if self.packing.refused.contains(id)))
        };
        !members.is_empty()
            && members.iter().all(|member| !refused(&member.wire) && self.api.packed.is_raw(&member.wire))
    }

    /// A union's variant that holds something other than a class.
    fn odd_case(&self, id: PackedId) -> Option<&str> {
        let PackedBody::Union(cases) = &self.api.packed(id).body else { return None };
        let odd = cases.iter().find(|case| match &case.wire {
            Wire::Named(id) => {
                let refused = self.packing.refused.contains(id);
                !refused
                    && !matches!(self.api.packed(*id).body, PackedBody::Object(Object { value: false, .. }))
            }
            _ => true,
        });
        odd.map(|case| case.name.as_str())
    }
}
