//! The attribute in a crate that is only read or measured.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta};

/// Set while a binding generator asks the compiler for its expansion of a crate. The shims are not written then,
/// and the attribute becomes a line of documentation that [`unmark`] knows: an item that a macro makes would
/// else be there without it.
pub const READING: &str = "UPCALL_EXPAND";

/// Set while a binding generator compiles a crate to measure it: the shims are not written then, but the fingerprints are.
pub const MEASURING: &str = "UPCALL_PROBE";

const MARK: &str = "#[upcall::export]";

/// The item, documented as exported.
pub(crate) fn marked(attribute: &TokenStream, item: TokenStream) -> TokenStream {
    let text = LitStr::new(&format!("{MARK}{attribute}"), Span::call_site());
    quote!(#[doc = #text] #item)
}

/// Makes the attribute again of such a line.
pub fn unmark(attribute: &mut Attribute) {
    let Meta::NameValue(pair) = &attribute.meta else { return };
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value else { return };
    let text = text.value();
    let Some(arguments) = text.strip_prefix(MARK).filter(|_| pair.path.is_ident("doc")) else { return };
    let arguments = arguments.parse::<TokenStream>().unwrap_or_default();
    attribute.meta = match arguments.is_empty() {
        true => syn::parse_quote!(upcall::export),
        false => syn::parse_quote!(upcall::export(#arguments)),
    };
}
