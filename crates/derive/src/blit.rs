use crate::abi_path::abi_path;
use crate::repr::Repr;
use crate::shape::{self, label};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Field, Fields, Ident, Index, Member};

pub fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let name = &input.ident;
    let repr = Repr::of(&input.attrs)?;
    let abi = abi_path("blit", &input.attrs)?;
    let fields = fields(input)?;
    refuse_parameters(input)?;
    if !repr.defined {
        return Err(refusal(
            name,
            name,
            "its layout is the compiler's to choose: add `#[repr(C)]`, or `#[repr(transparent)]` around one field",
        ));
    }

    let members: Vec<Member> = fields.iter().enumerate().map(|(index, field)| member(index, field)).collect();
    let parts = fields.iter().zip(&members).map(|(field, member)| {
        let (ty, label) = (&field.ty, label(member));
        // The call has the span of the type, so that a type that is not blittable gets underlined.
        let part = quote_spanned!(ty.span()=> __blit_part::<#ty>);
        quote!(#part(#label, ::core::mem::offset_of!(#name, #member)))
    });
    let count = fields.len();
    let indices = (0..count).map(Index::from);
    let title = name.unraw().to_string();
    let types = fields.iter().map(|field| field.ty.clone());
    let shape = shape::of_struct(name, &abi, members.iter().cloned().zip(types));
    let checks = repr.packed.then(|| alignment_checks(name, fields, &members));
    let implementation = quote_spanned! {name.span()=>
        // SAFETY: the layout is defined (the derive checked), every field is blittable (`__blit_part` asks
        // for it), so any bytes are a value and there is no pointer; offsets and sizes are the compiler's.
        unsafe impl #abi::Blit for #name
    };

    Ok(quote! {
        const _: () = {
            type __BlitPart = (#abi::Field, bool);

            const fn __blit_part<T: #abi::Blit>(name: &'static ::core::primitive::str, offset: usize) -> __BlitPart {
                let field = #abi::Field {
                    name,
                    type_name: <T as #abi::Blit>::NAME,
                    offset,
                    size: ::core::mem::size_of::<T>(),
                    align: ::core::mem::align_of::<T>(),
                };
                (field, <T as #abi::Blit>::PADDED)
            }

            trait __BlitParts {
                const PARTS: [__BlitPart; #count];
            }

            impl __BlitParts for #name {
                const PARTS: [__BlitPart; #count] = [#(#parts),*];
            }

            #implementation {
                const NAME: &'static ::core::primitive::str = #title;
                const FIELDS: &'static [#abi::Field] = &[#(<#name as __BlitParts>::PARTS[#indices].0),*];
                const PADDED: bool = {
                    let parts = <#name as __BlitParts>::PARTS;
                    let (mut bytes, mut inside, mut at) = (0, false, 0);
                    while at < parts.len() {
                        bytes += parts[at].0.size;
                        inside |= parts[at].1;
                        at += 1;
                    }
                    inside || bytes != ::core::mem::size_of::<#name>()
                };
            }

            #shape
            #checks
        };
    })
}

/// Fails the build at each field of a packed struct that lies where its type may not.
fn alignment_checks(name: &Ident, fields: &Fields, members: &[Member]) -> TokenStream {
    let checks = fields.iter().zip(members).map(|(field, member)| {
        let ty = &field.ty;
        let message = format!(
            "cannot derive `Blit` for `{}`: `packed` leaves its field `{}` unaligned, so no language may take a \
             reference to it: reorder the fields, use an array of bytes, or drop `packed`",
            name.unraw(),
            label(member),
        );
        quote_spanned! {field.span()=>
            const _: () = ::core::assert!(
                ::core::mem::offset_of!(#name, #member) % ::core::mem::align_of::<#ty>() == 0
                    && ::core::mem::align_of::<#name>() >= ::core::mem::align_of::<#ty>(),
                #message
            );
        }
    });
    quote!(#(#checks)*)
}

fn fields(input: &DeriveInput) -> syn::Result<&Fields> {
    let name = &input.ident;
    match &input.data {
        Data::Struct(data) if data.fields.is_empty() => Err(refusal(
            name,
            name,
            "it has no fields, and languages differ on the size of an empty struct: add a field",
        )),
        Data::Struct(data) => Ok(&data.fields),
        Data::Enum(data) => Err(refusal(
            data.enum_token,
            name,
            "it is an enum, and bytes that are not one of its variants would be undefined behaviour: use an integer \
             with constants, and convert on purpose",
        )),
        Data::Union(data) => Err(refusal(
            data.union_token,
            name,
            "it is a union, whose bytes mean several things: use a struct with an array of bytes, and convert on \
             purpose",
        )),
    }
}

fn refuse_parameters(input: &DeriveInput) -> syn::Result<()> {
    let name = &input.ident;
    match input.generics.params.first() {
        None => Ok(()),
        Some(syn::GenericParam::Lifetime(lifetime)) => Err(refusal(
            lifetime,
            name,
            "a lifetime means a reference, and an address means nothing on the other side: keep the bytes in an \
             array",
        )),
        Some(parameter) => Err(refusal(
            parameter,
            name,
            "with parameters its name would stand for several layouts: write a struct for each type that is needed",
        )),
    }
}

fn member(index: usize, field: &Field) -> Member {
    field.ident.clone().map_or_else(|| Member::Unnamed(Index::from(index)), Member::Named)
}

fn refusal(place: impl ToTokens, name: &Ident, why: &str) -> Error {
    Error::new_spanned(place, format!("cannot derive `Blit` for `{}`: {why}", name.unraw()))
}
