use super::container::{Container, Kind};
use super::generics::{for_pack, for_unpack, input_lifetime};
use super::managed;
use super::member::{Field, slots};
use super::schema;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{DeriveInput, Fields, Path};

/// A class or a managed struct: the count of its members, then the members.
pub fn derive(input: &DeriveInput, container: &Container, fields: &Fields) -> syn::Result<TokenStream> {
    let (name, pack) = (&input.ident, &container.path);
    let fields = Field::all(name, fields, pack)?;
    let members: Vec<&Field<'_>> = slots(name, &fields, false)?.into_iter().flatten().collect();
    let writing = write(input, container, &members);
    let reading = read(input, container, &fields, &members);
    let managed = managed::check(input, container, &fields);
    Ok(quote!(#managed #writing #reading))
}

fn write(input: &DeriveInput, container: &Container, members: &[&Field<'_>]) -> TokenStream {
    let (name, pack) = (&input.ident, &container.path);
    let generics = for_pack(input, pack);
    let (parameters, _, conditions) = generics.split_for_impl();
    let (_, arguments, _) = input.generics.split_for_impl();
    let form = match container.kind {
        Kind::Struct => quote!(Struct),
        _ => quote!(Object),
    };
    let checked = managed::checked(container);
    let count = members.len();
    let header = count as u8;
    let sizes = members.iter().map(|member| match member.with {
        Some(_) => quote!(::core::option::Option::None),
        None => {
            let ty = member.ty;
            quote_spanned!(ty.span()=> #pack::members::size::<#ty>())
        }
    });
    let labels = members.iter().map(|member| &member.label);
    let puts = members.iter().enumerate().map(|(index, member)| {
        let (field, ty, next) = (&member.name, member.ty, index + 1);
        match &member.with {
            Some(with) => quote! {
                __members.put_with(
                    const { #pack::members::run(<Self as __Sizes>::SIZES, #next) },
                    |writer| <#with as #pack::with::PackWith<#ty>>::pack(&self.#field, writer),
                )?;
            },
            None => quote! {
                __members.put(&self.#field, const { #pack::members::run(<Self as __Sizes>::SIZES, #next) })?;
            },
        }
    });
    let described: Vec<_> =
        members.iter().enumerate().map(|(index, member)| schema::member(pack, index, member)).collect();
    let kind = if container.kind == Kind::Struct { "struct" } else { "class" };
    let describe = schema::describe(pack, name, kind, None, &described);
    quote! {
        trait __Sizes {
            const SIZES: [::core::option::Option<usize>; #count];
            const NAMES: [&'static str; #count];
        }

        #[automatically_derived]
        impl #parameters __Sizes for #name #arguments #conditions {
            const SIZES: [::core::option::Option<usize>; #count] = [#(#sizes),*];
            const NAMES: [&'static str; #count] = [#(#labels),*];
        }

        #[automatically_derived]
        impl #parameters #pack::Pack for #name #arguments #conditions {
            const FORM: #pack::Form<Self> = #pack::Form::#form;
            const MIN: usize = 1;

            #describe

            #[inline]
            fn pack(
                &self,
                __writer: &mut #pack::Writer<'_>,
            ) -> ::core::result::Result<(), #pack::Error> {
                #checked
                let mut __members = #pack::members::WriteMembers::begin(
                    __writer,
                    #header,
                    const { #pack::members::run(<Self as __Sizes>::SIZES, 0) },
                )?;
                #(#puts)*
                __members.end();
                ::core::result::Result::Ok(())
            }
        }
    }
}

fn read(
    input: &DeriveInput,
    container: &Container,
    fields: &[Field<'_>],
    members: &[&Field<'_>],
) -> TokenStream {
    let (name, pack) = (&input.ident, &container.path);
    let generics = for_unpack(input, pack);
    let (parameters, _, conditions) = generics.split_for_impl();
    let (_, arguments, _) = input.generics.split_for_impl();
    let lifetime = input_lifetime();
    let title = name.unraw().to_string();
    let count = members.len() as u8;
    let run = |from: usize| {
        quote!(const {
            &#pack::members::Run::of(&<Self as __Sizes>::SIZES, &<Self as __Sizes>::NAMES, #from)
        })
    };
    let first = run(0);
    // The raw members in front are found at once.
    let begin = (!members.is_empty()).then(|| quote!(__members.find(#first)?;));
    let none = quote!(&#pack::members::Run::NONE);

    let locals: Vec<_> = (0..members.len()).map(|index| format_ident!("__member{index}")).collect();
    let build = build(fields, members, &locals);
    let take = |run: TokenStream, member: &Field<'_>| {
        let (ty, label) = (member.ty, &member.label);
        match &member.with {
            Some(with) => quote!(__members.take_with(#run, #label, |reader| {
                <#with as #pack::with::UnpackWith<#lifetime, #ty>>::unpack(reader)
            })),
            None => quote!(__members.take::<#ty>(#run, #label)),
        }
    };
    let over = |run: TokenStream, member: &Field<'_>| {
        let (ty, label, field) = (member.ty, &member.label, &member.name);
        match &member.with {
            Some(with) => quote!(__members.take_with(#run, #label, |reader| {
                <#with as #pack::with::UnpackWith<#lifetime, #ty>>::overwrite(&mut self.#field, reader)
            })),
            None => quote!(__members.over::<#ty>(&mut self.#field, #run, #label)),
        }
    };
    let takes: Vec<_> =
        members.iter().enumerate().map(|(index, member)| take(run(index + 1), member)).collect();
    let overs: Vec<_> =
        members.iter().enumerate().map(|(index, member)| over(run(index + 1), member)).collect();
    let some = members.iter().enumerate().map(|(index, member)| {
        let (take, index) = (take(none.clone(), member), index as u8);
        let default = default_of(pack, member, &quote!(__members));
        quote!(if __members.has(#index) { #take? } else { #default })
    });
    let some_over = members.iter().enumerate().map(|(index, member)| {
        let (over, field, index) = (over(none.clone(), member), &member.name, index as u8);
        let default = default_of(pack, member, &quote!(__members));
        quote! {
            if __members.has(#index) {
                #over?;
            } else if !__members.keeps() {
                self.#field = #default;
            }
        }
    });

    quote! {
        /// Reads an object that has fewer members than the type.
        trait __Fewer<#lifetime>: ::core::marker::Sized {
            fn fewer(
                __members: #pack::members::ReadMembers<'_, #lifetime>,
            ) -> ::core::result::Result<Self, #pack::Error>;
            fn overwrite_fewer(
                &mut self,
                __members: #pack::members::ReadMembers<'_, #lifetime>,
            ) -> ::core::result::Result<(), #pack::Error>;
        }

        #[automatically_derived]
        impl #parameters __Fewer<#lifetime> for #name #arguments #conditions {
            #[cold]
            fn fewer(
                mut __members: #pack::members::ReadMembers<'_, #lifetime>,
            ) -> ::core::result::Result<Self, #pack::Error> {
                #[allow(unused_imports)]
                use #pack::members::{FromDefault as _, FromNothing as _};
                #(let #locals = #some;)*
                __members.end();
                ::core::result::Result::Ok(#build)
            }

            #[cold]
            fn overwrite_fewer(
                &mut self,
                mut __members: #pack::members::ReadMembers<'_, #lifetime>,
            ) -> ::core::result::Result<(), #pack::Error> {
                #[allow(unused_imports)]
                use #pack::members::{FromDefault as _, FromNothing as _};
                #(#some_over)*
                __members.end();
                ::core::result::Result::Ok(())
            }
        }

        #[automatically_derived]
        impl #parameters #pack::Unpack<#lifetime> for #name #arguments #conditions {
            #[inline]
            fn unpack(
                __reader: &mut #pack::Reader<#lifetime>,
            ) -> ::core::result::Result<Self, #pack::Error> {
                let mut __members = #pack::members::ReadMembers::begin(__reader, #count, #title)?;
                if !__members.has_all(#count) {
                    return <Self as __Fewer<#lifetime>>::fewer(__members);
                }
                #begin
                #(let #locals = #takes?;)*
                __members.end();
                ::core::result::Result::Ok(#build)
            }

            #[inline]
            fn overwrite(
                &mut self,
                __reader: &mut #pack::Reader<#lifetime>,
            ) -> ::core::result::Result<(), #pack::Error> {
                let mut __members = #pack::members::ReadMembers::begin(__reader, #count, #title)?;
                if !__members.has_all(#count) {
                    return <Self as __Fewer<#lifetime>>::overwrite_fewer(self, __members);
                }
                #begin
                #(#overs?;)*
                __members.end();
                ::core::result::Result::Ok(())
            }
        }
    }
}

/// The default of a member that the input does not have, or the error that it has none. `reads` is what the members
/// are read by.
pub fn default_of(pack: &Path, member: &Field<'_>, reads: &TokenStream) -> TokenStream {
    let (ty, label) = (member.ty, &member.label);
    quote! {
        match (&&#pack::members::Missing::<#ty>::new()).member() {
            ::core::option::Option::Some(member) => member,
            ::core::option::Option::None => {
                return ::core::result::Result::Err(#reads.missing(#label));
            }
        }
    }
}

/// The value, made of its members' locals and the defaults of ignored fields.
pub fn build(fields: &[Field<'_>], members: &[&Field<'_>], locals: &[syn::Ident]) -> TokenStream {
    let values = fields.iter().map(|field| {
        let name = &field.name;
        match members.iter().position(|member| member.name == *name) {
            Some(index) => {
                let local = &locals[index];
                quote!(#name: #local)
            }
            None => quote!(#name: ::core::default::Default::default()),
        }
    });
    quote!(Self { #(#values),* })
}
