//! Macros that need no compiler.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::HashSet;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Item, Meta, Token};

/// How an item-level invocation is treated.
pub(super) enum Kind {
    /// Stays as written.
    Bitflags,
    /// Its file is read.
    Include,
    /// Its branches are read.
    CfgIf,
    /// The author's own error.
    CompileError,
    /// Makes nothing that could cross.
    Harmless,
    /// Only the compiler knows.
    Unknown,
}

/// Macros that make no functions, types or constants for others.
const HARMLESS: [&str; 22] = [
    "thread_local", "lazy_static", "global_asm", "assert", "debug_assert", "const_assert", "const_assert_eq",
    "const_assert_ne", "assert_eq_size", "assert_eq_align", "assert_impl_all", "assert_impl_any",
    "assert_impl_one", "assert_not_impl_all", "assert_not_impl_any", "assert_obj_safe", "assert_type_eq_all",
    "assert_type_ne_all", "assert_fields", "assert_cfg", "assert_trait_sub_all", "assert_trait_super_all",
];

/// The kind of an invocation, by the last name of its path.
pub(super) fn kind(path: &syn::Path) -> Kind {
    let name = path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
    match name.as_str() {
        "bitflags" => Kind::Bitflags,
        "include" => Kind::Include,
        "cfg_if" => Kind::CfgIf,
        "compile_error" => Kind::CompileError,
        name if HARMLESS.contains(&name) => Kind::Harmless,
        _ => Kind::Unknown,
    }
}

/// All names in tokens, and the variables that they ask cargo for, each in its quotation marks. What is included counts for
/// nothing: it is the same wherever its file is.
pub(crate) fn words(tokens: TokenStream) -> HashSet<String> {
    let (mut words, mut open) = (HashSet::new(), vec![(String::new(), tokens)]);
    while let Some((asked, stream)) = open.pop() {
        let mut call = String::new();
        for tree in stream {
            match tree {
                TokenTree::Group(group) => match std::mem::take(&mut call) {
                    name if name == "include_str" || name == "include_bytes" => {}
                    name => open.push((name, group.stream())),
                },
                TokenTree::Ident(name) => {
                    call = name.unraw().to_string();
                    words.insert(call.clone());
                }
                TokenTree::Literal(text) if asked == "env" || asked == "option_env" => {
                    words.insert(text.to_string());
                }
                TokenTree::Punct(mark) if mark.as_char() == '!' => {}
                _ => call.clear(),
            }
        }
    }
    words
}

/// `cfg_if! { if #[cfg(..)] { .. } else if #[cfg(..)] { .. } else { .. } }`.
pub(super) struct CfgIf {
    /// Conditions and items; the last may have no condition.
    pub branches: Vec<(Option<Meta>, Vec<Item>)>,
}

impl Parse for CfgIf {
    fn parse(input: ParseStream) -> syn::Result<CfgIf> {
        let mut branches = Vec::new();
        while !input.is_empty() {
            if !branches.is_empty() {
                input.parse::<Token![else]>()?;
            }
            let condition = match input.parse::<Option<Token![if]>>()? {
                Some(_) => Some(condition(input)?),
                None => None,
            };
            let inner;
            syn::braced!(inner in input);
            let mut items = Vec::new();
            while !inner.is_empty() {
                items.push(inner.parse()?);
            }
            branches.push((condition, items));
        }
        Ok(CfgIf { branches })
    }
}

fn condition(input: ParseStream) -> syn::Result<Meta> {
    input.parse::<Token![#]>()?;
    let (attribute, predicate);
    syn::bracketed!(attribute in input);
    attribute.parse::<syn::Ident>()?;
    syn::parenthesized!(predicate in attribute);
    super::cfg::predicate(&predicate)
}

/// The path given to `include!`: a literal, or `concat!` of literals and `env!`. `variable` looks up the
/// environment; an error says what is missing.
pub(super) fn path(
    tokens: TokenStream,
    variable: &mut dyn FnMut(&str) -> Option<String>,
) -> syn::Result<String> {
    let expression = |input: ParseStream| {
        let expression = input.parse::<syn::Expr>()?;
        input.parse::<Option<Token![,]>>()?;
        Ok(expression)
    };
    text(&syn::parse::Parser::parse2(expression, tokens)?, variable)
}

fn text(expression: &syn::Expr, variable: &mut dyn FnMut(&str) -> Option<String>) -> syn::Result<String> {
    use syn::parse::Parser;
    use syn::{Expr, Lit};
    let unknown = || syn::Error::new_spanned(expression, "this path is not literal");
    match expression {
        Expr::Lit(literal) => Ok(match &literal.lit {
            Lit::Str(text) => text.value(),
            Lit::Char(one) => one.value().to_string(),
            Lit::Int(number) => number.base10_digits().to_owned(),
            Lit::Bool(one) => one.value.to_string(),
            _ => return Err(unknown()),
        }),
        Expr::Group(group) => text(&group.expr, variable),
        Expr::Macro(call) => {
            let list = syn::punctuated::Punctuated::<Expr, Token![,]>::parse_terminated;
            let arguments = list.parse2(call.mac.tokens.clone())?;
            if call.mac.path.is_ident("concat") {
                return arguments.iter().map(|one| text(one, variable)).collect();
            }
            let name = match arguments.first() {
                Some(first) if call.mac.path.is_ident("env") => text(first, variable)?,
                _ => return Err(unknown()),
            };
            let missing =
                || syn::Error::new_spanned(expression, format!("the variable `{name}` is not known"));
            variable(&name).ok_or_else(missing)
        }
        _ => Err(unknown()),
    }
}
