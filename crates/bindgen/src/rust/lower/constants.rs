//! Constants of scalar types and of text.

use super::scope::{Found, Home, ItemAt, is_public, plain};
use super::ty::written;
use super::{Context, Lower, attributes};
use crate::glob::fits;
use crate::model::{Body, Constant, Int, Ty, TypeId, Value};
use crate::probe::Subject;
use crate::rust::source::words;
use proc_macro2::Span;
use quote::ToTokens;
use std::collections::HashSet;
use syn::{Attribute, Expr, Ident, ImplItem, Item, ItemImpl, Type};

impl Lower<'_> {
    /// All public constants, and those of the types that are part of the API.
    pub(super) fn constants(&mut self) {
        for home in self.homes() {
            for index in 0..self.scope.module(home).items.len() {
                let item = &self.scope.module(home).items[index];
                let context = Context::new(home, item);
                match &item.item {
                    Item::Const(item) if is_public(&item.vis) && item.generics.params.is_empty() => {
                        let name = plain(&item.ident);
                        let text = item.ident.to_string();
                        let path = [self.public_path(home), vec![name.clone()]].concat();
                        self.constant(&context, (name, path), text, &item.ty, &item.attrs, item.ident.span());
                    }
                    Item::Impl(block) if block.trait_.is_none() && block.generics.params.is_empty() => {
                        self.associated(&context, block);
                    }
                    _ => {}
                }
            }
        }
    }

    /// The names of constants whose values depend on where the build script writes, and of those that use such constants:
    /// cargo decides that anew for each build, so that only the library itself knows it.
    pub(super) fn find_whereabouts(&mut self) {
        let mut uses: Vec<(String, HashSet<String>)> = Vec::new();
        let mut note = |name: &Ident, mut value: &Expr| {
            if let Expr::Lit(_) = value {
                return;
            }
            let mut used = HashSet::new();
            // Thousands of operators in a row nest as deeply as there are operators.
            while let Expr::Binary(pair) = value {
                used.extend(words(pair.right.to_token_stream()));
                value = &pair.left;
            }
            used.extend(words(value.to_token_stream()));
            uses.push((plain(name), used));
        };
        for item in self.scope.crates()[self.root].modules.iter().flat_map(|module| &module.items) {
            match &item.item {
                Item::Const(item) => note(&item.ident, &item.expr),
                Item::Static(item) => note(&item.ident, &item.expr),
                Item::Impl(block) => block.items.iter().for_each(|item| {
                    if let ImplItem::Const(item) = item {
                        note(&item.ident, &item.expr);
                    }
                }),
                _ => {}
            }
        }
        let mut found = HashSet::from(["\"OUT_DIR\"".to_owned()]);
        while let Some(at) = uses.iter().position(|(_, words)| !words.is_disjoint(&found)) {
            found.insert(uses.swap_remove(at).0);
        }
        self.whereabouts = found;
    }

    fn associated(&mut self, context: &Context, block: &ItemImpl) {
        let Type::Path(path) = &*block.self_ty else { return };
        let Found::Item(at) = self.scope.find(context.home, &path.path) else { return };
        let Some(owner) = self.plain_type(at) else { return };
        if matches!(self.api.get(owner).body, Body::Flags(_)) {
            return;
        }
        let owner = self.api.get(owner).name.clone();
        let mut path = self.public_path(context.home);
        path.push(owner.clone());
        let context = Context { itself: Some((*block.self_ty).clone()), ..context.clone() };
        for item in &block.items {
            if let ImplItem::Const(item) = item
                && is_public(&item.vis)
            {
                let own = plain(&item.ident);
                let names = (format!("{owner}_{own}"), [&path[..], &[own]].concat());
                let (_, ty) = self.spelling(&context, &block.self_ty);
                let text = format!("<{ty}>::{}", item.ident);
                self.constant(&context, names, text, &item.ty, &item.attrs, item.ident.span());
            }
        }
    }

    /// The public modules on the way to this one. A private one is left out, as its items are known by the names
    /// under which they are re-exported.
    pub(super) fn public_path(&self, home: Home) -> Vec<String> {
        let mut path = Vec::new();
        let mut module = self.scope.module(home);
        while let Some(parent) = module.parent {
            if module.public {
                path.extend(module.path.last().cloned());
            }
            module = self.scope.module(Home { module: parent, ..home });
        }
        path.reverse();
        path
    }

    /// The type of an item without parameters, if it is part of the API.
    fn plain_type(&self, at: ItemAt) -> Option<TypeId> {
        self.known(&super::Key::Item(at, Vec::new()))
    }

    /// Whether a type is `&str` or `&CStr`.
    pub(super) fn is_text(&mut self, context: &Context, ty: &Type) -> bool {
        self.constant_type(context, ty)
            .is_some_and(|(_, value)| matches!(value, Value::Str(_) | Value::CStr(_)))
    }

    pub(super) fn constant(
        &mut self,
        context: &Context,
        (name, path): (String, Vec<String>),
        text: String,
        ty: &Type,
        attributes: &[Attribute],
        span: Span,
    ) {
        let chosen = fits(&self.input.constants, &name) && !fits(&self.input.except, &name);
        if name.starts_with('_') || !chosen {
            return;
        }
        let Some((ty, value)) = self.constant_type(context, ty) else {
            let ty = written(ty);
            let message = format!(
                "the constant `{name}` is left out: a value of the type `{ty}` has no form that all languages have"
            );
            let help = "export a function that returns it, or constants of its parts";
            return self.diagnostics.warning(Some(&context.place(span)), message, help);
        };
        if path.last().is_some_and(|own| self.whereabouts.contains(own)) {
            return crate::probe::says_where(&name, &context.place(span), self.diagnostics);
        }
        let text = if text.starts_with('<') { text } else { self.name_at(context.home, &text) };
        let subject = Subject { spot: self.spot(context.home), text, generic: None };
        let name = self.apart(&name, context);
        self.plan.constants.push(subject);
        let docs = attributes::docs(attributes);
        self.api.constants.push(Constant { name, path, ty, value, docs, place: context.place(span) });
    }

    /// The type of a constant that can be written in every language, and a value of its kind. Others are not
    /// part of the API: they have neither a symbol nor a form that crosses.
    fn constant_type(&mut self, context: &Context, ty: &Type) -> Option<(Ty, Value)> {
        if let Type::Reference(reference) = ty
            && let Type::Path(path) = &*reference.elem
        {
            let last = path.path.segments.last()?.ident.to_string();
            let bytes = Ty::pointer(Ty::Int(Int::U8), false);
            return match last.as_str() {
                "str" => Some((bytes, Value::Str(String::new()))),
                "CStr" => Some((bytes, Value::CStr(Vec::new()))),
                _ => None,
            };
        }
        let Type::Path(path) = ty else { return None };
        // Its bytes may be uninitialised, and the compiler cannot read such bytes.
        if self.foreign_name(context.home, ty).is_some_and(|name| name == "MaybeUninit") {
            return None;
        }
        // A type that is not a scalar is looked at without reporting errors.
        let mark = self.diagnostics.list.len();
        let scalar = match self.scope.find(context.home, &path.path) {
            Found::Item(at) => self.plain_type(at).map(Ty::Named),
            _ => self.value(context, ty).ok(),
        };
        self.diagnostics.list.truncate(mark);
        let scalar = scalar?;
        let value = match self.api.resolve(&scalar) {
            Ty::Bool => Value::Bool(false),
            Ty::Char => Value::Char('\0'),
            Ty::Int(_) => Value::Int(0),
            Ty::Float(_) => Value::Float(0.0),
            Ty::Named(id) if matches!(self.api.get(*id).body, Body::Enum(_)) => Value::Int(0),
            _ => return None,
        };
        Some((scalar, value))
    }
}
