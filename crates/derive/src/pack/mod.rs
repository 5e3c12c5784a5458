//! `#[derive(Pack)]`: one module for each kind of type that C# has.

mod circular;
mod container;
mod enumeration;
mod generics;
mod member;
mod object;
mod raw;
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
    Ok(quote!(const _: () = { #code };))
}

fn refusal(place: impl ToTokens, name: &Ident, why: &str) -> Error {
    Error::new_spanned(place, message(name, why))
}

fn message(name: &Ident, why: &str) -> String {
    format!("cannot derive `Pack` for `{}`: {why}", name.unraw())
}
