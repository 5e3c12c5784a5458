//! `#[derive(Pack)]`: one module for each kind of type that C# has.

mod circular;
mod container;
mod enumeration;
mod generics;
mod managed;
mod member;
mod object;
mod raw;
mod schema;
mod slots;
mod union;

use container::{Container, Kind};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Error, Fields, Ident};

pub fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let container = Container::of(input)?;
    let code = match (&input.data, container.kind) {
        (Data::Struct(data), Kind::Raw) => raw::derive(input, &container, &data.fields)?,
        (Data::Struct(data), Kind::Circular) => circular::derive(input, &container, &data.fields)?,
        (Data::Struct(data), _) if container.version_tolerant => {
            slots::derive(input, &container, &data.fields)?
        }
        (Data::Struct(data), _) => object::derive(input, &container, &data.fields)?,
        (Data::Enum(data), Kind::Union) => union::derive(input, &container, data)?,
        (Data::Enum(data), _) if data.variants.iter().all(|one| matches!(one.fields, Fields::Unit)) => {
            enumeration::derive(input, &container, data)?
        }
        (Data::Enum(data), _) => {
            let why = "its variants carry data: `#[pack(union)]` writes it as C#'s union of classes";
            return Err(refusal(data.enum_token, &input.ident, why));
        }
        (Data::Union(data), _) => {
            let why = "it is a union, whose bytes mean several things: use a struct with an array of bytes";
            return Err(refusal(data.union_token, &input.ident, why));
        }
    };
    let check = checked(input, &container);
    Ok(quote!(const _: () = { #code #check };))
}

/// Makes the compiler check at once whether the members fit the type, not only where it is used. Types with
/// type parameters must wait for those.
fn checked(input: &DeriveInput, container: &Container) -> Option<TokenStream> {
    let (name, pack) = (&input.ident, &container.path);
    let lifetimes = input.generics.params.iter().map(|parameter| match parameter {
        syn::GenericParam::Lifetime(_) => Some(quote!('static)),
        _ => None,
    });
    let lifetimes: Vec<TokenStream> = lifetimes.collect::<Option<_>>()?;
    let whole = quote!(#name<#(#lifetimes),*>);
    match container.kind {
        Kind::Circular => None,
        Kind::Struct => Some(quote!(const _: () = <#whole as __Managed>::CHECK;)),
        _ => Some(quote!(const _: #pack::Form<#whole> = <#whole as #pack::Pack>::FORM;)),
    }
}

fn refusal(place: impl ToTokens, name: &Ident, why: &str) -> Error {
    Error::new_spanned(place, message(name, why))
}

fn message(name: &Ident, why: &str) -> String {
    format!("cannot derive `Pack` for `{}`: {why}", name.unraw())
}
