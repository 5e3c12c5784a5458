use quote::ToTokens;
use syn::{Attribute, Path};

/// The path in `#[attribute(crate = …)]`, or where most users have `upcall-abi`.
pub fn abi_path(attribute: &str, attributes: &[Attribute]) -> syn::Result<Path> {
    let mut path = syn::parse_quote!(::upcall::abi);
    for attribute in attributes.iter().filter(|one| one.path().is_ident(attribute)) {
        attribute.parse_nested_meta(|option| {
            if !option.path.is_ident("crate") {
                let found = option.path.to_token_stream();
                return Err(
                    option.error(format!("unknown option `{found}`: there is `crate = path::to::abi`"))
                );
            }
            path = option.value()?.call(Path::parse_mod_style)?;
            Ok(())
        })?;
    }
    Ok(path)
}
