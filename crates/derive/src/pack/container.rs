use super::refusal;
use proc_macro2::Span;
use quote::ToTokens;
use syn::{DeriveInput, Path};

/// What C# has in the place of the type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Class,
    Struct,
    Raw,
}

/// What `#[pack(…)]` on the type says.
pub struct Container {
    pub kind: Kind,
    /// Where `upcall-pack` is.
    pub path: Path,
}

impl Container {
    pub fn of(input: &DeriveInput) -> syn::Result<Container> {
        let mut kinds: Vec<(Kind, Span)> = Vec::new();
        let mut path = syn::parse_quote!(::upcall::pack);
        for attribute in input.attrs.iter().filter(|one| one.path().is_ident("pack")) {
            attribute.parse_nested_meta(|option| {
                let span = option.path.segments[0].ident.span();
                if option.path.is_ident("struct") {
                    kinds.push((Kind::Struct, span));
                } else if option.path.is_ident("raw") {
                    kinds.push((Kind::Raw, span));
                } else if option.path.is_ident("crate") {
                    path = option.value()?.call(Path::parse_mod_style)?;
                } else {
                    let found = option.path.to_token_stream();
                    return Err(option.error(format!(
                        "unknown option `{found}`: on a type there are `struct`, `raw` and `crate = path::to::pack`"
                    )));
                }
                Ok(())
            })?;
        }
        if let [_, (_, second), ..] = kinds[..] {
            let mut error = refusal(&input.ident, &input.ident, "it is of two kinds: leave one of them");
            error.combine(syn::Error::new(second, "the second kind"));
            return Err(error);
        }
        let kind = kinds.first().map_or(Kind::Class, |(kind, _)| *kind);
        Ok(Container { kind, path })
    }
}
