//! Names that are two in the source and would be one in some language.

use super::{Api, Body, Place};
use crate::Diagnostics;
use crate::case::{around, capitals};
use heck::ToLowerCamelCase;
use std::collections::{BTreeMap, HashMap, HashSet};

impl Api {
    /// Gives what the user has named the names that the user has chosen.
    pub(crate) fn rename(&mut self, names: &BTreeMap<String, String>, diagnostics: &mut Diagnostics) {
        for (old, new) in names {
            let mut found = false;
            let mut own = |name: &mut String| {
                if name == old {
                    found = true;
                    name.clone_from(new);
                }
            };
            self.types.iter_mut().for_each(|declared| own(&mut declared.name));
            self.packed.iter_mut().for_each(|packed| own(&mut packed.name));
            self.statics.iter_mut().for_each(|variable| own(&mut variable.name));
            for constant in &mut self.constants {
                let whole = constant.name.clone();
                own(&mut constant.name);
                if constant.name != whole
                    && let Some(last) = constant.path.last_mut()
                {
                    last.clone_from(new);
                }
            }
            for function in &mut self.functions {
                let whole = function.name.clone();
                own(&mut function.name);
                if function.name != whole
                    && let Some(member) = &mut function.member
                {
                    member.name.clone_from(new);
                }
            }
            if !found {
                let message = format!("nothing is called `{old}`, which should be called `{new}`");
                diagnostics.error(None, message, "write the source's name: --rename OLD=NEW");
            }
        }
    }

    /// Gives one of two types that would be one class another name, and likewise of two functions, if some language
    /// changes the case of `types` and of `functions`; a warning says which. `chosen` has the names that a language has
    /// been told how to write.
    pub(crate) fn names_apart(
        &mut self,
        (types, functions): (bool, bool),
        chosen: &HashSet<String>,
        diagnostics: &mut Diagnostics,
    ) {
        if types {
            let classes = self.types.iter_mut().filter(|one| !matches!(one.body, Body::Alias(_)));
            let classes = classes.map(|one| Named { name: &mut one.name, place: &one.place });
            apart(classes.collect(), |name| around(name, capitals), "class", chosen, diagnostics);
        }
        if functions {
            let functions = self.functions.iter_mut();
            let functions = functions.map(|one| Named { name: &mut one.name, place: &one.place });
            apart(functions.collect(), |name| name.to_lower_camel_case(), "function", chosen, diagnostics);
        }
    }
}

struct Named<'a> {
    name: &'a mut String,
    place: &'a Place,
}

fn apart(
    mut all: Vec<Named>,
    shown: impl Fn(&str) -> String,
    what: &str,
    chosen: &HashSet<String>,
    diagnostics: &mut Diagnostics,
) {
    let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, one) in all.iter().enumerate().filter(|(_, one)| !chosen.contains(one.name)) {
        groups.entry(shown(one.name)).or_default().push(index);
    }
    let mut taken: HashSet<String> = groups.keys().cloned().collect();
    let mut groups: Vec<_> = groups.into_iter().filter(|(_, group)| group.len() > 1).collect();
    groups.sort_by_key(|(_, group)| group[0]);
    for (name, group) in groups {
        // The one that is spelled so keeps its name.
        let keeps = group.iter().copied().find(|index| *all[*index].name == name).unwrap_or(group[0]);
        let kept = all[keeps].name.clone();
        for index in group.into_iter().filter(|index| *index != keeps) {
            let (old, mut number) = (all[index].name.clone(), 2);
            while !taken.insert(shown(&format!("{old}_{number}"))) {
                number += 1;
            }
            let new = format!("{old}_{number}");
            let message =
                format!("`{old}` is called `{new}`: `{kept}` would be the same {what} in some languages");
            let help = format!("choose a name: --rename {old}=NAME");
            diagnostics.leaves_out(0, Some(all[index].place), message, help);
            *all[index].name = new;
        }
    }
}
