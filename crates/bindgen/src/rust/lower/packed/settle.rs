//! What is asked once all packed types are read: that raw ones are raw, that unions hold objects, that no name is
//! there twice, and that nobody holds what was refused.

use super::super::Lower;
use crate::model::{PackedBody, PackedId, Wire};
use std::collections::{HashMap, HashSet};

impl Lower<'_> {
    pub(super) fn settle(&mut self) {
        for index in 0..self.api.packed.len() {
            let id = PackedId(index as u32);
            if !self.packing.refused.contains(&id)
                && let Some((what, help)) = self.wrong_with(id)
            {
                let place = self.api.packed[index].place.clone();
                self.diagnostics.unsupported(&place, what, help);
                self.packing.refused.insert(id);
            }
        }
        let refused = std::mem::take(&mut self.packing.refused);
        let mut said = Vec::new();
        for (packed, because) in self.api.keep_packed(|id| !refused.contains(&id)) {
            // A generic type is written once and may have been refused with many arguments.
            if said.contains(&packed.place) {
                continue;
            }
            said.push(packed.place.clone());
            let message = format!("`{}` cannot be packed, as `{because}` in it cannot", packed.name);
            self.diagnostics.unsupported(&packed.place, message, "write `#[pack(ignore)]`");
        }
        self.packed_names_apart();
    }

    fn wrong_with(&self, id: PackedId) -> Option<(String, &'static str)> {
        let packed = self.api.packed(id);
        match &packed.body {
            PackedBody::Raw(raw) => {
                if self.holds_raw(id, id, &mut HashSet::new()) {
                    return Some((format!("`{}` holds itself as raw memory", packed.name), ""));
                }
                let managed = raw.fields.iter().find(|field| !self.is_raw_here(&field.wire))?;
                let message = format!("`{}` is raw, and its field `{}` is not", packed.name, managed.name);
                Some((message, "write `#[pack(struct)]` in place of `raw`"))
            }
            PackedBody::Union(cases) => {
                let odd = cases.iter().find(|case| match &case.wire {
                    Wire::Named(id) => {
                        let refused = self.packing.refused.contains(id);
                        !refused && !matches!(self.api.packed(*id).body, PackedBody::Object(_))
                    }
                    _ => true,
                })?;
                let message =
                    format!("the variant `{}` of the union `{}` holds no object", odd.name, packed.name);
                Some((message, "a union's variants hold types that derive `Pack` and are not raw"))
            }
            PackedBody::Object(_) | PackedBody::Enum { .. } => None,
        }
    }

    /// [`crate::model::Api::is_raw`], where types may hold themselves or be refused.
    fn is_raw_here(&self, wire: &Wire) -> bool {
        let circle = wire.any(&mut |part| match part {
            Wire::Named(id) => self.holds_raw(*id, *id, &mut HashSet::new()),
            _ => false,
        });
        !circle && self.api.is_raw(wire)
    }

    /// Whether `id` is in the memory of `of`.
    fn holds_raw(&self, id: PackedId, of: PackedId, seen: &mut HashSet<PackedId>) -> bool {
        let PackedBody::Raw(raw) = &self.api.packed(of).body else { return false };
        raw.fields.iter().any(|field| {
            field.wire.any(&mut |part| match part {
                Wire::Named(inner) => {
                    *inner == id || (seen.insert(*inner) && self.holds_raw(id, *inner, seen))
                }
                _ => false,
            })
        })
    }

    /// Gives types of one name different ones: the module goes before it, or else a number behind it.
    fn packed_names_apart(&mut self) {
        let mut count: HashMap<String, usize> = HashMap::new();
        for packed in &self.api.packed {
            *count.entry(packed.name.clone()).or_default() += 1;
        }
        let mut taken = HashSet::new();
        for packed in &mut self.api.packed {
            if count.get(&packed.name).is_some_and(|count| *count > 1) {
                let path: Vec<&str> = packed.source.split("::").filter(|name| *name != "crate").collect();
                if let [modules @ .., _] = &path[..]
                    && !modules.is_empty()
                {
                    packed.name = format!("{}_{}", modules.join("_"), packed.name);
                }
            }
            let own = packed.name.clone();
            let mut number = 2;
            while !taken.insert(packed.name.clone()) {
                packed.name = format!("{own}_{number}");
                number += 1;
            }
        }
    }
}
