//! A Rust function as it is exported.

use crate::given::Given;
use crate::options::is_export;
use crate::refusal::{Refusals, refusal};
use crate::shim::Role;
use crate::taken::Taken;
use heck::ToSnakeCase;
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::visit_mut::{VisitMut, visit_type_mut};
use syn::{
    Attribute, FnArg, GenericParam, Ident, Pat, PatType, Receiver, Result, Signature, Type, TypeReference,
};

/// One exported function, with all that its shim needs.
pub struct Function {
    /// Its name in Rust.
    pub ident: Ident,
    /// The exported symbol.
    pub symbol: String,
    /// The path to call it by.
    pub path: TokenStream,
    /// In order, the receiver first.
    pub params: Vec<Parameter>,
    /// Its result.
    pub given: Given,
    /// The type of its `impl` block, and what it does there.
    pub member: Option<(Type, Role)>,
    /// Its attributes, without `export` itself.
    pub attributes: Vec<Attribute>,
}

/// One parameter.
pub struct Parameter {
    /// Its name in Rust, or one that stands for it.
    pub name: String,
    /// How it crosses.
    pub taken: Taken,
}

impl Function {
    /// A function outside of any `impl` block.
    pub fn free(signature: &Signature, attributes: &[Attribute], name: Option<String>) -> Result<Function> {
        let ident = &signature.ident;
        let symbol = name.unwrap_or_else(|| ident.unraw().to_string());
        Function::read(signature, attributes, symbol, quote!(#ident), None)
    }

    /// A function in an `impl` block of `of`.
    pub fn member(
        signature: &Signature,
        attributes: &[Attribute],
        symbol: String,
        of: &Type,
    ) -> Result<Function> {
        let mut signature = signature.clone();
        WithoutSelf(of).visit_signature_mut(&mut signature);
        let ident = &signature.ident;
        Function::read(&signature, attributes, symbol, quote!(<#of>::#ident), Some(of))
    }

    fn read(
        signature: &Signature,
        attributes: &[Attribute],
        symbol: String,
        path: TokenStream,
        of: Option<&Type>,
    ) -> Result<Function> {
        let mut refusals = Refusals::default();
        refuse_kind(signature, &mut refusals);
        let params: Vec<Parameter> = (signature.inputs.iter().enumerate())
            .filter_map(|(index, input)| refusals.take(parameter(index, input, of)))
            .collect();
        let given = refusals.take(Given::of(&signature.output, of));
        refusals.finish()?;
        let Some(given) = given else { unreachable!("a result that is refused has ended it above") };
        let member = of.map(|of| {
            let role = match (signature.receiver(), &given.what) {
                (Some(_), _) => Role::Method,
                (None, crate::given::What::Handle(_)) => Role::Constructor,
                (None, _) => Role::Static,
            };
            (of.clone(), role)
        });
        let attributes = attributes.iter().filter(|attribute| !is_export(attribute)).cloned().collect();
        Ok(Function { ident: signature.ident.clone(), symbol, path, params, given, member, attributes })
    }
}

/// `counter` of `Counter`: what a handle's functions begin with.
pub fn snake(of: &Type) -> String {
    match of {
        Type::Path(path) => {
            path.path.segments.last().map(|last| last.ident.unraw().to_string().to_snake_case())
        }
        _ => None,
    }
    .unwrap_or_default()
}

fn refuse_kind(signature: &Signature, refusals: &mut Refusals) {
    let asyncness = signature.asyncness.map(|token| {
        refusal(token, "nobody polls it on the other side: block inside, or take a callback for the result")
    });
    let abi = signature.abi.as_ref().map(|abi| {
        let why = "it has an ABI already: leave the attribute out and write `#[unsafe(no_mangle)]`, or leave `extern` \
                   out";
        refusal(abi, why)
    });
    let variadic = signature
        .variadic
        .as_ref()
        .map(|token| refusal(token, "a shim cannot hand variable arguments on: take a slice"));
    let parameters = signature.generics.params.iter().filter_map(|parameter| match parameter {
        GenericParam::Lifetime(_) => None,
        generic => Some(refusal(
            generic,
            "a C function is compiled once, for types that are known: write one function for each type that is needed",
        )),
    });
    asyncness.into_iter().chain(abi).chain(variadic).chain(parameters).for_each(|error| refusals.add(error));
}

fn parameter(index: usize, input: &FnArg, of: Option<&Type>) -> Result<Parameter> {
    match (input, of) {
        (FnArg::Receiver(receiver), Some(of)) => self_parameter(receiver, of),
        (FnArg::Receiver(receiver), None) => {
            Err(refusal(receiver, "a method is exported with its impl block: put the attribute on that"))
        }
        (FnArg::Typed(PatType { attrs, pat, ty, .. }), _) => {
            if let Some(cfg) = attrs.iter().find(|attribute| attribute.path().is_ident("cfg")) {
                return Err(refusal(
                    cfg,
                    "a C signature has no optional parameters: put `cfg` on the function",
                ));
            }
            let name = match &**pat {
                Pat::Ident(name) => name.ident.unraw().to_string(),
                _ => format!("arg{index}"),
            };
            Ok(Parameter { name, taken: Taken::of(ty)? })
        }
    }
}

fn self_parameter(receiver: &Receiver, of: &Type) -> Result<Parameter> {
    if let Type::Reference(TypeReference { lifetime, mutability, elem, .. }) = &*receiver.ty
        && lifetime.as_ref().is_none_or(|lifetime| lifetime.ident != "static")
        && **elem == *of
    {
        let taken = Taken::Reference { to: of.clone(), mutable: mutability.is_some(), optional: false };
        return Ok(Parameter { name: snake(of), taken });
    }
    Err(refusal(receiver, "a handle stays the caller's until it is released: take `&self` or `&mut self`"))
}

/// Puts the type itself where `Self` stands, as a shim is written outside of the `impl` block.
struct WithoutSelf<'a>(&'a Type);

impl VisitMut for WithoutSelf<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        match ty {
            Type::Path(path) if path.qself.is_none() && path.path.is_ident("Self") => *ty = self.0.clone(),
            ty => visit_type_mut(self, ty),
        }
    }

    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if let (Type::Path(of), Some(first)) = (self.0, path.segments.first())
            && first.ident == "Self"
        {
            let rest = path.segments.iter().skip(1).cloned();
            let segments = of.path.segments.iter().cloned().chain(rest).collect();
            *path = syn::Path { leading_colon: of.path.leading_colon, segments };
        }
        syn::visit_mut::visit_path_mut(self, path);
    }
}
