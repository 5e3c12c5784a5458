//! The macros of Upcall: a type or a function is described once, in Rust.
//!
//! A separate crate because procedural macros need one. Nobody depends on it by name: `upcall`
//! re-exports [`Blit`] beside the trait of that name, which it implements, [`Enum`], [`macro@Soa`] and [`macro@export`].
//!
//! The examples in its docs are tested by the package in `tests`, which has what they need.
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::must_use_candidate)]

mod abi_path;
mod blit;
mod enumeration;
mod pack;
mod repr;
mod shape;
mod soa;

use proc_macro::TokenStream;

#[cfg_attr(not(doctest), doc = include_str!("../docs/blit.md"))]
#[proc_macro_derive(Blit, attributes(blit))]
pub fn blit(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    blit::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

#[cfg_attr(not(doctest), doc = include_str!("../docs/enumeration.md"))]
#[proc_macro_derive(Enum, attributes(value))]
pub fn enumeration(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    enumeration::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

#[cfg_attr(not(doctest), doc = include_str!("../docs/pack.md"))]
#[proc_macro_derive(Pack, attributes(pack))]
pub fn pack(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    pack::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

#[cfg_attr(not(doctest), doc = include_str!("../docs/soa.md"))]
#[proc_macro_derive(Soa, attributes(soa))]
pub fn soa(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    soa::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

#[cfg_attr(not(doctest), doc = include_str!("../docs/export.md"))]
#[proc_macro_attribute]
pub fn export(attribute: TokenStream, item: TokenStream) -> TokenStream {
    upcall_shim::expand(attribute.into(), item.into()).into()
}
