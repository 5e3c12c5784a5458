//! `#[soa(spans)]`: the struct of columns that `#[derive(Soa)]` makes, as this front end would find it if it were
//! written out. The output of derives is not read from the compiler, and this one follows from the source.

use quote::{format_ident, quote};
use syn::ext::IdentExt;

/// The struct made beside this one, if requested.
pub(super) fn beside(item: &syn::Item) -> Option<syn::Item> {
    let syn::Item::Struct(item) = item else { return None };
    let soa = asks(&item.attrs)?;
    let syn::Fields::Named(fields) = &item.fields else { return None };
    let name = of(&item.ident);
    let fields = fields.named.iter().map(|field| {
        let (ident, ty) = (&field.ident, &field.ty);
        let docs = field.attrs.iter().filter(|attribute| attribute.path().is_ident("doc"));
        let ty = match ty {
            syn::Type::Path(path) if says(&field.attrs, "flatten") => {
                let mut path = path.clone();
                if let Some(last) = path.path.segments.last_mut() {
                    last.ident = of(&last.ident);
                }
                quote!(#path)
            }
            ty => quote!(#soa::abi::SliceMut<#ty>),
        };
        quote!(#(#docs)* pub #ident: #ty)
    });
    let (visible, shown) = (&item.vis, item.ident.unraw());
    let doc = format!(
        " The columns of `{shown}`s, which may be used until the container grows, shrinks or is released."
    );
    let made = quote! {
        #[doc = #doc]
        #[repr(C)]
        #[derive(Clone, Copy)]
        #visible struct #name { #(#fields),* }
    };
    syn::parse2(made).ok()
}

/// The derive's name for it.
fn of(name: &syn::Ident) -> syn::Ident {
    format_ident!("{}Spans", name.unraw(), span = name.span())
}

/// The path of the crate `upcall-soa`, if the derive is told to make spans.
fn asks(attributes: &[syn::Attribute]) -> Option<syn::Path> {
    if !says(attributes, "spans") {
        return None;
    }
    let mut path = syn::parse_quote!(::upcall::soa);
    options(attributes, |option| {
        if option.path.is_ident("crate") {
            path = option.value()?.call(syn::Path::parse_mod_style)?;
        }
        Ok(())
    });
    Some(path)
}

fn says(attributes: &[syn::Attribute], word: &str) -> bool {
    let mut said = false;
    options(attributes, |option| {
        said |= option.path.is_ident(word);
        if option.path.is_ident("crate") {
            option.value()?.call(syn::Path::parse_mod_style)?;
        }
        Ok(())
    });
    said
}

/// Each option of `#[soa(…)]`; the compiler reports those that cannot be read.
fn options(
    attributes: &[syn::Attribute],
    mut each: impl FnMut(syn::meta::ParseNestedMeta<'_>) -> syn::Result<()>,
) {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("soa")) {
        let _ = attribute.parse_nested_meta(&mut each);
    }
}
