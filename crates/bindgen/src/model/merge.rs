//! Several sources as one API.

use super::{Api, TypeId};

impl Api {
    /// Adds all of `other`. Types that both have (the same name, source, layout and place) become one; those
    /// that only share a name are returned, named.
    pub fn append(&mut self, mut other: Api) -> Result<(), Vec<String>> {
        let mut places = Vec::with_capacity(other.types.len());
        let mut clashes = Vec::new();
        let mut next = self.types.len() as u32;
        let mut kept = Vec::with_capacity(other.types.len());
        for declared in &other.types {
            let known = self.types.iter().position(|known| known.name == declared.name);
            match known.map(|index| (index, &self.types[index])) {
                Some((index, known))
                    if known.source == declared.source && known.layout == declared.layout =>
                {
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
        let own: std::collections::HashSet<String> = names(self).into_iter().collect();
        clashes.extend(names(&other).into_iter().filter(|name| own.contains(name)));
        if !clashes.is_empty() {
            return Err(clashes);
        }
        other.renumber(&|id| *id = places[id.0 as usize]);
        let mut kept = kept.into_iter();
        other.types.retain(|_| kept.next().unwrap_or(true));
        self.types.append(&mut other.types);
        self.functions.append(&mut other.functions);
        self.constants.append(&mut other.constants);
        self.statics.append(&mut other.statics);
        Ok(())
    }
}
