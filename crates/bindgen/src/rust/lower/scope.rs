//! What a path means where it stands.

use crate::rust::source::{Crate, Module};
use std::collections::{HashMap, HashSet};
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
    /// A path into a crate whose source is not read (`std::ffi::c_void`).
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
    /// Paths, and whether others see the names they bring in.
    globs: Vec<(Vec<String>, bool)>,
    /// Items and imports that globs elsewhere do not bring in.
    private: HashSet<String>,
}

/// Imports of imports of imports: more than this many would overflow the stack.
const DEEPEST: usize = 500;

/// One search. Globs lead in circles (`use super::*` there, `pub use inner::*` here) and to the same module in
/// many ways, so each name is looked up in each module only once.
#[derive(Default)]
struct Search {
    /// By module, whether private names count, and name. `None` during the lookup.
    known: HashMap<(Home, bool, String), Option<Found>>,
    depth: usize,
}

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

    /// The meaning of `path` in `home`. With a leading `::` the first name is a crate.
    pub fn find(&self, home: Home, path: &syn::Path) -> Found {
        let names: Vec<String> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        let mut search = Search::default();
        match path.leading_colon {
            Some(_) => self.in_crate(home, &names, &mut search),
            None => self.follow(home, &names, &mut search),
        }
    }

    fn follow(&self, home: Home, names: &[String], search: &mut Search) -> Found {
        let Some((first, rest)) = names.split_first() else { return Found::Module(home) };
        let module = self.module(home);
        match first.as_str() {
            "crate" | "$crate" => {
                return self.within(Home { module: 0, ..home }, rest, search);
            }
            "self" => return self.within(home, rest, search),
            "super" => {
                let Some(parent) = module.parent else { return Found::Nothing };
                return self.follow_from(Home { module: parent, ..home }, rest, search);
            }
            _ => {}
        }
        match self.name(home, true, first, search) {
            Found::Nothing => self.in_crate(home, names, search),
            found => self.beyond(found, rest, search),
        }
    }

    /// After `super`, another `super` may follow.
    fn follow_from(&self, home: Home, names: &[String], search: &mut Search) -> Found {
        match names.first().map(String::as_str) {
            Some("super") => self.follow(home, names, search),
            _ => self.within(home, names, search),
        }
    }

    /// The meaning of a path that starts within a module: names outside it do not count.
    fn within(&self, home: Home, names: &[String], search: &mut Search) -> Found {
        let Some((first, rest)) = names.split_first() else { return Found::Module(home) };
        let found = self.name(home, true, first, search);
        self.beyond(found, rest, search)
    }

    /// What is behind the first name of a path.
    fn beyond(&self, found: Found, rest: &[String], search: &mut Search) -> Found {
        match found {
            Found::Module(inner) => self.within(inner, rest, search),
            Found::External(mut path) => {
                path.extend_from_slice(rest);
                Found::External(path)
            }
            found if rest.is_empty() => found,
            _ => Found::Nothing,
        }
    }

    /// One name in a module: an item, a module, an import, or a glob's. `inside` is whether private
    /// names count: they do, except for a glob of a module that does not enclose this one.
    fn name(&self, home: Home, inside: bool, name: &str, search: &mut Search) -> Found {
        let (known, module) = (&self.modules[&home], self.module(home));
        let seen = inside || !known.private.contains(name);
        if let Some(item) = known.items.get(name).filter(|_| seen) {
            return Found::Item(*item);
        }
        let mut children =
            module.children.iter().map(|(child, index)| (child, Home { module: *index, ..home }));
        if let Some((_, child)) =
            children.find(|(child, at)| *child == name && (inside || !self.module(*at).private))
        {
            return Found::Module(child);
        }
        if known.imports.is_empty() && known.globs.is_empty() || search.depth > DEEPEST {
            return Found::Nothing;
        }
        let key = (home, inside, name.to_owned());
        if let Some(found) = search.known.get(&key) {
            return found.clone().unwrap_or(Found::Nothing);
        }
        search.known.insert(key.clone(), None);
        search.depth += 1;
        let found = match known.imports.get(name).filter(|_| seen) {
            // `use libc;` names a crate by itself.
            Some(path) if path.len() == 1 && path[0] == name => self.in_crate(home, path, search),
            Some(path) => match self.import(home, path, search) {
                // `use upcall_pack as pack;`
                Found::Nothing if path.len() == 1 => Found::External(self.own_names(home, path)),
                found => found,
            },
            None => self.in_globs(home, inside, name, search),
        };
        search.depth -= 1;
        search.known.insert(key, Some(found.clone()));
        found
    }

    /// What one of the globs brings in: preferably an existing item, rather than a name that a crate may have.
    fn in_globs(&self, home: Home, inside: bool, name: &str, search: &mut Search) -> Found {
        let mut external = Found::Nothing;
        for (path, public) in &self.modules[&home].globs {
            if !inside && !public {
                continue;
            }
            let found = match self.import(home, path, search) {
                Found::Module(inner) if inner != home => {
                    self.name(inner, self.is_around(inner, home), name, search)
                }
                Found::External(path) => certain(path, name),
                // `use libc::*`.
                Found::Nothing if path.len() == 1 => certain(self.own_names(home, path), name),
                _ => Found::Nothing,
            };
            match found {
                Found::Item(_) | Found::Module(_) => return found,
                Found::External(_) if external == Found::Nothing => external = found,
                _ => {}
            }
        }
        external
    }

    /// Whether `outer` is a module around `inner`.
    fn is_around(&self, outer: Home, inner: Home) -> bool {
        let mut up = Some(inner);
        while let Some(home) = up.filter(|home| *home != outer) {
            up = self.module(home).parent.map(|module| Home { module, ..home });
        }
        up.is_some()
    }

    fn import(&self, home: Home, path: &[String], search: &mut Search) -> Found {
        match path.first().map(String::as_str) {
            Some("") => self.in_crate(home, &path[1..], search),
            _ => self.follow(home, path, search),
        }
    }

    /// A path whose first name is a crate's, with the name that the crate gives itself.
    fn own_names(&self, home: Home, names: &[String]) -> Vec<String> {
        let mut names = names.to_vec();
        let renamed = &self.crates[home.krate].renamed;
        if let Some(own) = names.first().and_then(|first| renamed.get(first)) {
            names[0].clone_from(own);
        }
        names
    }

    /// What a crate calls a dependency that gives itself this name.
    pub fn local_name<'b>(&'b self, krate: usize, own: &'b str) -> &'b str {
        let mut renamed = self.crates[krate].renamed.iter();
        renamed.find(|(_, name)| *name == own).map_or(own, |(local, _)| local)
    }

    /// A path whose first name is a crate's.
    fn in_crate(&self, home: Home, names: &[String], search: &mut Search) -> Found {
        let names = &self.own_names(home, names)[..];
        let Some((first, rest)) = names.split_first() else { return Found::Nothing };
        match self.crates.iter().position(|krate| krate.name == *first) {
            Some(krate) => self.within(Home { krate, module: 0 }, rest, search),
            None if names.len() > 1 => Found::External(names.to_vec()),
            None => Found::Nothing,
        }
    }
}

/// A name of a crate whose source is not read, if the crate is known to have it.
fn certain(mut path: Vec<String>, name: &str) -> Found {
    path.push(name.to_owned());
    let known = super::builtin::certain(&path).is_some() || super::packed::is_library(&path);
    if known { Found::External(path) } else { Found::Nothing }
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
            Item::Struct(item) => names.item(&item.ident, &item.vis, at(0)),
            Item::Enum(item) => names.item(&item.ident, &item.vis, at(0)),
            Item::Union(item) => names.item(&item.ident, &item.vis, at(0)),
            Item::Type(item) => names.item(&item.ident, &item.vis, at(0)),
            Item::Trait(item) => names.item(&item.ident, &item.vis, at(0)),
            Item::ForeignMod(block) => {
                for (part, item) in block.items.iter().enumerate() {
                    if let syn::ForeignItem::Type(item) = item {
                        names.item(&item.ident, &item.vis, at(part));
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
                names.imports(&item.tree, start, is_private(&item.vis));
            }
            Item::ExternCrate(item) => {
                let local = item.rename.as_ref().map_or(&item.ident, |(_, name)| name);
                let path = match item.ident == "self" {
                    true => vec!["crate".to_owned()],
                    false => vec![String::new(), plain(&item.ident)],
                };
                names.import(plain(local), path, is_private(&item.vis));
            }
            _ => {}
        }
    }
    names
}

impl Names {
    fn item(&mut self, ident: &syn::Ident, visibility: &Visibility, at: ItemAt) {
        if is_private(visibility) {
            self.private.insert(plain(ident));
        }
        self.items.insert(plain(ident), at);
    }

    fn import(&mut self, name: String, path: Vec<String>, private: bool) {
        if private {
            self.private.insert(name.clone());
        }
        self.imports.insert(name, path);
    }

    fn imports(&mut self, tree: &UseTree, mut path: Vec<String>, private: bool) {
        match tree {
            UseTree::Path(tree) => {
                path.push(plain(&tree.ident));
                self.imports(&tree.tree, path, private);
            }
            UseTree::Group(tree) => {
                tree.items.iter().for_each(|tree| self.imports(tree, path.clone(), private));
            }
            UseTree::Glob(_) => self.globs.push((path, !private)),
            UseTree::Name(tree) if tree.ident == "self" => {
                if let Some(last) = path.last().cloned() {
                    self.import(last, path, private);
                }
            }
            UseTree::Name(tree) => {
                let name = plain(&tree.ident);
                path.push(name.clone());
                self.import(name, path, private);
            }
            UseTree::Rename(tree) => {
                if tree.ident != "self" {
                    path.push(plain(&tree.ident));
                }
                self.import(plain(&tree.rename), path, private);
            }
        }
    }
}

/// Whether only the module itself and its children see an item. `pub(super)` and the like are seen by more.
pub fn is_private(visibility: &Visibility) -> bool {
    match visibility {
        Visibility::Inherited => true,
        Visibility::Restricted(to) => to.path.is_ident("self"),
        Visibility::Public(_) => false,
    }
}

/// Whether everyone may see an item: `pub` alone.
pub fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}
