use super::container::Container;
use super::generics::{for_pack, for_unpack, input_lifetime};
use super::member::Field;
use super::refusal;
use super::schema;
use crate::repr::Repr;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Fields, LitStr};

/// An unmanaged struct: its fields at their places in C, zeros between them.
pub fn derive(input: &DeriveInput, container: &Container, fields: &Fields) -> syn::Result<TokenStream> {
    let (name, pack) = (&input.ident, &container.path);
    let repr = Repr::of(&input.attrs)?;
    if !repr.defined {
        let why = "it is raw, but its layout is the compiler's to choose: add `#[repr(C)]`";
        return Err(refusal(name, name, why));
    }
    if fields.is_empty() {
        let why = "it is raw and has no fields, and C# gives an empty struct a byte: add a field";
        return Err(refusal(name, name, why));
    }
    let fields = Field::all(name, fields, pack)?;
    for field in &fields {
        if field.changed() {
            let why = "its bytes are raw, all of them and in declared order: no field has options";
            return Err(refusal(field.ty, name, why));
        }
    }

    let lifetime = input_lifetime();
    let most = repr.packed_to.unwrap_or(usize::MAX);
    let (count, names): (usize, Vec<_>) = (fields.len(), fields.iter().map(|field| &field.name).collect());
    let types: Vec<_> = fields.iter().map(|field| field.ty).collect();
    let parts = fields.iter().map(|field| {
        let (ty, label) = (field.ty, &field.label);
        let why = format!(
            "`{label}` is not raw, so the struct cannot be: leave out `#[pack(raw)]`, or use numbers, `bool`, \
             `char`, enums, arrays, `Option`s and raw structs of them"
        );
        // All of it has the span of the type, so that a type that is not raw gets underlined.
        let why = LitStr::new(&why, ty.span());
        quote_spanned!(ty.span()=> __part::<#ty>(#why))
    });
    let writes = fields.iter().enumerate().map(|(index, field)| {
        let (ty, field) = (field.ty, &field.name);
        // A reference into a packed struct may be misaligned; its value is copied out instead.
        let value = if repr.packed { quote!(&{ self.#field }) } else { quote!(&self.#field) };
        quote!(<#ty as #pack::Pack>::write_raw(#value, __at.add(const { <Self as __Lies>::PLACES[#index] }));)
    });
    let locals: Vec<_> = (0..count).map(|index| format_ident!("__field{index}")).collect();
    let reads = types.iter().enumerate().map(|(index, ty)| {
        quote! {
            match <#ty as #pack::Unpack<#lifetime>>::read_raw(__at.add(const { <Self as __Lies>::PLACES[#index] })) {
                ::core::result::Result::Ok(value) => value,
                ::core::result::Result::Err(invalid) => {
                    return ::core::result::Result::Err(invalid.within(<Self as __Lies>::PLACES[#index]));
                }
            }
        }
    });
    let described = fields.iter().enumerate().map(|(index, field)| {
        let member = schema::member(pack, index, field);
        // Where it lies is its number.
        quote! {{
            let (_, name, describe) = #member;
            (<Self as __Lies>::PLACES[#index] as i128, name, describe as #pack::Describes)
        }}
    });
    let size = quote!(<Self as __Lies>::LAYOUT.size);
    let describe = schema::describe(pack, name, "raw", Some(size), &described.collect::<Vec<_>>());
    let generics = for_pack(input, pack);
    let (parameters, _, conditions) = generics.split_for_impl();
    let (_, arguments, _) = input.generics.split_for_impl();
    let generics = for_unpack(input, pack);
    let (read_parameters, _, read_conditions) = generics.split_for_impl();

    Ok(quote! {
        use #pack::members::part as __part;

        trait __Lies {
            const LAYOUT: #pack::Layout;
            const PLACES: [usize; #count];
        }

        #[automatically_derived]
        impl #parameters __Lies for #name #arguments #conditions {
            const LAYOUT: #pack::Layout = {
                let (layout, places) = #pack::Layout::sequential([#(#parts),*], #most);
                let here = [#(::core::mem::offset_of!(Self, #names)),*];
                layout.compared(::core::mem::size_of::<Self>(), here, places)
            };
            const PLACES: [usize; #count] =
                #pack::Layout::sequential([#(<#types as #pack::Pack>::FORM.layout_or_empty()),*], #most).1;
        }

        #[automatically_derived]
        impl #parameters #pack::Pack for #name #arguments #conditions {
            // SAFETY: `write_raw` writes every field at its place, and zeros elsewhere; `compared` has compared
            // these places with those in memory, and the fields answer for themselves.
            const FORM: #pack::Form<Self> =
                #pack::Form::Raw(unsafe { #pack::Raw::new(<Self as __Lies>::LAYOUT) });
            const MIN: usize = <Self as __Lies>::LAYOUT.size;

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
                // SAFETY: the caller provides room for the layout, inside which all fields lie.
                unsafe {
                    if const { !<Self as __Lies>::LAYOUT.full } {
                        ::core::ptr::write_bytes(__at, 0, const { <Self as __Lies>::LAYOUT.size });
                    }
                    #(#writes)*
                }
            }
        }

        #[automatically_derived]
        impl #read_parameters #pack::Unpack<#lifetime> for #name #arguments #read_conditions {
            #[inline]
            fn unpack(
                __reader: &mut #pack::Reader<#lifetime>,
            ) -> ::core::result::Result<Self, #pack::Error> {
                __reader.raw()
            }

            #[inline]
            unsafe fn read_raw(__at: *const u8) -> ::core::result::Result<Self, #pack::Invalid> {
                // SAFETY: the caller provides the layout's bytes, inside which all fields lie.
                unsafe {
                    #(let #locals = #reads;)*
                    ::core::result::Result::Ok(Self { #(#names: #locals),* })
                }
            }
        }
    })
}
