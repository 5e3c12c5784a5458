//! The flags that `cfg` sees, and the evaluation of predicates.

use quote::ToTokens;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, Meta, MetaNameValue, Token};

/// The flags that are set: `unix`, `target_os="linux"`, `feature="serde"`.
#[derive(Clone, Debug, Default)]
pub(super) struct Flags {
    set: HashSet<(String, Option<String>)>,
    /// What the compiler has said of predicates. It is right: a build script, or any of cargo's configuration files,
    /// may set flags too.
    pub told: Told,
    decided: RefCell<Told>,
}

/// Predicates as text, and whether they hold.
pub type Told = BTreeMap<String, bool>;

impl Flags {
    /// One flag as rustc prints and accepts it, `name` or `name="value"`.
    pub fn add(&mut self, flag: &str) {
        let (name, value) = match flag.split_once('=') {
            Some((name, value)) => {
                let value = value.trim();
                let bare = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
                (name, Some(bare.unwrap_or(value).to_owned()))
            }
            None => (flag, None),
        };
        self.set.insert((name.trim().to_owned(), value));
    }

    /// A feature of the package.
    pub fn add_feature(&mut self, name: &str) {
        self.set.insert(("feature".to_owned(), Some(name.to_owned())));
    }

    /// Whether `name="value"` is set.
    pub fn has(&self, name: &str, value: &str) -> bool {
        self.set.contains(&(name.to_owned(), Some(value.to_owned())))
    }

    /// Decides about a predicate (what is within `#[cfg(..)]`), and keeps in mind how.
    pub fn decide(&self, predicate: &Meta) -> syn::Result<bool> {
        let text = predicate.to_token_stream().to_string();
        let holds = match self.told.get(&text) {
            Some(holds) => *holds,
            None => self.holds(predicate)?,
        };
        self.decided.borrow_mut().insert(text, holds);
        Ok(holds)
    }

    /// What was decided.
    pub fn decided(&self) -> Vec<(String, bool)> {
        self.decided.borrow().iter().map(|(text, holds)| (text.clone(), *holds)).collect()
    }

    fn holds(&self, predicate: &Meta) -> syn::Result<bool> {
        match predicate {
            Meta::Path(path) => {
                let name = name(path)?;
                Ok(name == "true" || name != "false" && self.set.contains(&(name, None)))
            }
            Meta::NameValue(MetaNameValue { path, value, .. }) => {
                let Expr::Lit(ExprLit { lit: Lit::Str(value), .. }) = value else {
                    return Err(syn::Error::new_spanned(value, "a `cfg` compares with a literal string"));
                };
                Ok(self.set.contains(&(name(path)?, Some(value.value()))))
            }
            Meta::List(list) => {
                let inner = || predicates.parse2(list.tokens.clone());
                match name(&list.path)?.as_str() {
                    "all" => inner()?.iter().try_fold(true, |all, one| Ok(self.holds(one)? && all)),
                    "any" => inner()?.iter().try_fold(false, |any, one| Ok(self.holds(one)? || any)),
                    "not" => match inner()?.iter().collect::<Vec<_>>().as_slice() {
                        [one] => Ok(!self.holds(one)?),
                        _ => Err(syn::Error::new_spanned(list, "`not` takes one predicate")),
                    },
                    other => {
                        let message = format!("`{other}(..)` cannot be decided, only `all`, `any` and `not`");
                        Err(syn::Error::new_spanned(list, message))
                    }
                }
            }
        }
    }
}

/// Comma-separated predicates. `true` and `false` are names here.
pub(super) fn predicates(input: syn::parse::ParseStream) -> syn::Result<Punctuated<Meta, Token![,]>> {
    Punctuated::parse_terminated_with(input, predicate)
}

/// One predicate.
pub(super) fn predicate(input: syn::parse::ParseStream) -> syn::Result<Meta> {
    if let Some(value) = input.parse::<Option<syn::LitBool>>()? {
        let name = if value.value { "true" } else { "false" };
        return Ok(Meta::Path(proc_macro2::Ident::new(name, value.span).into()));
    }
    input.parse()
}

fn name(path: &syn::Path) -> syn::Result<String> {
    match path.get_ident() {
        Some(ident) => Ok(syn::ext::IdentExt::unraw(ident).to_string()),
        None => Err(syn::Error::new_spanned(path, "a `cfg` has a plain name")),
    }
}
