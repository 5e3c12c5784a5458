//! Constants whose values depend on where the build script writes: cargo decides that anew for each build, so that only
//! the library itself knows it.

use super::Lower;
use super::scope::plain;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Expr, Ident, ImplItem, Item, Macro};

/// Cargo's variable.
const VARIABLE: &str = "OUT_DIR";

impl Lower<'_> {
    /// The names of the constants that tell where the script writes, and of those that use such constants.
    pub(super) fn find_whereabouts(&mut self) {
        let mut uses: HashMap<String, HashSet<String>> = HashMap::new();
        let mut note = |name: &Ident, value: &Expr| {
            let mut mentions = Mentions { names: HashSet::new(), says: false };
            mentions.visit_expr(value);
            if mentions.says {
                self.whereabouts.insert(plain(name));
            }
            uses.entry(plain(name)).or_default().extend(mentions.names);
        };
        for item in self.scope.crates()[self.root].modules.iter().flat_map(|module| &module.items) {
            match &item.item {
                Item::Const(item) => note(&item.ident, &item.expr),
                Item::Static(item) => note(&item.ident, &item.expr),
                Item::Impl(block) => block.items.iter().for_each(|item| {
                    if let ImplItem::Const(item) = item {
                        note(&item.ident, &item.expr);
                    }
                }),
                _ => {}
            }
        }
        let mut known = 0;
        while known < self.whereabouts.len() {
            known = self.whereabouts.len();
            let more = uses.iter().filter(|(_, names)| !names.is_disjoint(&self.whereabouts));
            let more: Vec<String> = more.map(|(name, _)| name.clone()).collect();
            self.whereabouts.extend(more);
        }
    }
}

/// The names in an expression.
struct Mentions {
    names: HashSet<String>,
    says: bool,
}

impl Mentions {
    fn call(&mut self, name: &Ident, given: &TokenStream) {
        match name.to_string().as_str() {
            // An included file is the same wherever it is.
            "include_str" | "include_bytes" => {}
            "env" | "option_env" => {
                let variable = given.clone().into_iter().next().map(|first| first.to_string());
                let variable = variable.unwrap_or_default();
                self.says |= variable.trim_matches('"') == VARIABLE;
            }
            _ => self.tokens(given.clone()),
        }
    }

    fn tokens(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(tree) = tokens.next() {
            match tree {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(name) => {
                    let call = tokens
                        .next_if(|next| matches!(next, TokenTree::Punct(mark) if mark.as_char() == '!'));
                    let given = call.and_then(|_| tokens.next_if(|next| matches!(next, TokenTree::Group(_))));
                    match given {
                        Some(TokenTree::Group(given)) => self.call(&name, &given.stream()),
                        _ => drop(self.names.insert(plain(&name))),
                    }
                }
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Mentions {
    fn visit_macro(&mut self, call: &'ast Macro) {
        if let Some(last) = call.path.segments.last() {
            self.call(&last.ident, &call.tokens);
        }
    }

    fn visit_ident(&mut self, name: &'ast Ident) {
        self.names.insert(plain(name));
    }

    fn visit_expr(&mut self, mut expression: &'ast Expr) {
        // Thousands of operators in a row nest as deeply as there are operators.
        while let Expr::Binary(pair) = expression {
            self.visit_expr(&pair.right);
            expression = &pair.left;
        }
        match expression {
            Expr::Verbatim(tokens) => self.tokens(tokens.to_token_stream()),
            _ => visit::visit_expr(self, expression),
        }
    }
}
