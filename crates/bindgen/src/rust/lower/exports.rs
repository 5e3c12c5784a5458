//! `#[upcall::export]`: the C functions that the attribute writes.

use super::scope::{Found, Home, plain};
use super::ty::written;
use super::{Context, Lower, Lowered, attributes};
use crate::model::{Function, Linkage, Member, Param, Pointer, Role, Signature, Ty};
use crate::rust::source;
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::{Attribute, GenericArgument, Item, Meta, PathArguments, ReturnType, Type};
use upcall_shim::{Role as ShimRole, Shim, describe};

/// `#[upcall::export]` among attributes, where no name can be looked up: as it is called or imported.
pub(super) fn attribute(attributes: &[Attribute]) -> Option<&Attribute> {
    attributes.iter().find(|attribute| is_called_export(attribute))
}

fn is_called_export(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "export")
}

fn shims(item: &Item) -> syn::Result<Vec<Shim>> {
    // The attribute sees its item without the attribute.
    let mut item = item.clone();
    let own = source::attributes(&mut item).and_then(|all| {
        let at = all.iter().position(is_called_export)?;
        Some(all.remove(at).meta)
    });
    let arguments = match own {
        Some(Meta::List(list)) => list.tokens,
        _ => TokenStream::new(),
    };
    describe(arguments, item.into_token_stream())
}

fn releases(shim: &Shim) -> bool {
    shim.member.as_ref().is_some_and(|member| member.role == ShimRole::Release)
}

impl Lower<'_> {
    /// The item with the attribute under its own name, if it has it under any: imported, renamed, or of a dependency
    /// that has another name here.
    pub(super) fn as_exported(&self, context: &Context, item: &Item) -> Option<Item> {
        let attributes = match item {
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            _ => return None,
        };
        let at = attributes.iter().position(|attribute| self.is_export(context.home, attribute))?;
        let path: syn::Path = syn::parse_quote_spanned!(attributes[at].span()=> upcall::export);
        let mut item = item.clone();
        match &mut source::attributes(&mut item)?[at].meta {
            Meta::Path(known) => *known = path,
            Meta::List(list) => list.path = path,
            Meta::NameValue(pair) => pair.path = path,
        }
        Some(item)
    }

    fn is_export(&self, home: Home, attribute: &Attribute) -> bool {
        let path = attribute.path();
        match self.scope.find(home, path) {
            // Another crate may hand it on under its name.
            Found::External(names) if path.segments.len() > 1 || !path.is_ident("export") => {
                let krate = names.first().map(String::as_str);
                names.last().is_some_and(|name| name == "export")
                    && matches!(krate, Some("upcall" | "upcall_derive"))
            }
            Found::External(_) => true,
            Found::Item(_) => false,
            // By a glob, whose names are not known.
            Found::Module(_) | Found::Nothing => path.is_ident("export"),
        }
    }

    /// Types whose values are handles: those with an exported `impl` block.
    pub(super) fn find_handles(&mut self) {
        for home in self.homes() {
            for item in &self.scope.module(home).items {
                let exported = self.as_exported(&Context::new(home, item), &item.item);
                let Some(exported @ Item::Impl(_)) = exported else { continue };
                let releases = shims(&exported).is_ok_and(|shims| shims.iter().any(releases));
                if releases
                    && let Item::Impl(block) = &exported
                    && let Type::Path(path) = &*block.self_ty
                    && let Found::Item(at) = self.scope.find(home, &path.path)
                {
                    self.handles.insert(at);
                }
            }
        }
    }

    pub(super) fn exported(&mut self, context: &Context, item: &Item) {
        match shims(item) {
            Ok(shims) => {
                let mut any = false;
                for shim in shims {
                    if releases(&shim) && !any {
                        self.releases.push((context.clone(), shim));
                    } else if releases(&shim) || self.is_wanted_export(&shim.symbol) {
                        any = true;
                        self.shim(context, &shim);
                    }
                }
            }
            Err(error) => {
                for error in error {
                    let place = context.place(error.span());
                    self.diagnostics.unsupported(&place, error.to_string(), "");
                }
            }
        }
        if !self.api.functions.iter().any(|function| function.fallible) {
            return;
        }
        if let Ok(path) = syn::parse_str("::upcall::abi::Failure") {
            // It is known from here on.
            let _ = self.value(context, &Type::Path(path));
        }
    }

    /// What frees the handles that chosen functions give, though nobody has chosen it.
    pub(super) fn unchosen_releases(&mut self) {
        for (context, shim) in std::mem::take(&mut self.releases) {
            let of = shim.member.as_ref().map(|member| &member.of);
            if let Some(Type::Path(path)) = of
                && let Found::Item(at) = self.scope.find(context.home, &path.path)
                && (self.known(&super::Key::Item(at, Vec::new())).is_some() || self.takes_all_exports())
            {
                self.shim(&context, &shim);
            }
        }
    }

    fn shim(&mut self, context: &Context, shim: &Shim) {
        let place = context.place(shim.ident.span());
        let mut params = Vec::new();
        for param in &shim.params {
            let seen = self.as_the_attribute_sees(context, &param.ty, true);
            let Ok(mut ty) = seen.and_then(|()| self.parameter(context, &param.ty)) else { return };
            if let Some(at) = param.context {
                let kept = shim.params.iter().any(|param| param.release_of == Some(params.len()));
                match &mut ty {
                    Ty::Function { signature, .. } => {
                        signature.context = Some(at as u32);
                        signature.kept = kept;
                    }
                    named => {
                        if let Some(signature) = self.callback(&named.clone()) {
                            signature.context = Some(at as u32);
                        }
                    }
                }
            }
            params.push(Param {
                name: param.name.clone(),
                ty,
                context_of: param.context_of.map(|at| at as u32),
                release_of: param.release_of.map(|at| at as u32),
            });
        }
        super::functions::names_apart(&mut params);
        let Ok(ret) = self.shim_result(context, &shim.ret) else { return };
        let mut member = None;
        if let Some(of) = &shim.member {
            let Ok(owner) = self.parameter(context, &pointer_to(&of.of)) else { return };
            if let Ty::Pointer(Pointer { to, .. }) = owner
                && let Ty::Named(id) = *to
            {
                let role = match of.role {
                    ShimRole::Constructor => Role::Constructor,
                    ShimRole::Release => Role::Release,
                    ShimRole::Method => Role::Method,
                    ShimRole::Static => Role::Static,
                };
                member = Some(Member { of: id, role, name: of.name.clone() });
            }
        }
        self.shadows(&shim.symbol, &place);
        let name = self.apart(&shim.symbol, context);
        self.api.functions.push(Function {
            name,
            symbol: shim.symbol.clone(),
            signature: Signature { params, ret, ..Signature::default() },
            fallible: shim.fallible,
            error: shim.result.as_ref().and_then(|result| self.error_of(context.home, result)),
            member,
            docs: attributes::docs(&shim.attributes),
            deprecated: attributes::deprecated(&shim.attributes),
            place,
            linkage: Linkage::Library,
        });
    }

    /// The error type of a `Result`, or of an alias of one, if it is a struct or an enum of the source.
    fn error_of(&self, home: Home, result: &Type) -> Option<String> {
        let Type::Path(path) = result else { return None };
        if let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments
            && let Some(GenericArgument::Type(error)) = arguments.args.iter().nth(1)
        {
            return self.error_name(home, error);
        }
        let Found::Item(at) = self.scope.find(home, &path.path) else { return None };
        match &self.item(at).item {
            Item::Type(alias) => self.error_of(at.home, &alias.ty),
            _ => None,
        }
    }

    /// Its path from the crate's root, until [`Lower::name_errors_apart`] has seen all of them.
    fn error_name(&self, home: Home, error: &Type) -> Option<String> {
        let Type::Path(path) = error else { return None };
        let Found::Item(at) = self.scope.find(home, &path.path) else { return None };
        let (name, generics) = match &self.item(at).item {
            Item::Struct(item) => (&item.ident, &item.generics),
            Item::Enum(item) => (&item.ident, &item.generics),
            Item::Type(alias) => return self.error_name(at.home, &alias.ty),
            _ => return None,
        };
        let modules = self.scope.module(at.home).path.iter().cloned();
        let path: Vec<String> = modules.chain([plain(name)]).collect();
        generics.params.is_empty().then(|| path.join("::"))
    }

    /// Error types are called by their own names; those that share one have their modules before it, as types have.
    pub(super) fn name_errors_apart(&mut self) {
        let own = |path: &str| path.rsplit("::").next().unwrap_or(path).to_owned();
        let paths: HashSet<String> =
            self.api.functions.iter().filter_map(|function| function.error.clone()).collect();
        let shared = |name: &str| paths.iter().filter(|path| own(path) == name).count() > 1;
        for error in self.api.functions.iter_mut().filter_map(|function| function.error.as_mut()) {
            let name = own(error);
            *error = if shared(&name) { error.replace("::", "_") } else { name };
        }
    }

    /// Refuses an alias of what the attribute carries in a form of its own, by the look of the type.
    fn as_the_attribute_sees(&mut self, context: &Context, ty: &Type, taken: bool) -> Lowered<()> {
        const BY_LOOK: [&str; 3] = ["Result", "String", "Vec"];
        if let Type::Path(path) = ty
            && let Found::Item(at) = self.scope.find(context.home, &path.path)
            && let Item::Type(alias) = &self.item(at).item
            && let Some(of) = self.foreign_name(context.home, ty).filter(|of| BY_LOOK.contains(&&**of))
        {
            let (ty, own) = (written(ty), written(&alias.ty));
            let message =
                format!("the attribute sees the name `{ty}`, and not the `{of}` that it stands for");
            let help = match (&*of, taken) {
                // The attribute refuses these by their own names too.
                ("String", true) => "take `&str`".to_owned(),
                ("Vec", true) => "take a slice".to_owned(),
                (_, true) => "take the value".to_owned(),
                ("Result", false) => {
                    format!("write `{own}` in the function's signature, or call the alias `Result`")
                }
                _ => format!("write `{own}` in the function's signature"),
            };
            return Err(self.refuse(&context.place(path.span()), message, help));
        }
        Ok(())
    }

    /// A handle that Rust returns by value crosses as its address.
    fn shim_result(&mut self, context: &Context, ret: &Type) -> Lowered<Ty> {
        self.as_the_attribute_sees(context, ret, false)?;
        if let Type::Path(path) = ret
            && let Found::Item(at) = self.scope.find(context.home, &path.path)
            && self.handles.contains(&at)
        {
            let boxed: Type = syn::parse_quote_spanned!(ret.span()=> ::std::boxed::Box<#ret>);
            return self.parameter(context, &boxed);
        }
        let output = ReturnType::Type(Default::default(), Box::new(ret.clone()));
        self.returned(context, &output)
    }
}

fn pointer_to(ty: &Type) -> Type {
    syn::parse_quote_spanned!(ty.span()=> *const #ty)
}
