//! What `#[pack(…)]` says.

use syn::meta::ParseNestedMeta;
use syn::{Attribute, LitInt, Path, Token};

/// Attributes of a type.
#[derive(Default)]
pub(super) struct Container {
    pub value: bool,
    pub raw: bool,
    pub version_tolerant: bool,
    pub circular: bool,
    pub union: bool,
}

/// Attributes of a field or a variant.
#[derive(Default)]
pub(super) struct OnField {
    pub order: Option<u32>,
    pub tag: Option<u16>,
    pub ignore: bool,
    pub include: bool,
    pub utf8: bool,
    pub utf16: bool,
    pub with: Option<Path>,
}

impl Container {
    pub fn read(attributes: &[Attribute]) -> syn::Result<Container> {
        let mut container = Container::default();
        each(attributes, &mut |meta| {
            let flag = match name(meta).as_str() {
                "struct" => &mut container.value,
                "raw" => &mut container.raw,
                "version_tolerant" => &mut container.version_tolerant,
                "circular" => &mut container.circular,
                "union" => &mut container.union,
                // Where the Rust code finds the crate.
                "crate" => return meta.value()?.parse::<Path>().map(drop),
                _ => return Err(unknown(meta)),
            };
            *flag = true;
            Ok(())
        })?;
        Ok(container)
    }
}

impl OnField {
    pub fn read(attributes: &[Attribute]) -> syn::Result<OnField> {
        let mut field = OnField::default();
        each(attributes, &mut |meta| {
            match name(meta).as_str() {
                "order" => field.order = Some(meta.value()?.parse::<LitInt>()?.base10_parse()?),
                "tag" => field.tag = Some(meta.value()?.parse::<LitInt>()?.base10_parse()?),
                "with" => field.with = Some(meta.value()?.parse()?),
                "ignore" => field.ignore = true,
                "include" => field.include = true,
                "utf8" => field.utf8 = true,
                "utf16" => field.utf16 = true,
                _ => return Err(unknown(meta)),
            }
            Ok(())
        })?;
        Ok(field)
    }
}

/// Whether `#[derive(…)]` has `Pack`.
pub(super) fn derives_pack(attributes: &[Attribute]) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident("derive")).any(|attribute| {
        let mut found = false;
        // If it is not a list of paths, the compiler refuses it.
        let _ = attribute.parse_nested_meta(|meta| {
            found |= meta.path.segments.last().is_some_and(|last| last.ident == "Pack");
            Ok(())
        });
        found
    })
}

/// Whether a variant is the one that `Default` gives.
pub(super) fn is_default(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("default"))
}

fn each(
    attributes: &[Attribute],
    read: &mut dyn FnMut(&ParseNestedMeta<'_>) -> syn::Result<()>,
) -> syn::Result<()> {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("pack")) {
        attribute.parse_nested_meta(|meta| {
            read(&meta)?;
            // `read` may leave a part of an option unread; that is an error.
            if meta.input.is_empty() || meta.input.peek(Token![,]) { Ok(()) } else { Err(unknown(&meta)) }
        })?;
    }
    Ok(())
}

fn name(meta: &ParseNestedMeta<'_>) -> String {
    meta.path.get_ident().map(ToString::to_string).unwrap_or_default()
}

fn unknown(meta: &ParseNestedMeta<'_>) -> syn::Error {
    meta.error("unknown option of `#[pack(…)]`")
}
