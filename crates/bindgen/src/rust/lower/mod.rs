//! Items become the model: names are resolved, types that functions use are declared, once for each set of
//! generic arguments, and the probe is told what to measure and where.

mod attributes;
mod bitflags;
mod builtin;
mod constants;
mod declare;
mod enums;
mod exports;
mod functions;
mod idioms;
mod links;
mod packed;
mod scope;
mod spell;
mod system;
mod ty;
mod values;

pub(super) use attributes::value_of;
pub(super) use bitflags::names as flag_names;
pub(super) use functions::is_exported;
pub(super) use scope::is_private;
pub(super) use values::Known;

use super::Input;
use super::source::{Crate, Item};
use crate::diagnostics::Diagnostics;
use crate::model::{Api, Body, Declared, Place, Signature, Ty, TypeId};
use crate::probe::{Plan, Subject};
use proc_macro2::Span;
use scope::{Found, Home, ItemAt, Scope};
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// The reason has been reported.
pub(super) struct Refused;

type Lowered<T> = Result<T, Refused>;

/// The API of one crate. `crates` includes its dependencies, as far as their sources are available; types are
/// taken from them, functions are not.
///
/// If the plan has [`Plan::values`], generic types depend on values that are not `known` yet: discard the API
/// and call this again when they are.
pub(super) fn lower(
    crates: &[Crate],
    root: usize,
    input: &Input,
    known: &Known,
    diagnostics: &mut Diagnostics,
) -> (Api, Plan) {
    let mut lower = Lower {
        scope: Scope::new(crates),
        root,
        input,
        api: Api::default(),
        plan: Plan { cfgs: crates[root].decided.clone(), ..Plan::new(crates[root].source.clone()) },
        known: HashMap::new(),
        values: known,
        states: Vec::new(),
        waiting: VecDeque::new(),
        handles: HashSet::new(),
        releases: Vec::new(),
        depth: 0,
        whereabouts: HashSet::new(),
        packing: packed::Packing::default(),
        taken: HashMap::new(),
        diagnostics,
    };
    lower.find_handles();
    lower.find_whereabouts();
    lower.functions();
    lower.included_types();
    lower.declare_waiting();
    lower.constants();
    lower.declare_waiting();
    names_apart(lower.api.types.iter_mut().map(|one| (&mut one.name, &*one.source)));
    lower.name_errors_apart();
    lower.packed_types();
    lower.api.mark_contexts();
    (lower.api, lower.plan)
}

/// One crate on its way into the model.
struct Lower<'a> {
    scope: Scope<'a>,
    root: usize,
    input: &'a Input,
    api: Api,
    plan: Plan,
    known: HashMap<Key, TypeId>,
    values: &'a Known,
    /// One for each of the API's types.
    states: Vec<State>,
    /// Types that have only been seen behind a pointer so far.
    waiting: VecDeque<TypeId>,
    /// Types with an exported `impl` block.
    handles: HashSet<ItemAt>,
    /// Names of constants that tell where a build writes.
    whereabouts: HashSet<String>,
    /// Functions that free handles and were not chosen.
    releases: Vec<(Context, upcall_shim::Shim)>,
    /// How many function pointers surround the type being read.
    depth: usize,
    packing: packed::Packing,
    /// Names of functions, constants and statics, and the modules they are from.
    taken: HashMap<String, Vec<String>>,
    diagnostics: &'a mut Diagnostics,
}

/// What identifies a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Item(ItemAt, Vec<Argument>),
    Idiom(&'static str, Vec<Ty>),
}

/// A generic argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Argument {
    Type(Ty),
    Const(String),
}

/// How far the reading of a type has come.
#[derive(Clone)]
enum State {
    /// Named, its body still to be read with these generic arguments.
    Waiting(ItemAt, Rc<Generics>),
    /// Its body is being read: a type that holds it by value now would hold itself, unless it is a parameter of a
    /// function pointer, so that [`Lower::depth`] is another. `None` if even that never ends: a transparent type
    /// is passed as what it holds.
    Open(Option<usize>),
    Done,
    /// It cannot cross by value; the reason has been reported.
    Refused,
}

/// Generic parameters and their arguments.
#[derive(Clone, Debug, Default)]
struct Generics {
    /// Where the texts are resolved.
    origin: Option<Home>,
    types: HashMap<String, (Ty, String)>,
    consts: HashMap<String, String>,
}

/// Where a type stands.
#[derive(Clone)]
struct Context {
    home: Home,
    file: Arc<Path>,
    made_at: Option<(usize, usize)>,
    generics: Rc<Generics>,
    /// The meaning of `Self` here.
    itself: Option<syn::Type>,
}

impl Context {
    fn new(home: Home, item: &Item) -> Context {
        Context {
            home,
            file: item.file.clone(),
            made_at: item.made_at,
            generics: Rc::default(),
            itself: None,
        }
    }

    fn place(&self, span: Span) -> Place {
        let (line, column) = self.made_at.unwrap_or_else(|| {
            let start = span.start();
            (start.line, start.column + 1)
        });
        Place { file: self.file.to_path_buf(), line, column }
    }
}

impl<'a> Lower<'a> {
    fn item(&self, at: ItemAt) -> &'a Item {
        &self.scope.module(at.home).items[at.item]
    }
}

impl Lower<'_> {
    fn refuse(&mut self, place: &Place, message: impl Into<String>, help: impl Into<String>) -> Refused {
        self.diagnostics.unsupported(place, message, help);
        Refused
    }

    /// A new type, whose body comes later.
    fn add(&mut self, declared: Declared, subject: Option<Subject>, state: State) -> TypeId {
        let id = TypeId(self.api.types.len() as u32);
        self.api.types.push(declared);
        self.plan.types.push(subject);
        self.states.push(state);
        id
    }

    /// Reads the bodies of types that were only mentioned behind pointers.
    fn declare_waiting(&mut self) {
        while let Some(id) = self.waiting.pop_front() {
            self.declare(id);
        }
    }

    /// Types that are wanted although no function uses them. One of several crates has them.
    fn included_types(&mut self) {
        for name in self.input.types.clone() {
            let home = Home { krate: self.root, module: 0 };
            let path = syn::parse_str::<syn::Path>(&name);
            let find = |krate| path.as_ref().map(|path| self.scope.find(Home { krate, module: 0 }, path));
            let elsewhere = || {
                let mut crates = 0..self.scope.crates().len();
                crates.any(|krate| matches!(find(krate), Ok(Found::Item(at)) if at.home.krate == krate))
            };
            match find(self.root) {
                Ok(Found::Item(at)) => {
                    let context = Context::new(at.home, self.item(at));
                    if let Ok(ty) = syn::parse_str::<syn::Type>(&name) {
                        // The refusal has been reported.
                        let _ = self.value(&Context { home, ..context }, &ty);
                    }
                }
                _ if elsewhere() => {}
                _ => self.diagnostics.error(
                    None,
                    format!("the type `{name}`, which should be included, was not found"),
                    "write its path from the crate's root",
                ),
            }
        }
    }

    /// The signature behind a type that is a callback.
    fn callback(&mut self, ty: &Ty) -> Option<&mut Signature> {
        let id = match ty {
            Ty::Named(id) => *id,
            _ => return None,
        };
        match &mut self.api.types[id.0 as usize].body {
            Body::Callback { signature, .. } => Some(signature),
            _ => None,
        }
    }
}

/// Gives types that share a name different ones: prefixed with the module, or else with a number appended. With each
/// name is its path.
fn names_apart<'n>(types: impl Iterator<Item = (&'n mut String, &'n str)>) {
    let mut types: Vec<_> = types.collect();
    let mut count: HashMap<String, usize> = HashMap::new();
    types.iter().for_each(|(name, _)| *count.entry((*name).clone()).or_default() += 1);
    let mut taken: HashSet<String> = HashSet::new();
    for (name, source) in &mut types {
        let path = source.split('<').next().unwrap_or_default();
        let path: Vec<&str> = path.split("::").filter(|part| !["crate", ""].contains(part)).collect();
        if let [modules @ .., _] = &path[..]
            && !modules.is_empty()
            && count[&**name] > 1
        {
            **name = format!("{}_{name}", modules.join("_"));
        }
        // A parameter's `Wrapper_u8` may clash with a type of that name.
        let (own, mut number) = (name.clone(), 2);
        while !taken.insert(name.clone()) {
            **name = format!("{own}_{number}");
            number += 1;
        }
    }
}
