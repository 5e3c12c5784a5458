use super::container::Container;
use super::refusal;
use super::schema;
use crate::repr::Repr;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{DataEnum, DeriveInput, Ident};

/// A fieldless enum: its integer, which is checked when read.
pub fn derive(input: &DeriveInput, container: &Container, data: &DataEnum) -> syn::Result<TokenStream> {
    let (name, pack) = (&input.ident, &container.path);
    if let Some(parameter) = input.generics.params.first() {
        return Err(refusal(
            parameter,
            name,
            "an enum without fields has no use for parameters: leave them out",
        ));
    }
    if data.variants.is_empty() {
        return Err(refusal(name, name, "it has no variants, so no number is one of them"));
    }
    let integer = match Repr::of(&input.attrs)?.integer {
        Some(integer) if integer != "usize" && integer != "isize" => integer,
        Some(integer) => {
            let why = "its size differs between machines: use `i64` or `u64`";
            return Err(refusal(integer, name, why));
        }
        None => {
            let why = "the compiler may choose its size: add `#[repr(i32)]`, which is C#'s own choice, or \
                       another integer";
            return Err(refusal(name, name, why));
        }
    };
    let variants: Vec<&Ident> = data.variants.iter().map(|variant| &variant.ident).collect();
    let numbers: Vec<Ident> = (0..variants.len()).map(|index| format_ident!("V{index}")).collect();
    let rule = format!("it is not one of the numbers of `{}`", name.unraw());
    let titles = variants.iter().map(|variant| variant.unraw().to_string());
    let described: Vec<_> = titles
        .zip(&numbers)
        .map(|(title, number)| quote!((#number as i128, #title, (|_| {}) as #pack::Describes)))
        .collect();
    let describe = schema::describe(pack, name, &format!("enum {integer}"), None, &described);
    Ok(quote! {
        #(const #numbers: #integer = #name::#variants as #integer;)*

        #[automatically_derived]
        impl #pack::Pack for #name {
            // SAFETY: its `repr` makes it this integer, which `write_raw` writes and `read_raw` checks.
            const FORM: #pack::Form<Self> = #pack::Form::Raw(unsafe {
                // With `align` it is larger than the integer.
                let layout = #pack::Layout::primitive(::core::mem::size_of::<#integer>()).checked();
                #pack::Raw::new(layout.compared(::core::mem::size_of::<Self>(), [], []))
            });
            const MIN: usize = ::core::mem::size_of::<#integer>();

            #describe

            #[inline]
            fn pack(
                &self,
                __writer: &mut #pack::Writer<'_>,
            ) -> ::core::result::Result<(), #pack::Error> {
                __writer.raw(self)
            }

            #[inline]
            unsafe fn write_raw(&self, __at: *mut u8) {
                // SAFETY: its `repr` makes it this integer in memory; the caller provides room for one.
                unsafe {
                    let number = *(self as *const Self).cast::<#integer>();
                    <#integer as #pack::Pack>::write_raw(&number, __at);
                }
            }
        }

        #[automatically_derived]
        impl<'__input> #pack::Unpack<'__input> for #name {
            #[inline]
            fn unpack(
                __reader: &mut #pack::Reader<'__input>,
            ) -> ::core::result::Result<Self, #pack::Error> {
                __reader.raw()
            }

            #[inline]
            unsafe fn read_raw(__at: *const u8) -> ::core::result::Result<Self, #pack::Invalid> {
                // SAFETY: the caller provides the bytes of this integer.
                match unsafe { <#integer as #pack::Unpack<'__input>>::read_raw(__at) }? {
                    #(#numbers => ::core::result::Result::Ok(#name::#variants),)*
                    other => ::core::result::Result::Err(#pack::Invalid::new(other as i128, #rule)),
                }
            }

            unsafe fn check_raw(
                __at: *const u8,
                __count: usize,
            ) -> ::core::result::Result<(), #pack::Invalid> {
                // SAFETY: the caller provides the bytes of that many of these integers.
                unsafe {
                    #pack::members::check_numbers::<#integer>(
                        __at,
                        __count,
                        |number| ::core::matches!(*number, #(#numbers)|*),
                        |number| #pack::Invalid::new(number as i128, #rule),
                    )
                }
            }
        }
    })
}
