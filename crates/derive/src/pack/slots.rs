use super::container::{Container, Kind};
use super::generics::{for_pack, for_unpack, input_lifetime};
use super::managed;
use super::member::{Field, slots};
use super::object::{build, default_of};
use super::schema;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{DeriveInput, Fields};

/// A version-tolerant class or struct: the lengths of its slots, then the members.
pub fn derive(input: &DeriveInput, container: &Container, fields: &Fields) -> syn::Result<TokenStream> {
    let (name, pack) = (&input.ident, &container.path);
    let fields = Field::all(name, fields, pack)?;
    let slots = slots(name, &fields, true)?;
    let form = match container.kind {
        Kind::Struct => quote!(Struct),
        _ => quote!(Object),
    };
    let (managed, checked) = (managed::check(input, container, &fields), managed::checked(container));
    let count = slots.len();
    let header = count as u8;
    let lifetime = input_lifetime();
    let writes = write_slots(pack, &slots);
    let reads = read_slots(pack, &fields, &slots);
    let overs = slots.iter().enumerate().map(|(slot, member)| {
        let Some(member) = member else { return quote!(__slots.pass(#slot)?;) };
        let (ty, label, field) = (member.ty, &member.label, &member.name);
        let over = match &member.with {
            Some(with) => quote! {
                __slots.take_with(#slot, #label, |reader| {
                    <#with as #pack::with::UnpackWith<#lifetime, #ty>>::overwrite(&mut self.#field, reader)
                })?
            },
            None => quote!(__slots.over::<#ty>(#slot, &mut self.#field, #label)?),
        };
        let default = default_of(pack, member, &quote!(__slots));
        quote! {
            if #over.is_none() && !__slots.keeps() {
                self.#field = #default;
            }
        }
    });

    let kind = if container.kind == Kind::Struct { "tolerant struct" } else { "tolerant class" };
    let describe = schema::describe(pack, name, kind, None, &described(pack, &slots));
    let (_, arguments, _) = input.generics.split_for_impl();
    let generics = for_pack(input, pack);
    let (parameters, _, conditions) = generics.split_for_impl();
    let generics = for_unpack(input, pack);
    let (read_parameters, _, read_conditions) = generics.split_for_impl();
    Ok(quote! {
        #managed

        #[automatically_derived]
        impl #parameters #pack::Pack for #name #arguments #conditions {
            const FORM: #pack::Form<Self> = #pack::Form::#form;
            const MIN: usize = 1;

            #describe

            fn pack(
                &self,
                __writer: &mut #pack::Writer<'_>,
            ) -> ::core::result::Result<(), #pack::Error> {
                #checked
                __writer.slots(#header, ::core::option::Option::None, &|__slot, __writer| {
                    match __slot { #writes }
                })
            }
        }

        #[automatically_derived]
        impl #read_parameters #pack::Unpack<#lifetime> for #name #arguments #read_conditions {
            fn unpack(
                __reader: &mut #pack::Reader<#lifetime>,
            ) -> ::core::result::Result<Self, #pack::Error> {
                let mut __slots = #pack::slots::ReadSlots::<#count>::begin(__reader)?;
                #reads
            }

            fn overwrite(
                &mut self,
                __reader: &mut #pack::Reader<#lifetime>,
            ) -> ::core::result::Result<(), #pack::Error> {
                #[allow(unused_imports)]
                use #pack::members::{FromDefault as _, FromNothing as _};
                let mut __slots = #pack::slots::ReadSlots::<#count>::begin(__reader)?;
                #(#overs)*
                __slots.end()
            }
        }
    })
}

/// The members in slots as a schema has them.
pub fn described(pack: &syn::Path, slots: &[Option<&Field<'_>>]) -> Vec<TokenStream> {
    let members = slots.iter().enumerate();
    members.filter_map(|(slot, member)| member.map(|member| schema::member(pack, slot, member))).collect()
}

/// The arms that write the member of each slot.
pub fn write_slots(pack: &syn::Path, slots: &[Option<&Field<'_>>]) -> TokenStream {
    let arms = slots.iter().enumerate().filter_map(|(slot, member)| {
        let member = (*member)?;
        let (ty, field) = (member.ty, &member.name);
        Some(match &member.with {
            Some(with) => quote! {
                #slot => <#with as #pack::with::PackWith<#ty>>::pack(&self.#field, __writer),
            },
            None => quote!(#slot => <#ty as #pack::Pack>::pack(&self.#field, __writer),),
        })
    });
    quote! {
        #(#arms)*
        _ => ::core::result::Result::Ok(()),
    }
}

/// Reads all slots and makes the value.
pub fn read_slots(pack: &syn::Path, fields: &[Field<'_>], slots: &[Option<&Field<'_>>]) -> TokenStream {
    let lifetime = input_lifetime();
    let members: Vec<&Field<'_>> = slots.iter().copied().flatten().collect();
    let locals: Vec<_> = (0..members.len()).map(|index| format_ident!("__member{index}")).collect();
    let build = build(fields, &members, &locals);
    let mut free = locals.iter();
    let takes = slots.iter().enumerate().map(|(slot, member)| {
        let (Some(member), Some(local)) = (member, member.and_then(|_| free.next())) else {
            return quote!(__slots.pass(#slot)?;);
        };
        let (ty, label) = (member.ty, &member.label);
        let default = default_of(pack, member, &quote!(__slots));
        let read = match &member.with {
            Some(with) => quote!(<#with as #pack::with::UnpackWith<#lifetime, #ty>>::unpack),
            None => quote!(<#ty as #pack::Unpack<#lifetime>>::unpack),
        };
        quote! {
            let #local = match __slots.take_with(#slot, #label, |reader| #read(reader))? {
                ::core::option::Option::Some(member) => member,
                ::core::option::Option::None => #default,
            };
        }
    });
    quote! {
        #[allow(unused_imports)]
        use #pack::members::{FromDefault as _, FromNothing as _};
        #(#takes)*
        __slots.end()?;
        ::core::result::Result::Ok(#build)
    }
}
