use crate::abi_path::abi_path;
use crate::repr::Repr;
use crate::shape;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Error, Fields, Ident};

pub fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let name = &input.ident;
    let Data::Enum(data) = &input.data else {
        return Err(refusal(name, name, "it is not an enum: a struct crosses with `#[derive(Blit)]`"));
    };
    if let Some(parameter) = input.generics.params.first() {
        return Err(refusal(parameter, name, "with parameters its name would stand for several types"));
    }
    if let Some(variant) = data.variants.iter().find(|variant| !matches!(variant.fields, Fields::Unit)) {
        let why = "a variant carries data, which no check of a number covers: leave it without fields";
        return Err(refusal(variant, name, why));
    }
    if data.variants.is_empty() {
        return Err(refusal(name, name, "it has no variants, so no number is one of them"));
    }
    let Some(raw) = Repr::of(&input.attrs)?.integer else {
        let why = "the compiler may choose its size: add `#[repr(u8)]`, or another integer";
        return Err(refusal(name, name, why));
    };

    let abi = abi_path("value", &input.attrs)?;
    let title = name.unraw().to_string();
    let variants: Vec<&Ident> = data.variants.iter().map(|variant| &variant.ident).collect();
    let numbers: Vec<Ident> = (0..variants.len()).map(|index| format_ident!("V{index}")).collect();
    let shape = shape::of_enum(
        name,
        &abi,
        variants.iter().zip(&numbers).map(|(variant, number)| (variant.unraw().to_string(), number)),
    );
    Ok(quote! {
        const _: () = {
            #(const #numbers: #raw = #name::#variants as #raw;)*

            // SAFETY: its `repr` makes it this integer, any bytes of which are a value.
            unsafe impl #abi::Value for #name {
                type Raw = #raw;

                #[inline]
                fn check(raw: #raw) -> ::core::result::Result<#name, #abi::Invalid> {
                    match raw {
                        #(#numbers => ::core::result::Result::Ok(#name::#variants),)*
                        other => ::core::result::Result::Err(#abi::Invalid::NotVariant {
                            of: #title,
                            value: other as i128,
                        }),
                    }
                }

                #[inline]
                fn raw(self) -> #raw {
                    self as #raw
                }
            }

            impl #abi::Numbered for #name {
                fn number(&self) -> i128 {
                    match self {
                        #(#name::#variants => #numbers as i128,)*
                    }
                }
            }

            #shape
        };
    })
}

fn refusal(place: impl ToTokens, name: &Ident, why: &str) -> Error {
    Error::new_spanned(place, format!("cannot derive `Enum` for `{}`: {why}", name.unraw()))
}
