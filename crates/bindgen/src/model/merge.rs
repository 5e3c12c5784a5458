//! Several sources as one API.

use super::{Api, Declared, PackedId, TypeId};
use std::collections::{HashMap, HashSet};

impl Api {
    /// Adds all of `other`. Types that both have (same name, place and layout) become one.
    ///
    /// # Errors
    /// Types share only the name: which ones.
    pub fn append(&mut self, mut other: Api) -> Result<(), Vec<String>> {
        let mut places = Vec::with_capacity(other.types.len());
        let mut clashes = Vec::new();
        let mut next = self.types.len() as u32;
        let mut kept = Vec::with_capacity(other.types.len());
        let own = self.types.iter().enumerate().map(|(index, declared)| (declared.name.clone(), index));
        let own: HashMap<String, usize> = own.collect();
        for declared in &other.types {
            let known = own.get(&declared.name).map(|index| (*index, &self.types[*index]));
            match known {
                Some((index, known)) if is_same(known, declared) => {
                    places.push(TypeId(index as u32));
                    kept.push(false);
                }
                known => {
                    clashes.extend(known.map(|_| declared.name.clone()));
                    places.push(TypeId(next));
                    next += 1;
                    kept.push(true);
                }
            }
        }
        let names = |api: &Api| -> Vec<String> {
            let functions = api.functions.iter().map(|function| function.name.clone());
            let constants = api.constants.iter().map(|constant| constant.name.clone());
            functions
                .chain(constants)
                .chain(api.statics.iter().map(|variable| variable.name.clone()))
                .collect()
        };
        let taken: HashSet<String> = names(self).into_iter().collect();
        clashes.extend(names(&other).into_iter().filter(|name| taken.contains(name)));
        let (packed, kept_packed) = self.places_of_packed(&other, &mut clashes);
        if !clashes.is_empty() {
            return Err(clashes);
        }
        other.packed.renumber(|id| *id = packed[id.0 as usize]);
        let mut kept_packed = kept_packed.into_iter();
        other.packed.retain(|_| kept_packed.next().unwrap_or(true));
        self.packed.append(&mut other.packed);
        other.renumber(|id| *id = places[id.0 as usize]);
        let mut kept = kept.into_iter();
        other.types.retain(|_| kept.next().unwrap_or(true));
        self.types.append(&mut other.types);
        self.functions.append(&mut other.functions);
        self.constants.append(&mut other.constants);
        self.statics.append(&mut other.statics);
        self.fingerprints.append(&mut other.fingerprints);
        self.fingerprints.sort_unstable();
        Ok(())
    }

    /// Where the packed types of `other` end up, and which of them are not here yet.
    fn places_of_packed(&self, other: &Api, clashes: &mut Vec<String>) -> (Vec<PackedId>, Vec<bool>) {
        let (mut places, mut kept) = (Vec::new(), Vec::new());
        let mut next = self.packed.len() as u32;
        for packed in other.packed.iter() {
            let known = self.packed.iter().position(|known| known.name == packed.name);
            match known {
                Some(index) if self.packed[index].place == packed.place => {
                    places.push(PackedId(index as u32));
                    kept.push(false);
                }
                known => {
                    clashes.extend(known.map(|_| packed.name.clone()));
                    places.push(PackedId(next));
                    next += 1;
                    kept.push(true);
                }
            }
        }
        (places, kept)
    }
}

/// A crate's own type and the same type seen from another crate are spelled differently.
fn is_same(one: &Declared, other: &Declared) -> bool {
    let known = one.place.line > 0 && one.place == other.place;
    (known || one.source == other.source) && one.layout == other.layout
}
