use super::refusal;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{DataEnum, DeriveInput, Field, Fields, Ident, Type, Variant};

/// A variant of an enum, and the names its fields are bound to.
pub struct Shape<'a> {
    pub variant: &'a Variant,
    /// The field of the union.
    pub place: Ident,
    pub fields: Vec<&'a Field>,
    pub bound: Vec<Ident>,
}

impl Shape<'_> {
    /// `{ x: a0, y: a1 }`, `(a0, a1)` or nothing, with the given text for each field.
    pub fn with(&self, values: &[TokenStream]) -> TokenStream {
        match &self.variant.fields {
            Fields::Unit => TokenStream::new(),
            Fields::Unnamed(_) => quote!((#(#values),*)),
            Fields::Named(_) => {
                let names = self.fields.iter().map(|field| &field.ident);
                quote!({ #(#names: #values),* })
            }
        }
    }

    /// The same with the names that the fields are bound to.
    pub fn pattern(&self, prefix: &str) -> (TokenStream, Vec<Ident>) {
        let names: Vec<Ident> = self.bound.iter().map(|name| format_ident!("{prefix}{name}")).collect();
        let values: Vec<TokenStream> = names.iter().map(|name| quote!(#name)).collect();
        (self.with(&values), names)
    }

    pub fn types(&self) -> Vec<&Type> {
        self.fields.iter().map(|field| &field.ty).collect()
    }

    /// Whether the payload has a place for it.
    pub fn carries(&self) -> bool {
        !self.fields.is_empty()
    }
}

pub fn shapes<'a>(input: &DeriveInput, data: &'a DataEnum) -> syn::Result<Vec<Shape<'a>>> {
    let name = &input.ident;
    let shapes: Vec<Shape> = data
        .variants
        .iter()
        .enumerate()
        .map(|(index, variant)| {
            let fields: Vec<&Field> = variant.fields.iter().collect();
            let bound = (0..fields.len()).map(|field| format_ident!("f{field}")).collect();
            Shape { variant, place: format_ident!("v{index}"), fields, bound }
        })
        .collect();
    if !shapes.iter().any(Shape::carries) {
        let why =
            "none of its variants has fields, so there is no payload to split off: it is a column as it is";
        return Err(refusal(name, name, why));
    }
    for field in shapes.iter().flat_map(|shape| &shape.fields) {
        if let Some(attribute) = field.attrs.iter().find(|attribute| attribute.path().is_ident("soa")) {
            let why = "the fields of a variant are one payload, which has no columns of its own: `#[soa(flatten)]` \
                       is for the field of a struct";
            return Err(refusal(attribute, name, why));
        }
    }
    Ok(shapes)
}
