use super::message;
use proc_macro2::Span;
use quote::ToTokens;
use syn::{Data, DeriveInput, Path};

/// The type's counterpart in C#.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Class,
    Struct,
    Raw,
    Circular,
    Union,
}

/// What `#[pack(…)]` on the type says.
pub struct Container {
    pub kind: Kind,
    /// Every member has a slot of known length.
    pub version_tolerant: bool,
    /// Where `upcall-pack` is.
    pub path: Path,
}

impl Container {
    pub fn of(input: &DeriveInput) -> syn::Result<Container> {
        let mut kinds: Vec<(Kind, Span)> = Vec::new();
        let mut version_tolerant = None;
        let mut path = syn::parse_quote!(::upcall::pack);
        for attribute in input.attrs.iter().filter(|one| one.path().is_ident("pack")) {
            attribute.parse_nested_meta(|option| {
                let named = |name| option.path.is_ident(name);
                let span = option.path.segments[0].ident.span();
                let kind = if named("struct") {
                    Kind::Struct
                } else if named("raw") {
                    Kind::Raw
                } else if named("circular") {
                    Kind::Circular
                } else if named("union") {
                    Kind::Union
                } else if named("version_tolerant") {
                    version_tolerant = Some(span);
                    return Ok(());
                } else if named("crate") {
                    path = option.value()?.call(Path::parse_mod_style)?;
                    return Ok(());
                } else {
                    let found = option.path.to_token_stream();
                    return Err(option.error(format!(
                        "unknown option `{found}`: on a type there are `struct`, `raw`, `version_tolerant`, \
                         `circular`, `union` and `crate = path::to::pack`"
                    )));
                };
                kinds.push((kind, span));
                Ok(())
            })?;
        }
        let refuse = |span, why: &str| Err(syn::Error::new(span, message(&input.ident, why)));
        if let [_, (_, second), ..] = kinds[..] {
            return refuse(second, "it already has another kind: keep only one");
        }
        let kind = kinds.first().copied();
        if let (Some(span), Some((kind, _))) = (version_tolerant, kind)
            && kind != Kind::Struct
        {
            let why = match kind {
                Kind::Circular => {
                    "a `circular` type is version-tolerant already: leave out `version_tolerant`"
                }
                Kind::Raw => "raw bytes have no slots: leave out `raw` or `version_tolerant`",
                _ => "a union is only a tag: make the classes of its variants `version_tolerant`",
            };
            return refuse(span, why);
        }
        match (&input.data, kind) {
            (Data::Struct(_), Some((Kind::Union, span))) => {
                refuse(span, "it is a struct, and a union has variants: make it an enum of classes")
            }
            (Data::Enum(_), Some((Kind::Struct | Kind::Circular, span))) => {
                refuse(span, "it is an enum: one without fields needs no option, others are a `union`")
            }
            (Data::Enum(_), _) if let Some(span) = version_tolerant => {
                refuse(span, "it is an enum: one without fields needs no option, others are a `union`")
            }
            _ => Ok(Container {
                kind: kind.map_or(Kind::Class, |(kind, _)| kind),
                version_tolerant: version_tolerant.is_some(),
                path,
            }),
        }
    }
}
