//! What a path means where it stands.

use crate::rust::source::{Crate, Module};
use std::collections::HashMap;
use syn::{Item, UseTree, Visibility};

/// A module of one of the crates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Home {
    /// An index into the crates.
    pub krate: usize,
    /// An index into the crate's modules.
    pub module: usize,
}

/// An item that declares a type, or a `bitflags!` that declares one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ItemAt {
    pub home: Home,
    /// An index into the module's items.
    pub item: usize,
    /// Which of the types it declares: `bitflags!` and `extern` blocks declare several.
    pub part: usize,
}

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    Item(ItemAt),
    Module(Home),
    /// A path into a crate whose source is not here (`std::ffi::c_void`).
    External(Vec<String>),
    Nothing,
}

/// Names and imports of every module.
pub struct Scope<'a> {
    crates: &'a [Crate],
    modules: HashMap<Home, Names>,
}

#[derive(Default)]
struct Names {
    items: HashMap<String, ItemAt>,
    imports: HashMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
}

/// Paths deeper than this lead in a circle.
const DEEPEST: usize = 32;

impl<'a> Scope<'a> {
    pub fn new(crates: &'a [Crate]) -> Scope<'a> {
        let mut modules = HashMap::new();
        for (krate, all) in crates.iter().enumerate() {
            for (module, one) in all.modules.iter().enumerate() {
                let home = Home { krate, module };
                modules.insert(home, names(home, one));
            }
        }
        Scope { crates, modules }
    }

    pub fn module(&self, home: Home) -> &'a Module {
        &self.crates[home.krate].modules[home.module]
    }

    pub fn crates(&self) -> &'a [Crate] {
        self.crates
    }

    /// What `path` means in `home`. With a leading `::` the first name is a crate.
    pub fn find(&self, home: Home, path: &syn::Path) -> Found {
        let names: Vec<String> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        match path.leading_colon {
            Some(_) => self.in_crate(&names, 0),
            None => self.follow(home, &names, 0),
        }
    }

    fn follow(&self, home: Home, names: &[String], depth: usize) -> Found {
        let Some((first, rest)) = names.split_first() else { return Found::Module(home) };
        if depth > DEEPEST {
            return Found::Nothing;
        }
        let module = self.module(home);
        match first.as_str() {
            "crate" | "$crate" => {
                return self.within(Home { module: 0, ..home }, rest, depth);
            }
            "self" => return self.within(home, rest, depth),
            "super" => {
                let Some(parent) = module.parent else { return Found::Nothing };
                return self.follow_from(Home { module: parent, ..home }, rest, depth);
            }
            _ => {}
        }
        match self.name(home, first, depth + 1) {
            Found::Module(inner) => self.within(inner, rest, depth),
            Found::Item(item) if rest.is_empty() => Found::Item(item),
            Found::External(mut path) => {
                path.extend_from_slice(rest);
                Found::External(path)
            }
            Found::Item(_) => Found::Nothing,
            Found::Nothing => self.in_crate(names, depth),
        }
    }

    /// After `super`, another `super` may follow.
    fn follow_from(&self, home: Home, names: &[String], depth: usize) -> Found {
        match names.first().map(String::as_str) {
            Some("super") => self.follow(home, names, depth + 1),
            _ => self.within(home, names, depth),
        }
    }

    /// What a path means that starts within a module: names outside of it do not count.
    fn within(&self, home: Home, names: &[String], depth: usize) -> Found {
        let Some((first, rest)) = names.split_first() else { return Found::Module(home) };
        match self.name(home, first, depth + 1) {
            Found::Module(inner) => self.within(inner, rest, depth + 1),
            Found::External(mut path) => {
                path.extend_from_slice(rest);
                Found::External(path)
            }
            found if rest.is_empty() => found,
            _ => Found::Nothing,
        }
    }

    /// One name in a module: an item, a module, an import, or what a glob brings.
    fn name(&self, home: Home, name: &str, depth: usize) -> Found {
        if depth > DEEPEST {
            return Found::Nothing;
        }
        let known = &self.modules[&home];
        if let Some(item) = known.items.get(name) {
            return Found::Item(*item);
        }
        if let Some((_, module)) = self.module(home).children.iter().find(|(child, _)| child == name) {
            return Found::Module(Home { module: *module, ..home });
        }
        if let Some(path) = known.imports.get(name) {
            // `use libc;` names a crate by itself.
            let itself = path.len() == 1 && path[0] == name;
            return if itself { self.in_crate(path, depth) } else { self.import(home, path, depth) };
        }
        for path in &known.globs {
            let mut outside = match self.import(home, path, depth) {
                Found::Module(inner) if inner != home => {
                    let found = self.name(inner, name, depth + 1);
                    if found != Found::Nothing {
                        return found;
                    }
                    continue;
                }
                Found::External(path) => path,
                // `use libc::*`.
                Found::Nothing if path.len() == 1 => path.clone(),
                _ => continue,
            };
            outside.push(name.to_owned());
            if super::builtin::certain(&outside).is_some() {
                return Found::External(outside);
            }
        }
        Found::Nothing
    }

    fn import(&self, home: Home, path: &[String], depth: usize) -> Found {
        match path.first().map(String::as_str) {
            Some("") => self.in_crate(&path[1..], depth),
            _ => self.follow(home, path, depth + 1),
        }
    }

    /// A path whose first name is a crate's.
    fn in_crate(&self, names: &[String], depth: usize) -> Found {
        let Some((first, rest)) = names.split_first() else { return Found::Nothing };
        match self.crates.iter().position(|krate| krate.name == *first) {
            Some(krate) => self.within(Home { krate, module: 0 }, rest, depth + 1),
            None if names.len() > 1 => Found::External(names.to_vec()),
            None => Found::Nothing,
        }
    }
}

/// An identifier without `r#`.
pub fn plain(ident: &syn::Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map(str::to_owned).unwrap_or(text)
}

fn names(home: Home, module: &Module) -> Names {
    let mut names = Names::default();
    for (index, item) in module.items.iter().enumerate() {
        let at = |part| ItemAt { home, item: index, part };
        match &item.item {
            Item::Struct(item) => drop(names.items.insert(plain(&item.ident), at(0))),
            Item::Enum(item) => drop(names.items.insert(plain(&item.ident), at(0))),
            Item::Union(item) => drop(names.items.insert(plain(&item.ident), at(0))),
            Item::Type(item) => drop(names.items.insert(plain(&item.ident), at(0))),
            Item::Trait(item) => drop(names.items.insert(plain(&item.ident), at(0))),
            Item::ForeignMod(block) => {
                for (part, item) in block.items.iter().enumerate() {
                    if let syn::ForeignItem::Type(item) = item {
                        names.items.insert(plain(&item.ident), at(part));
                    }
                }
            }
            Item::Macro(item) => {
                for (part, flags) in super::bitflags::names(&item.mac).into_iter().enumerate() {
                    names.items.insert(flags, at(part));
                }
            }
            Item::Use(item) => {
                let start = if item.leading_colon.is_some() { vec![String::new()] } else { Vec::new() };
                imports(&item.tree, start, &mut names);
            }
            Item::ExternCrate(item) => {
                let local = item.rename.as_ref().map_or(&item.ident, |(_, name)| name);
                names.imports.insert(plain(local), vec![String::new(), plain(&item.ident)]);
            }
            _ => {}
        }
    }
    names
}

fn imports(tree: &UseTree, mut path: Vec<String>, names: &mut Names) {
    match tree {
        UseTree::Path(tree) => {
            path.push(plain(&tree.ident));
            imports(&tree.tree, path, names);
        }
        UseTree::Group(tree) => tree.items.iter().for_each(|tree| imports(tree, path.clone(), names)),
        UseTree::Glob(_) => names.globs.push(path),
        UseTree::Name(tree) if tree.ident == "self" => {
            if let Some(last) = path.last().cloned() {
                names.imports.insert(last, path);
            }
        }
        UseTree::Name(tree) => {
            let name = plain(&tree.ident);
            path.push(name.clone());
            names.imports.insert(name, path);
        }
        UseTree::Rename(tree) => {
            if tree.ident != "self" {
                path.push(plain(&tree.ident));
            }
            names.imports.insert(plain(&tree.rename), path);
        }
    }
}

/// Whether an item is `pub` in any form but `pub(self)`.
pub fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}
