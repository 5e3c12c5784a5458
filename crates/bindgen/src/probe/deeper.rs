use proc_macro2::{Group, Ident, Punct, Spacing, TokenStream, TokenTree};

/// Text from a module, as it reads in a child of that module: `self::` and `super::` start one level further
/// down. Text that is not Rust stays as it is, and the compiler reports it.
pub(super) fn deeper(text: &str) -> String {
    text.parse::<TokenStream>().map_or_else(|_| text.to_owned(), |tokens| tokens_deeper(tokens).to_string())
}

fn tokens_deeper(tokens: TokenStream) -> TokenStream {
    let mut deeper: Vec<TokenTree> = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let within_path = matches!(deeper.last(), Some(TokenTree::Punct(colon)) if colon.as_char() == ':')
            && matches!(deeper.len().checked_sub(2).map(|at| &deeper[at]),
                Some(TokenTree::Punct(colon)) if colon.as_char() == ':');
        let path_goes_on = matches!(tokens.peek(), Some(TokenTree::Punct(colon)) if colon.as_char() == ':');
        match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), tokens_deeper(group.stream()));
                inner.set_span(group.span());
                deeper.push(inner.into());
            }
            TokenTree::Ident(ident) if path_goes_on && !within_path && ident == "self" => {
                deeper.push(Ident::new("super", ident.span()).into());
            }
            TokenTree::Ident(ident) if path_goes_on && !within_path && ident == "super" => {
                deeper.push(ident.clone().into());
                deeper.push(Punct::new(':', Spacing::Joint).into());
                deeper.push(Punct::new(':', Spacing::Alone).into());
                deeper.push(ident.into());
            }
            token => deeper.push(token),
        }
    }
    deeper.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::deeper;

    #[test]
    fn only_the_start_of_a_path_leads_one_further_down() {
        let cases = [
            ("super::super::LEN * 2", "super::super::super::LEN*2"),
            ("[self::Point; crate::N]", "[super::Point;crate::N]"),
            ("Wrapper<super::Point>", "Wrapper<super::super::Point>"),
            ("Point", "Point"),
        ];
        for (text, expected) in cases {
            assert_eq!(deeper(text).replace(' ', ""), expected, "{text}");
        }
    }
}
