//! Types with `#[derive(Pack)]` and their form on the wire. None of it is measured: the wire's rules say
//! where things lie.

mod attributes;
mod body;
mod library;
mod numbers;
mod settle;
mod wires;

use super::scope::{ItemAt, plain};
use super::{Context, Lower, Lowered};
use crate::model::{Packed, PackedBody, PackedId, Wire};
use crate::rust::source;
use std::collections::{HashMap, HashSet, VecDeque};
use syn::spanned::Spanned;
use syn::{Item, TypePath};

/// Generic arguments, in place of their parameters.
#[derive(Clone, Default)]
struct Types {
    wires: HashMap<String, Wire>,
    lengths: HashMap<String, u64>,
    /// In the order of the parameters; a length is represented by an array of that length.
    arguments: Vec<Wire>,
    /// The meaning of `Self`.
    itself: Option<Wire>,
}

/// The packed types of one crate on their way into the model.
#[derive(Default)]
pub(super) struct Packing {
    known: HashMap<(ItemAt, Vec<Wire>), PackedId>,
    waiting: VecDeque<(PackedId, ItemAt, Types)>,
    /// The reason has been reported.
    refused: HashSet<PackedId>,
}

/// Names of generic arguments longer than this belong to a type that never ends.
const LONGEST: usize = 250;

impl Lower<'_> {
    /// All packed types of the crate that have no parameters, and the types they use.
    pub(super) fn packed_types(&mut self) {
        for home in self.homes() {
            for item in 0..self.scope.module(home).items.len() {
                let at = ItemAt { home, item, part: 0 };
                let one = self.item(at);
                let generic = head(&one.item).is_some_and(|head| {
                    head.generics.params.iter().any(|param| !matches!(param, syn::GenericParam::Lifetime(_)))
                });
                if one.hidden || generic || !is_packed(one) {
                    continue;
                }
                self.add_packed(at, Types::default());
                self.packed_bodies();
            }
        }
        self.settle();
    }

    /// A packed type that another uses.
    fn mention_packed(
        &mut self,
        context: &Context,
        types: &Types,
        at: ItemAt,
        path: &TypePath,
        depth: usize,
    ) -> Lowered<Wire> {
        let place = context.place(path.span());
        let text = super::ty::written(path);
        let item = self.item(at);
        if !is_packed(item) {
            let message = format!("`{text}` does not derive `Pack`");
            return Err(self.refuse(&place, message, "derive it, or write `#[pack(ignore)]`"));
        }
        let generics = head(&item.item).map(|head| head.generics.clone()).unwrap_or_default();
        let bound = self.bind_wires(context, types, &generics, path, depth)?;
        if bound.arguments.iter().map(|argument| self.wire_name(argument).len()).sum::<usize>() > LONGEST {
            let message = format!("`{text}` holds itself with ever more arguments");
            return Err(self.refuse(&place, message, "hold it with its own arguments"));
        }
        Ok(Wire::Named(self.add_packed(at, bound)))
    }

    fn add_packed(&mut self, at: ItemAt, mut types: Types) -> PackedId {
        let key = (at, types.arguments.clone());
        if let Some(id) = self.packing.known.get(&key) {
            return *id;
        }
        let id = PackedId(self.api.packed.len() as u32);
        let item = self.item(at);
        let context = Context::new(at.home, item);
        let Some(head) = head(&item.item) else { return id };
        let own = plain(head.ident);
        let parts = types.arguments.iter().map(|argument| self.wire_name(argument));
        let name = std::iter::once(own.clone()).chain(parts).collect::<Vec<_>>().join("_");
        let packed = Packed {
            name,
            source: self.path(at, &own),
            docs: super::attributes::docs(head.attributes),
            deprecated: super::attributes::deprecated(head.attributes),
            place: context.place(head.ident.span()),
            body: PackedBody::Union(Vec::new()),
            has_default: false,
        };
        self.api.packed.push(packed);
        self.packing.known.insert(key, id);
        types.itself = Some(Wire::Named(id));
        self.packing.waiting.push_back((id, at, types));
        id
    }

    fn packed_bodies(&mut self) {
        while let Some((id, at, types)) = self.packing.waiting.pop_front() {
            match self.packed_body(at, &types) {
                Ok(body) => self.api.packed[id.0 as usize].body = body,
                Err(_) => drop(self.packing.refused.insert(id)),
            }
        }
    }

    /// The name of a type within the name of a generic one.
    fn wire_name(&self, wire: &Wire) -> String {
        let join =
            |parts: &[&Wire]| parts.iter().map(|part| self.wire_name(part)).collect::<Vec<_>>().join("_");
        match wire {
            Wire::Int(int) => int.rust_name().to_owned(),
            Wire::Named(id) => self.api.packed(*id).name.clone(),
            Wire::Fixed { len, .. } => len.to_string(),
            Wire::Known(known) => format!("{known:?}"),
            Wire::Text(_) => "String".to_owned(),
            Wire::List { of, kind } => format!("{kind:?}_{}", self.wire_name(of)),
            Wire::Map { key, value, .. } => format!("Map_{}", join(&[key, value])),
            Wire::Optional(of) => format!("Option_{}", self.wire_name(of)),
            Wire::Float(crate::model::Float::F32) => "f32".to_owned(),
            Wire::Float(crate::model::Float::F64) => "f64".to_owned(),
            Wire::Bool => "bool".to_owned(),
            Wire::Rune => "char".to_owned(),
            other => {
                let text = format!("{other:?}");
                let name = text.split([' ', '(', '{']).next().unwrap_or_default().to_owned();
                let parts = other.parts();
                if parts.is_empty() { name } else { format!("{name}_{}", join(&parts)) }
            }
        }
    }
}

/// The parts of an item that all packed types have.
struct Head<'a> {
    ident: &'a syn::Ident,
    attributes: &'a [syn::Attribute],
    generics: &'a syn::Generics,
}

fn head(item: &Item) -> Option<Head<'_>> {
    match item {
        Item::Struct(item) => {
            Some(Head { ident: &item.ident, attributes: &item.attrs, generics: &item.generics })
        }
        Item::Enum(item) => {
            Some(Head { ident: &item.ident, attributes: &item.attrs, generics: &item.generics })
        }
        _ => None,
    }
}

/// Whether it derives `Pack`. The compiler's macro expansion has no derives left, only their helper attributes.
fn is_packed(item: &source::Item) -> bool {
    head(&item.item).is_some_and(|head| {
        let reads = || head.attributes.iter().any(|attribute| attribute.path().is_ident("pack"));
        attributes::derives_pack(head.attributes) || (item.made_at.is_some() && reads())
    })
}

/// Whether a path certainly leads to a type of `upcall-pack`.
pub(super) fn is_library(path: &[String]) -> bool {
    !matches!(path.first().map(String::as_str), Some("std" | "core" | "alloc"))
        && library::external(path).is_some()
}
