use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::Parser;
use syn::{Attribute, Error, LitStr, Meta, Path, Result, parse_quote};

/// What stands in the parentheses of `#[upcall::export(…)]`.
#[derive(Default)]
pub struct Options {
    /// `name = "…"`: a function's symbol, or what the symbols of an `impl` block begin with.
    pub name: Option<LitStr>,
    /// `crate = path`: where `upcall` is.
    krate: Option<Path>,
    /// `extend`: one more `impl` block of a type that is exported already.
    pub extend: Option<Path>,
    /// `marked`, on the first `impl` block of a type: calls mark its handles and do not count themselves.
    pub marked: Option<Path>,
    /// `skip`, on a function of an `impl` block: it is not exported.
    pub skip: Option<Path>,
}

impl Options {
    pub fn parse(attribute: TokenStream) -> Result<Options> {
        let mut options = Options::default();
        let parser = syn::meta::parser(|option| {
            if option.path.is_ident("name") {
                let name: LitStr = option.value()?.parse()?;
                check_symbol(&name)?;
                options.name = Some(name);
            } else if option.path.is_ident("crate") {
                options.krate = Some(option.value()?.call(Path::parse_mod_style)?);
            } else if option.path.is_ident("extend") {
                options.extend = Some(option.path.clone());
            } else if option.path.is_ident("marked") {
                options.marked = Some(option.path.clone());
            } else if option.path.is_ident("skip") {
                options.skip = Some(option.path.clone());
            } else {
                let found = option.path.to_token_stream();
                return Err(option.error(format!(
                    "unknown option `{found}`: there are `name = \"symbol\"`, `crate = path::to::upcall`, `extend` \
                     and `marked` on an impl block, and `skip` on a function in one"
                )));
            }
            Ok(())
        });
        parser.parse2(attribute)?;
        Ok(options)
    }

    /// The path to `upcall`.
    pub fn krate(&self) -> Path {
        self.krate.clone().unwrap_or_else(|| parse_quote!(::upcall))
    }

    /// Those of an `#[upcall::export(…)]` among the attributes of a function in an `impl` block.
    pub fn of(attributes: &[Attribute]) -> Result<Options> {
        match attributes.iter().find(|attribute| is_export(attribute)) {
            None => Ok(Options::default()),
            Some(attribute) => match &attribute.meta {
                Meta::Path(_) => Ok(Options::default()),
                Meta::List(list) => Options::parse(list.tokens.clone()),
                Meta::NameValue(value) => Err(Error::new_spanned(
                    value,
                    "cannot export: write `#[upcall::export(name = \"symbol\")]`",
                )),
            },
        }
    }

    /// Refuses `extend`, `marked` and `skip` where they say nothing.
    pub fn only_name(&self) -> Result<()> {
        match self.extend.as_ref().or(self.marked.as_ref()).or(self.skip.as_ref()) {
            None => Ok(()),
            Some(option) => Err(Error::new_spanned(
                option,
                "cannot export: `extend` and `marked` belong on an impl block, and `skip` on a function in an exported one",
            )),
        }
    }
}

/// Whether this is `#[export]` or `#[….::export]`, with or without options.
pub fn is_export(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "export")
}

fn check_symbol(name: &LitStr) -> Result<()> {
    let text = name.value();
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if begins && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Ok(());
    }
    Err(Error::new_spanned(
        name,
        format!(
            "cannot export as `{text}`: a C symbol has letters, digits and underscores, and begins with no digit"
        ),
    ))
}
