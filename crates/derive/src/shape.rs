//! What a fingerprint of an exported function says of a type.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Field, Ident, Member, Path};

/// The shape of a struct: where its fields lie, and which types they have.
pub fn of_struct<'a>(
    name: &Ident,
    abi: &Path,
    fields: impl Iterator<Item = (&'a Field, String, &'a Member)>,
) -> TokenStream {
    let members = fields.map(|(field, label, member)| {
        let ty = &field.ty;
        quote! {
            #abi::ShapeMember {
                name: #label,
                at: ::core::mem::offset_of!(#name, #member) as i128,
                of: ::core::option::Option::Some(#abi::ShapeOf::<#ty>::SHAPE),
            }
        }
    });
    shape(name, abi, members)
}

/// The shape of an enum: its variants and their numbers.
pub fn of_enum<'a>(
    name: &Ident,
    abi: &Path,
    variants: impl Iterator<Item = (String, &'a Ident)>,
) -> TokenStream {
    let none = quote!(::core::option::Option::None);
    let members = variants
        .map(|(name, number)| quote!(#abi::ShapeMember { name: #name, at: #number as i128, of: #none }));
    shape(name, abi, members)
}

fn shape(name: &Ident, abi: &Path, members: impl Iterator<Item = TokenStream>) -> TokenStream {
    let title = name.unraw().to_string();
    quote! {
        impl #abi::Shaped for #name {
            const SHAPE: &'static #abi::Shape = {
                #[allow(unused_imports)]
                use #abi::Unshaped as _;
                &#abi::Shape {
                    name: #title,
                    size: ::core::mem::size_of::<#name>(),
                    align: ::core::mem::align_of::<#name>(),
                    members: &[#(#members),*],
                    declared: true,
                }
            };
        }
    }
}
