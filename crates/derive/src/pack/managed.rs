use super::container::{Container, Kind};
use super::generics::for_pack;
use super::member::Field;
use super::message;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::DeriveInput;

/// Refuses a `struct` whose members are all raw: in C# it is unmanaged, and written as plain memory. The check is
/// a constant of a trait, as members may have a parameter's type.
pub fn check(input: &DeriveInput, container: &Container, fields: &[Field<'_>]) -> TokenStream {
    if container.kind != Kind::Struct {
        return TokenStream::new();
    }
    let (name, pack) = (&input.ident, &container.path);
    let generics = for_pack(input, pack);
    let (parameters, _, conditions) = generics.split_for_impl();
    let (_, arguments, _) = input.generics.split_for_impl();
    // The C# counterpart of a field that has a formatter or is ignored is not known here.
    let known = !fields.is_empty() && fields.iter().all(|field| field.with.is_none() && !field.ignored);
    let types = fields.iter().map(|field| field.ty);
    let why = "all of its members are raw, so C# has it as memory: write `#[pack(raw)]` and `#[repr(C)]`";
    let why = message(name, why);
    let assert = known.then(|| {
        quote_spanned!(name.span()=> ::core::assert!(#(<#types as #pack::Pack>::FORM.layout().is_none())||*, #why))
    });
    quote! {
        trait __Managed {
            const CHECK: ();
        }

        #[automatically_derived]
        impl #parameters __Managed for #name #arguments #conditions {
            const CHECK: () = { #assert };
        }
    }
}

/// Runs the check where the type is written, which is where its parameters are known.
pub fn checked(container: &Container) -> Option<TokenStream> {
    (container.kind == Kind::Struct).then(|| quote!(const { <Self as __Managed>::CHECK };))
}
