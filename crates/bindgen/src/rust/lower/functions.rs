//! Functions and statics with a symbol, defined or declared.

use super::ty::pattern_name;
use super::{Context, Lower, Lowered, attributes};
use crate::glob::fits;
use crate::model::{Function, Param, Place, Signature, Static};
use heck::ToSnakeCase;
use syn::spanned::Spanned;
use syn::{
    FnArg, ForeignItem, Ident, ImplItem, Item, ItemForeignMod, ItemImpl, ItemStatic, StaticMutability,
};

impl Lower<'_> {
    /// All functions and statics of the crate.
    pub(super) fn functions(&mut self) {
        for home in self.homes() {
            for index in 0..self.scope.module(home).items.len() {
                let item = &self.scope.module(home).items[index];
                let context = Context::new(home, item);
                if item.hidden {
                    self.hidden(&context, &item.item);
                    continue;
                }
                if let Some(item) = self.as_exported(&context, &item.item) {
                    self.exported(&context, &item);
                    continue;
                }
                match &item.item {
                    Item::Fn(item) => self.defined(&context, &item.sig, &item.attrs),
                    Item::Impl(block) => self.methods(&context, block),
                    Item::ForeignMod(block) => self.declared_block(&context, block),
                    Item::Static(item) => self.defined_static(&context, item),
                    _ => {}
                }
            }
        }
        self.unchosen_releases();
    }

    /// An exported item in a body whose names are not known.
    fn hidden(&mut self, context: &Context, item: &Item) {
        let ident = match item {
            Item::Fn(item) => item.sig.ident.clone(),
            Item::Static(item) => item.ident.clone(),
            Item::Impl(block) => Ident::new("impl", block.impl_token.span),
            _ => return,
        };
        if self.is_wanted(&super::scope::plain(&ident)) {
            let message = format!("`{ident}` is exported from within a body that declares names of its own");
            self.refuse(&context.place(ident.span()), message, "move it out of the body, into the module");
        }
    }

    /// Exported functions among the methods of a type.
    fn methods(&mut self, context: &Context, block: &ItemImpl) {
        let context = Context { itself: Some((*block.self_ty).clone()), ..context.clone() };
        for item in &block.items {
            if let ImplItem::Fn(item) = item {
                let mut signature = item.sig.clone();
                signature.generics.params.extend(block.generics.params.clone());
                self.defined(&context, &signature, &item.attrs);
            }
        }
    }

    fn defined(&mut self, context: &Context, signature: &syn::Signature, attributes: &[syn::Attribute]) {
        let mut name = super::scope::plain(&signature.ident);
        let Some(symbol) = attributes::symbol(attributes, &name) else { return };
        let symbol = attributes::loaded(symbol, self.calls().underscore);
        // Methods of one name are distinguished by their symbols.
        if let Some(owner) = owner(context) {
            let named = syn::parse_str::<Ident>(&symbol).is_ok();
            name = if named { symbol.clone() } else { format!("{owner}_{name}") };
        }
        if !self.is_wanted(&name) {
            return;
        }
        let place = context.place(signature.ident.span());
        let abi =
            signature.abi.as_ref().map(|abi| abi.name.as_ref().map_or("C".to_owned(), |name| name.value()));
        if !abi.as_deref().is_some_and(|abi| self.is_c(abi)) {
            let found = abi.unwrap_or("Rust".to_owned());
            let message =
                format!("the function `{name}` has the ABI of {found}, which no other language can call");
            self.refuse(
                &place,
                message,
                "write `extern \"C\"`, or use `#[upcall::export]` without `no_mangle`",
            );
            return;
        }
        self.shadows(&symbol, &place);
        // The refusal has been reported.
        let _ = self.function(context, &name, symbol, signature, attributes, place);
    }

    /// Warns of a function that takes the place of the system's.
    pub(super) fn shadows(&mut self, symbol: &str, place: &Place) {
        if super::system::has(symbol) {
            let message = format!(
                "`{symbol}` is also a function of the C library: the crate's own takes its place within the library, for Rust's standard library too"
            );
            let help = "call it something else, or give it a prefix";
            self.diagnostics.leaves_out(0, Some(place), message, help);
        }
    }

    fn declared_block(&mut self, context: &Context, block: &ItemForeignMod) {
        let abi = block.abi.name.as_ref().map_or("C".to_owned(), |name| name.value());
        if !self.is_c(&abi) {
            let place = context.place(block.abi.span());
            self.refuse(&place, format!("an `extern` block has the ABI of {abi}"), "write `extern \"C\"`");
            return;
        }
        for item in &block.items {
            match item {
                ForeignItem::Fn(item) => {
                    let name = super::scope::plain(&item.sig.ident);
                    if self.is_wanted(&name) {
                        let symbol = self.link_name(&item.attrs, &name);
                        let place = context.place(item.sig.ident.span());
                        // The refusal has been reported.
                        let _ = self.function(context, &name, symbol, &item.sig, &item.attrs, place);
                    }
                }
                ForeignItem::Static(item) => {
                    let name = super::scope::plain(&item.ident);
                    let symbol = self.link_name(&item.attrs, &name);
                    let mutable = matches!(item.mutability, StaticMutability::Mut(_));
                    self.variable(context, name, symbol, &item.ty, mutable, &item.attrs);
                }
                ForeignItem::Verbatim(tokens) => {
                    let message = "this declaration is in no form that is known";
                    self.refuse(&context.place(tokens.span()), message, "write a function or a variable");
                }
                _ => {}
            }
        }
    }

    fn link_name(&self, attributes: &[syn::Attribute], name: &str) -> String {
        let symbol = attributes::value_of(attributes, "link_name").unwrap_or_else(|| name.to_owned());
        attributes::loaded(symbol, self.calls().underscore)
    }

    fn function(
        &mut self,
        context: &Context,
        name: &str,
        symbol: String,
        signature: &syn::Signature,
        attributes: &[syn::Attribute],
        place: Place,
    ) -> Lowered<()> {
        if signature.generics.type_params().next().is_some()
            || signature.generics.const_params().next().is_some()
        {
            let message =
                format!("the function `{name}` has type parameters, so it is not a single function");
            return Err(self.refuse(&place, message, "write one function for each type"));
        }
        if signature.asyncness.is_some() {
            let message = format!("the function `{name}` is async, which other languages cannot wait for");
            return Err(self.refuse(&place, message, "take a callback that is called when it is done"));
        }
        let mut params = Vec::new();
        let mut refused = None;
        for (index, input) in signature.inputs.iter().enumerate() {
            let (name, ty) = match input {
                FnArg::Typed(input) => (pattern_name(&input.pat), &input.ty),
                FnArg::Receiver(receiver) => {
                    (owner(context).map(|owner| owner.to_snake_case()), &receiver.ty)
                }
            };
            let name = name.unwrap_or_else(|| format!("arg{index}"));
            match self.parameter(context, ty) {
                Ok(ty) => params.push(Param { name, ty, context_of: None, release_of: None }),
                Err(why) => refused = Some(why),
            }
        }
        let ret = self.returned(context, &signature.output)?;
        if let Some(refused) = refused {
            return Err(refused);
        }
        names_apart(&mut params);
        let signature =
            Signature { params, ret, variadic: signature.variadic.is_some(), ..Signature::default() };
        let name = self.apart(name, context);
        self.api.functions.push(Function {
            name,
            symbol,
            signature,
            docs: attributes::docs(attributes),
            deprecated: attributes::deprecated(attributes),
            place,
            ..Function::default()
        });
        Ok(())
    }

    fn defined_static(&mut self, context: &Context, item: &ItemStatic) {
        let name = super::scope::plain(&item.ident);
        if let Some(symbol) = attributes::symbol(&item.attrs, &name) {
            let symbol = attributes::loaded(symbol, self.calls().underscore);
            // Only Rust knows the layout of a reference to text, but what it refers to never changes.
            if self.is_text(context, &item.ty) && matches!(item.mutability, StaticMutability::None) {
                let text = item.ident.to_string();
                let path = [self.public_path(context.home), vec![name.clone()]].concat();
                return self.constant(context, (name, path), text, &item.ty, &item.attrs, item.ident.span());
            }
            let mutable = matches!(item.mutability, StaticMutability::Mut(_));
            self.variable(context, name, symbol, &item.ty, mutable, &item.attrs);
        }
    }

    fn variable(
        &mut self,
        context: &Context,
        name: String,
        symbol: String,
        ty: &syn::Type,
        mutable: bool,
        attributes: &[syn::Attribute],
    ) {
        let place = context.place(ty.span());
        if let Ok(ty) = self.value(context, ty) {
            let (name, docs) = (self.apart(&name, context), attributes::docs(attributes));
            self.api.statics.push(Static { name, symbol, ty, mutable, docs, place });
        }
    }

    /// A name that no other function or variable has, prefixed with its module if another one has it.
    pub(super) fn apart(&mut self, name: &str, context: &Context) -> String {
        let path = self.scope.module(context.home).path.clone();
        match self.taken.get(name) {
            Some(other) if *other != path && !path.is_empty() => format!("{}_{name}", path.join("_")),
            _ => {
                self.taken.insert(name.to_owned(), path);
                name.to_owned()
            }
        }
    }

    /// Whether no function is chosen by its name.
    pub(super) fn takes_all_exports(&self) -> bool {
        self.input.functions.is_empty() && self.input.except.is_empty()
    }

    /// Who exports a function by the attribute wants it, whatever its name begins with.
    pub(super) fn is_wanted_export(&self, symbol: &str) -> bool {
        let wanted = self.input.functions.is_empty() || fits(&self.input.functions, symbol);
        wanted && !fits(&self.input.except, symbol)
    }

    fn is_wanted(&self, name: &str) -> bool {
        let wanted = match &self.input.functions[..] {
            [] => !name.starts_with('_'),
            globs => fits(globs, name),
        };
        wanted && !fits(&self.input.except, name)
    }
}

/// Whether an item with these attributes has a symbol that others may call.
pub fn is_exported(attributes: &[syn::Attribute]) -> bool {
    attributes::symbol(attributes, "").is_some() || super::exports::attribute(attributes).is_some()
}

/// The name of the type that an `impl` block is for.
fn owner(context: &Context) -> Option<String> {
    match context.itself.as_ref()? {
        syn::Type::Path(path) => path.path.segments.last().map(|last| super::scope::plain(&last.ident)),
        _ => None,
    }
}

/// Unnamed parameters have been given names, which may clash with others; in a function type two may even be equal.
pub(super) fn names_apart(params: &mut [Param]) {
    for index in 1..params.len() {
        let (before, rest) = params.split_at_mut(index);
        while before.iter().any(|param| param.name == rest[0].name) {
            rest[0].name.push('_');
        }
    }
}
