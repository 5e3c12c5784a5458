//! `cfg` within `bitflags!`, which otherwise stays as written.

use super::strip::Strip;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Attribute;
use syn::parse::Parser;

impl Strip<'_> {
    /// The declarations and the bits that stay.
    pub(super) fn flags(&mut self, tokens: TokenStream) -> TokenStream {
        let mut kept = TokenStream::new();
        for declaration in split(tokens, is_braced) {
            let Some(declaration) = self.kept(declaration) else { continue };
            kept.extend(declaration.into_iter().map(|tree| match tree {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    let bits = split(group.stream(), |tree| is_punct(tree, ';'));
                    let mut new = Group::new(
                        Delimiter::Brace,
                        bits.into_iter().filter_map(|bit| self.kept(bit)).flatten().collect(),
                    );
                    new.set_span(group.span());
                    new.into()
                }
                other => other,
            }));
        }
        kept
    }

    /// Something preceded by attributes, if it stays.
    fn kept(&mut self, trees: Vec<TokenTree>) -> Option<TokenStream> {
        let pairs = trees.chunks(2).take_while(|pair| is_punct(&pair[0], '#') && pair.len() == 2);
        let start = 2 * pairs.count();
        let written = trees[..start].iter().cloned().collect();
        let Ok(mut attributes) = Attribute::parse_outer.parse2(written) else {
            return Some(trees.into_iter().collect());
        };
        self.keeps(&mut attributes).then(|| {
            let mut all = TokenStream::new();
            attributes.iter().for_each(|attribute| attribute.to_tokens(&mut all));
            all.extend(trees.into_iter().skip(start));
            all
        })
    }
}

fn split(tokens: TokenStream, ends: impl Fn(&TokenTree) -> bool) -> Vec<Vec<TokenTree>> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    trees.split_inclusive(ends).map(<[TokenTree]>::to_vec).collect()
}

fn is_braced(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn is_punct(tree: &TokenTree, wanted: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == wanted)
}
