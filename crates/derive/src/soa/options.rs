use quote::ToTokens;
use syn::{Attribute, Path};

/// The `#[soa(…)]` options of a type.
pub struct Options {
    /// Where the crate `upcall-soa` is.
    pub soa: Path,
    /// Whether other languages see its columns.
    pub spans: bool,
}

impl Options {
    pub fn of(attributes: &[Attribute]) -> syn::Result<Options> {
        let mut options = Options { soa: syn::parse_quote!(::upcall::soa), spans: false };
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("soa")) {
            attribute.parse_nested_meta(|option| {
                if option.path.is_ident("crate") {
                    options.soa = option.value()?.call(Path::parse_mod_style)?;
                    return Ok(());
                }
                if option.path.is_ident("spans") {
                    options.spans = true;
                    return Ok(());
                }
                let found = option.path.to_token_stream();
                Err(option.error(format!(
                    "unknown option `{found}`: there are `crate = path::to::soa` and `spans`"
                )))
            })?;
        }
        Ok(options)
    }
}

/// Whether a field says `#[soa(flatten)]`.
pub fn flatten(attributes: &[Attribute]) -> syn::Result<bool> {
    let mut flatten = false;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("soa")) {
        attribute.parse_nested_meta(|option| {
            if option.path.is_ident("flatten") {
                flatten = true;
                return Ok(());
            }
            let found = option.path.to_token_stream();
            Err(option.error(format!("unknown option `{found}` of a field: there is `flatten`")))
        })?;
    }
    Ok(flatten)
}
