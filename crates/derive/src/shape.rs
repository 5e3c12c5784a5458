//! What a fingerprint of an exported function says of a type.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Ident, Member, Path, Type};

/// The shape of a struct of these fields and their types.
pub fn of_struct(name: &Ident, abi: &Path, fields: impl Iterator<Item = (Member, Type)>) -> TokenStream {
    let members = fields.map(|(member, ty)| {
        let (label, shape) = (label(&member), upcall_shim::shape_of(&ty, abi));
        quote! {
            #abi::ShapeMember {
                name: #label,
                at: ::core::mem::offset_of!(#name, #member) as i128,
                of: ::core::option::Option::Some(#shape),
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

/// A field's name as other languages see it: `r#type` is `type`, the first of a tuple struct is `0`.
pub fn label(member: &Member) -> String {
    match member {
        Member::Named(name) => name.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
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
