//! Several sources as one API.

use super::{Api, Declared, Packed};
use std::collections::{HashMap, HashSet};

impl Api {
    /// Adds all of `other`. Types that both have (same name, place and layout) become one.
    ///
    /// # Errors
    /// Types share only the name: which ones.
    pub fn append(&mut self, mut other: Api) -> Result<(), Vec<String>> {
        let mut clashes = Vec::new();
        let names = |api: &Api| -> Vec<String> {
            let functions = api.functions.iter().map(|function| function.name.clone());
            let constants = api.constants.iter().map(|constant| constant.name.clone());
            let statics = api.statics.iter().map(|variable| variable.name.clone());
            functions.chain(constants).chain(statics).collect()
        };
        let named = |one: &Declared| one.name.clone();
        let types = places(&self.types, &mut other.types, named, is_same, &mut clashes);
        let taken: HashSet<String> = names(self).into_iter().collect();
        clashes.extend(names(&other).into_iter().filter(|name| taken.contains(name)));
        let (named, same) =
            (|one: &Packed| one.name.clone(), |one: &Packed, other: &Packed| one.place == other.place);
        let packed = places(&self.packed.types, &mut other.packed.types, named, same, &mut clashes);
        if !clashes.is_empty() {
            return Err(clashes);
        }
        other.packed.renumber(|id| id.0 = packed[id.0 as usize]);
        self.packed.append(&mut other.packed);
        other.renumber(|id| id.0 = types[id.0 as usize]);
        self.types.append(&mut other.types);
        self.functions.append(&mut other.functions);
        self.constants.append(&mut other.constants);
        self.statics.append(&mut other.statics);
        self.fingerprints.append(&mut other.fingerprints);
        self.fingerprints.sort_unstable();
        Ok(())
    }
}

/// Where the types of another list will be: in the place of one that is here already, or behind all that are. Those that
/// are here already leave the other list.
fn places<T>(
    own: &[T],
    other: &mut Vec<T>,
    name: impl Fn(&T) -> String,
    same: impl Fn(&T, &T) -> bool,
    clashes: &mut Vec<String>,
) -> Vec<u32> {
    let known: HashMap<String, usize> = own.iter().enumerate().map(|(at, one)| (name(one), at)).collect();
    let (mut places, mut next) = (Vec::with_capacity(other.len()), own.len() as u32);
    other.retain(|one| {
        let before = known.get(&name(one)).copied();
        let is_here = before.filter(|at| same(&own[*at], one));
        clashes.extend(before.filter(|_| is_here.is_none()).map(|_| name(one)));
        places.push(is_here.map_or(next, |at| at as u32));
        next += u32::from(is_here.is_none());
        is_here.is_none()
    });
    places
}

/// A crate's own type and the same type seen from another crate are spelled differently.
fn is_same(one: &Declared, other: &Declared) -> bool {
    let known = one.place.line > 0 && one.place == other.place;
    (known || one.source == other.source) && one.layout == other.layout
}
