//! `#[doc = include_str!("…")]` and `#[doc = concat!(…)]` as the text they stand for.

use super::macros;
use std::fs;
use std::path::Path;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Macro, Meta};

/// One pass over an item of a file in `folder`. What cannot be read stays; the compiler says why.
pub(super) struct Docs<'a> {
    pub folder: &'a Path,
    pub variable: &'a mut dyn FnMut(&str) -> Option<String>,
}

impl VisitMut for Docs<'_> {
    fn visit_attribute_mut(&mut self, attribute: &mut Attribute) {
        if let Meta::NameValue(pair) = &mut attribute.meta
            && pair.path.is_ident("doc")
            && let Expr::Macro(call) = &pair.value
            && let Some(text) = self.text(&call.mac)
        {
            let lit = Lit::Str(LitStr::new(&text, syn::spanned::Spanned::span(&pair.value)));
            pair.value = Expr::Lit(ExprLit { attrs: Vec::new(), lit });
        }
    }
}

impl Docs<'_> {
    fn text(&mut self, call: &Macro) -> Option<String> {
        if call.path.is_ident("include_str") {
            let path = macros::path(call.tokens.clone(), self.variable).ok()?;
            return fs::read_to_string(self.folder.join(path)).ok();
        }
        macros::path(quote::quote!(#call), self.variable).ok()
    }
}
