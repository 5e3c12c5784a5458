//! Types as text that the probe can put into a module.

use super::scope::{Found, Home, ItemAt, plain};
use super::{Argument, Context, Generics, Key, Lower};
use crate::model::{Float, Ty, TypeId};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprPath, Ident, Lifetime, Type};

impl Lower<'_> {
    /// A type as written, and the module in which that is resolved. Within a generic type's body, its
    /// parameters are replaced by their arguments, and the rest by paths from the crate's root.
    pub(super) fn spelling(&self, context: &Context, ty: &Type) -> (Home, String) {
        let mut ty = ty.clone();
        Speller { lower: self, context }.visit_type_mut(&mut ty);
        let (text, home) =
            (ty.to_token_stream().to_string(), context.generics.origin.unwrap_or(context.home));
        if home.krate != self.root {
            // A dependency's own names mean nothing in the measured crate.
            let root = Home { krate: self.root, module: 0 };
            return (root, text);
        }
        (home, text)
    }

    pub(super) fn spelled_length(&self, context: &Context, length: &Expr) -> (Home, String) {
        let mut length = length.clone();
        Speller { lower: self, context }.visit_expr_mut(&mut length);
        // Generic parameters are replaced by their arguments here, so the rest is resolved where it is written.
        self.reaching(context.home, length.to_token_stream().to_string())
    }

    /// An expression of a module as it reads where the probe's code can be: for a module of another crate, or
    /// one made by a macro, that is elsewhere.
    pub(super) fn reaching(&self, home: Home, text: String) -> (Home, String) {
        let other = home.krate != self.root;
        let from = if other { Home { krate: self.root, module: 0 } } else { home };
        match other || self.is_made(home) {
            true => (from, format!("{{ use {}::*; {text} }}", self.module_path(home))),
            false => (from, text),
        }
    }

    /// Whether a module is made by a macro: the probe's code is in the module around it.
    pub(super) fn is_made(&self, home: Home) -> bool {
        self.scope.module(home).made > 0
    }

    /// The name of an item of this crate, as seen from the probe's code for its module.
    pub(super) fn name_at(&self, home: Home, name: &str) -> String {
        match self.is_made(home) {
            true => format!("{}::{name}", self.module_path(home)),
            false => name.to_owned(),
        }
    }

    /// The path of an item from the crate's root, or from its own crate's.
    pub(super) fn path(&self, at: ItemAt, name: &str) -> String {
        format!("{}::{name}", self.module_path(at.home))
    }

    fn module_path(&self, home: Home) -> String {
        let krate = &self.scope.crates()[home.krate];
        let start = if home.krate == self.root {
            "crate".to_owned()
        } else {
            format!("::{}", self.scope.local_name(self.root, &krate.name))
        };
        let path = self.scope.module(home).path.iter().map(String::as_str);
        std::iter::once(start.as_str()).chain(path).collect::<Vec<_>>().join("::")
    }

    /// A type's text in terms of the crate's root, for docs and names.
    pub(super) fn source_of(&self, ty: &Ty) -> String {
        match ty {
            Ty::Unit => "()".into(),
            Ty::Bool => "bool".into(),
            Ty::Char => "char".into(),
            Ty::Int(int) => int.rust_name().into(),
            Ty::Float(Float::F32) => "f32".into(),
            Ty::Float(Float::F64) => "f64".into(),
            Ty::Pointer(pointer) => {
                format!("*{} {}", if pointer.mutable { "mut" } else { "const" }, self.source_of(&pointer.to))
            }
            Ty::Array { of, len } => format!("[{}; {len}]", self.source_of(of)),
            Ty::Function { .. } => "extern \"C\" fn()".into(),
            Ty::Named(id) => self.api.get(*id).source.clone(),
        }
    }

    /// `PxVec3`, `f32`, `ptr_u8`: a type as a part of a name.
    pub(super) fn part_of_name(&self, ty: &Ty) -> String {
        match ty {
            Ty::Pointer(pointer) => format!("ptr_{}", self.part_of_name(&pointer.to)),
            Ty::Array { of, len } => format!("{}x{len}", self.part_of_name(of)),
            Ty::Function { .. } => "fn".into(),
            Ty::Unit => "void".into(),
            Ty::Named(id) => self.api.get(*id).name.clone(),
            scalar => self.source_of(scalar),
        }
    }

    /// The type of this key, if it is known already.
    pub(super) fn known(&self, key: &Key) -> Option<TypeId> {
        self.known.get(key).copied()
    }
}

struct Speller<'a, 'b> {
    lower: &'a Lower<'b>,
    context: &'a Context,
}

impl Speller<'_, '_> {
    fn generics(&self) -> &Generics {
        &self.context.generics
    }

    /// Whether the text moves to another module than the one it was written in.
    fn moves(&self) -> bool {
        self.generics().origin.is_some()
            || self.context.home.krate != self.lower.root
            || self.lower.is_made(self.context.home)
    }
}

impl VisitMut for Speller<'_, '_> {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        *lifetime = Lifetime::new("'static", lifetime.span());
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = ty
            && path.qself.is_none()
        {
            if let Some(name) = path.path.get_ident().map(plain) {
                if let Some((_, text)) = self.generics().types.get(&name)
                    && let Ok(known) = syn::parse_str(text)
                {
                    *ty = known;
                    return;
                }
                if name == "Self"
                    && let Some(itself) = &self.context.itself
                {
                    *ty = itself.clone();
                    return self.visit_type_mut(ty);
                }
            }
            if self.moves()
                && let Some(last) = path.path.segments.last().cloned()
                && let Some(text) = match self.lower.scope.find(self.context.home, &path.path) {
                    Found::Item(at) => Some(self.lower.path(at, &last.ident.to_string())),
                    Found::External(names) => Some(format!("::{}", names.join("::"))),
                    _ => None,
                }
                && let Ok(mut whole) = syn::parse_str::<syn::TypePath>(&text)
            {
                if let Some(segment) = whole.path.segments.last_mut() {
                    segment.arguments = last.arguments;
                }
                *path = whole;
            }
            // What the attribute writes, and what is found, has a crate's own name.
            if path.path.leading_colon.is_some()
                && let Some(first) = path.path.segments.first_mut()
            {
                let own = plain(&first.ident);
                first.ident =
                    Ident::new(self.lower.scope.local_name(self.lower.root, &own), first.ident.span());
            }
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if let Expr::Path(path) = expression
            && let Some(name) = path.path.get_ident().map(plain)
            && let Some(text) = self.generics().consts.get(&name)
            && let Ok(known) = syn::parse_str(text)
        {
            *expression = known;
            return;
        }
        visit_mut::visit_expr_mut(self, expression);
    }

    /// The probe's code for a module made by a macro is in the one around it, where `super` leads elsewhere.
    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        visit_mut::visit_expr_path_mut(self, path);
        let mut home = self.context.home;
        if !self.lower.is_made(home) || path.qself.is_some() || path.path.leading_colon.is_some() {
            return;
        }
        let names: Vec<String> = path.path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        let up = names.iter().take_while(|name| *name == "super").count();
        for _ in 0..up {
            home.module = self.lower.scope.module(home).parent.unwrap_or(home.module);
        }
        let start = up + usize::from(names[0] == "self");
        let rest = names[start..].join("::");
        if start > 0
            && let Ok(whole) = syn::parse_str(&format!("{}::{rest}", self.lower.module_path(home)))
        {
            path.path = whole;
        }
    }
}

impl Argument {
    /// As part of a generic instance's name.
    pub(super) fn part_of_name(&self, lower: &Lower) -> String {
        match self {
            Argument::Type(ty) => lower.part_of_name(ty),
            Argument::Const(text) => {
                let text = text.replace('-', "minus");
                let words = text.split(|letter: char| !letter.is_alphanumeric());
                words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_")
            }
        }
    }
}
