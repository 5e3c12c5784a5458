use super::container::Container;
use super::generics::{for_circular, input_lifetime};
use super::member::{Field, slots};
use super::refusal;
use super::schema;
use super::slots::{described, read_slots, write_slots};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Fields};

/// A class whose objects may refer to one another: a version-tolerant one with an id.
pub fn derive(input: &DeriveInput, container: &Container, fields: &Fields) -> syn::Result<TokenStream> {
    let (name, pack) = (&input.ident, &container.path);
    if let Some(lifetime) = input.generics.lifetimes().next() {
        let why = "its objects live in an arena that borrows nothing: own what it holds";
        return Err(refusal(lifetime, name, why));
    }
    let fields = Field::all(name, fields, pack)?;
    let slots = slots(name, &fields, true)?;
    let count = slots.len();
    let header = count as u8;
    let (writes, reads) = (write_slots(pack, &slots), read_slots(pack, &fields, &slots));
    let describe = schema::describe(pack, name, "circular class", None, &described(pack, &slots));
    let lifetime = input_lifetime();
    let generics = for_circular(input, pack);
    let (parameters, arguments, conditions) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #parameters #pack::Circular for #name #arguments #conditions {
            const SLOTS: u8 = #header;

            #describe

            fn pack_slot(
                &self,
                __slot: usize,
                __writer: &mut #pack::Writer<'_>,
            ) -> ::core::result::Result<(), #pack::Error> {
                match __slot { #writes }
            }

            fn unpack_slots<#lifetime>(
                __reader: &mut #pack::Reader<#lifetime>,
                __begin: &mut dyn ::core::ops::FnMut(
                    &mut #pack::Reader<#lifetime>,
                ) -> ::core::result::Result<(), #pack::Error>,
            ) -> ::core::result::Result<Self, #pack::Error> {
                let mut __slots = #pack::slots::ReadSlots::<#count>::begin(__reader)?;
                __begin(__slots.reader())?;
                #reads
            }
        }
    })
}
