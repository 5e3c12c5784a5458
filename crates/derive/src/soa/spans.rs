//! `#[soa(spans)]`: the columns as plain memory, which `upcall bindgen` shows as spans and typed arrays.

use super::names::Names;
use super::options::Options;
use super::refusal;
use super::structure::Column;
use crate::shape;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{DeriveInput, Member, Type, parse_quote};

pub fn derive(
    input: &DeriveInput,
    columns: &[Column],
    options: &Options,
    names: &Names,
) -> syn::Result<TokenStream> {
    if let Some(parameter) = input.generics.params.first() {
        let why = "`spans` names one C struct, which parameters would make many";
        return Err(refusal(parameter, &input.ident, why));
    }
    if let Some(column) = columns.iter().find(|column| column.name.unraw() == "spans") {
        let why = "`spans()` would be two methods, for this field and for `#[soa(spans)]`: rename the field";
        return Err(refusal(column.name, &input.ident, why));
    }
    let (soa, visible) = (&options.soa, &input.vis);
    let Names { fields, spans, .. } = names;
    let shown = input.ident.unraw();
    let columns = columns.iter().map(|column| -> syn::Result<_> {
        let (name, ty, docs) = (column.name, column.ty, &column.docs);
        let (of, value) = if column.flat {
            (spans_of(ty, input)?, quote!(columns.#name.spans()))
        } else {
            (parse_quote!(#soa::abi::SliceMut<#ty>), quote!(#soa::span::<#ty>(columns.#name)))
        };
        let member = (Member::Named(name.clone()), of.clone());
        Ok((quote!(#docs pub #name: #of), (quote!(#name: #value), member)))
    });
    let (places, rest): (Vec<_>, Vec<_>) = columns.collect::<syn::Result<Vec<_>>>()?.into_iter().unzip();
    let (values, members): (Vec<_>, Vec<_>) = rest.into_iter().unzip();
    let shape = shape::of_struct(spans, &parse_quote!(#soa::abi), members.into_iter());
    let doc = format!(
        "The columns of `{shown}`s as other languages see them, which may be used until the container grows, shrinks \
         or is dropped."
    );
    Ok(quote! {
        #[doc = #doc]
        #[derive(Clone, Copy)]
        #[repr(C)]
        #visible struct #spans { #(#places),* }

        // SAFETY: it consists of addresses and lengths, for which any bytes are valid.
        #[automatically_derived]
        unsafe impl #soa::abi::Value for #spans {
            type Raw = Self;

            #[inline]
            fn check(raw: Self) -> ::core::result::Result<Self, #soa::abi::Invalid> {
                ::core::result::Result::Ok(raw)
            }

            #[inline]
            fn raw(self) -> Self {
                self
            }
        }

        #shape

        impl #fields {
            /// The columns as other languages see them. Nobody else may use the rows while one of them does, and
            /// none after the container has grown, has shrunk or is gone.
            #[allow(dead_code)]
            #visible fn spans(&mut self) -> #spans {
                #[allow(unused_mut)]
                let mut columns = self.0.columns_mut();
                #spans { #(#values),* }
            }
        }
    })
}

/// The type that the derive makes beside a flattened one.
fn spans_of(ty: &Type, input: &DeriveInput) -> syn::Result<Type> {
    let Type::Path(path) = ty else {
        return Err(refusal(ty, &input.ident, "`spans` of a flattened field needs its type by name"));
    };
    let mut path = path.clone();
    if let Some(last) = path.path.segments.last_mut() {
        last.ident = format_ident!("{}Spans", last.ident.unraw(), span = last.ident.span());
    }
    Ok(Type::Path(path))
}
