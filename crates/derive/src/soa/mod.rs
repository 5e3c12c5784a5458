//! `#[derive(Soa)]`: names for columns. The mechanism is in the crate `upcall-soa`.

mod enumeration;
mod names;
mod options;
mod spans;
mod structure;
mod variants;

use names::Names;
use options::Options;
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{Attribute, Data, DeriveInput, Error, GenericParam, Generics, Ident};

pub fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let input = &without_self(input)?;
    let name = &input.ident;
    refuse_lifetimes(input)?;
    let options = Options::of(&input.attrs)?;
    match &input.data {
        Data::Struct(data) => structure::derive(input, data, &options),
        Data::Enum(data) => enumeration::derive(input, data, &options),
        Data::Union(data) => Err(refusal(
            data.union_token,
            name,
            "it is a union, and nothing says which of its fields a row has: use an enum",
        )),
    }
}

/// The type with its name in place of `Self`, which would mean something else in the types made from it.
fn without_self(input: &DeriveInput) -> syn::Result<DeriveInput> {
    fn named(tokens: TokenStream, name: &TokenStream) -> TokenStream {
        let replaced = |token| match token {
            TokenTree::Ident(ident) if ident == "Self" => name.clone(),
            TokenTree::Group(group) => {
                let mut inside = Group::new(group.delimiter(), named(group.stream(), name));
                inside.set_span(group.span());
                TokenTree::Group(inside).into()
            }
            token => token.into(),
        };
        tokens.into_iter().flat_map::<TokenStream, _>(replaced).collect()
    }
    let (name, arguments) = (&input.ident, input.generics.split_for_impl().1);
    syn::parse2(named(input.to_token_stream(), &quote!(#name #arguments)))
}

fn refuse_lifetimes(input: &DeriveInput) -> syn::Result<()> {
    match input.generics.lifetimes().next() {
        None => Ok(()),
        Some(lifetime) => Err(refusal(
            lifetime,
            &input.ident,
            "a row that borrows would tie its whole container to what it borrows from: own the value, or keep an \
             index",
        )),
    }
}

/// The aliases of the containers.
fn containers(input: &DeriveInput, options: &Options, names: &Names) -> TokenStream {
    let (soa, visible, name) = (&options.soa, &input.vis, &input.ident);
    let arguments = input.generics.split_for_impl().1;
    let plain = parameters(&input.generics);
    let shown = name.unraw();
    let Names { fixed, vec, slice, slice_mut, .. } = names;
    let docs = [
        format!("`{shown}`s in columns, in one allocation that never grows."),
        format!("`{shown}`s in columns, in one allocation that grows."),
        format!("Borrowed rows of `{shown}`s in columns."),
        format!("Rows of `{shown}`s in columns, borrowed to be written."),
    ];
    let [fixed_doc, vec_doc, slice_doc, slice_mut_doc] = &docs;
    quote! {
        #[doc = #fixed_doc]
        #[allow(dead_code)]
        #visible type #fixed<#(#plain),*> = #soa::SoaBox<#name #arguments>;
        #[doc = #vec_doc]
        #[allow(dead_code)]
        #visible type #vec<#(#plain),*> = #soa::SoaVec<#name #arguments>;
        #[doc = #slice_doc]
        #[allow(dead_code)]
        #visible type #slice<'a, #(#plain),*> = #soa::SoaSlice<'a, #name #arguments>;
        #[doc = #slice_mut_doc]
        #[allow(dead_code)]
        #visible type #slice_mut<'a, #(#plain),*> = #soa::SoaSliceMut<'a, #name #arguments>;
    }
}

/// The type's own parameters, whose types hold no borrow, and the same with the lifetime `'a` in front.
fn generics(generics: &Generics) -> (Generics, Generics) {
    let mut owned = generics.clone();
    for parameter in owned.type_params_mut() {
        parameter.bounds.push(syn::parse_quote!('static));
        parameter.default = None;
    }
    let mut lent = owned.clone();
    lent.params.insert(0, syn::parse_quote!('a));
    (owned, lent)
}

/// The parameters without bounds, as an alias needs them.
fn parameters(generics: &Generics) -> Vec<TokenStream> {
    let plain = |parameter: &GenericParam| match parameter {
        GenericParam::Type(parameter) => parameter.ident.to_token_stream(),
        GenericParam::Const(parameter) => {
            let (name, ty) = (&parameter.ident, &parameter.ty);
            quote!(const #name: #ty)
        }
        GenericParam::Lifetime(parameter) => parameter.to_token_stream(),
    };
    generics.params.iter().map(plain).collect()
}

/// A tuple of any length: nested if necessary, with no more than 16 items each.
fn tuple(items: &[TokenStream]) -> TokenStream {
    const MOST: usize = 16;
    if items.len() <= MOST {
        return quote!((#(#items,)*));
    }
    let size = items.len().div_ceil(MOST).max(MOST);
    let groups: Vec<TokenStream> = items.chunks(size).map(tuple).collect();
    tuple(&groups)
}

/// A field's or variant's own documentation, or a substitute.
fn docs(attributes: &[Attribute], instead: &str) -> TokenStream {
    let own: Vec<&Attribute> =
        attributes.iter().filter(|attribute| attribute.path().is_ident("doc")).collect();
    if own.is_empty() { quote!(#[doc = #instead]) } else { quote!(#(#own)*) }
}

/// `x` becomes `x_mut`, `r#type` becomes `type_mut`.
fn mutable(field: &Ident) -> Ident {
    format_ident!("{}_mut", field.unraw(), span = field.span())
}

fn refusal(place: impl ToTokens, name: &Ident, why: &str) -> Error {
    Error::new_spanned(place, format!("cannot derive `Soa` for `{}`: {why}", name.unraw()))
}
