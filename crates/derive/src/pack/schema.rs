use super::member::Field;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::{Ident, Member, Path};

/// A member as a schema has it: its number, its name, and what describes its type.
pub fn member(pack: &Path, number: usize, field: &Field<'_>) -> TokenStream {
    let number = Literal::usize_unsuffixed(number);
    let name = match &field.name {
        Member::Named(name) => name.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    };
    let ty = field.ty;
    let describe = match field.with.as_ref().map(formatter) {
        None => quote!(<#ty as #pack::Pack>::describe),
        // Text is read in all encodings.
        Some(name) if name == "Utf8" || name == "Utf16" => quote!(<#ty as #pack::Pack>::describe),
        Some(name) => {
            let form = format!("with {name}");
            quote!((|__to: &mut #pack::Describe| __to.plain(#form)) as #pack::Describes)
        }
    };
    quote!((#number, #name, #describe))
}

/// The last name in a formatter's path.
fn formatter(with: &TokenStream) -> String {
    let path = with.to_string();
    let path = path.split('<').next().unwrap_or_default();
    path.rsplit("::").next().unwrap_or_default().trim().to_owned()
}

/// The function that describes a type with these members.
pub fn describe(
    pack: &Path,
    name: &Ident,
    kind: &str,
    size: Option<TokenStream>,
    members: &[TokenStream],
) -> TokenStream {
    let title = name.unraw().to_string();
    let size = match size {
        Some(size) => quote!(::core::option::Option::Some(#size)),
        None => quote!(::core::option::Option::None),
    };
    quote! {
        fn describe(__to: &mut #pack::Describe) {
            __to.named(::core::any::type_name::<Self>(), #title, #kind, #size, &[#(#members),*]);
        }
    }
}
