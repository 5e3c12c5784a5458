//! Rustdoc's links, which mean nothing to other languages.

/// The docs without links to items: ``[`Foo`]``, ``[`Foo`](crate::Foo)``, ``[`Foo`][Self::foo]`` and
/// `[the docs](crate::Foo)` are their texts, and lines that only say where a link leads are gone. Links to
/// addresses and code stay.
pub fn without_links(docs: &str) -> String {
    let mut code = false;
    let mut lines = Vec::new();
    for line in docs.lines() {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        if code || fence {
            lines.push(line.to_owned());
        } else if !is_target(line) {
            lines.push(plain(line));
        }
    }
    lines.join("\n").trim_end().to_owned()
}

/// ``[`Foo`]: crate::Foo``
fn is_target(line: &str) -> bool {
    let target = line.trim().strip_prefix('[').and_then(|line| line.split_once("]: "));
    target.is_some_and(|(_, target)| is_item(target.trim()))
}

/// Whether a link's target is an item and not an address: `crate::Foo`, `Self::foo()`, `struct@Foo`.
fn is_item(target: &str) -> bool {
    let letter = |letter: char| letter.is_alphanumeric() || "_:@!()<>`".contains(letter);
    !target.is_empty() && !target.contains("//") && target.chars().all(letter)
}

fn plain(line: &str) -> String {
    let (mut text, mut rest) = (String::new(), line);
    while let Some(at) = rest.find(['[', '`']) {
        let (before, from) = rest.split_at(at);
        text.push_str(before);
        let (shown, behind) = link(from).unwrap_or_else(|| kept(from));
        text.push_str(shown);
        rest = behind;
    }
    text + rest
}

/// The text of a link at the start of this text, and what follows it.
fn link(from: &str) -> Option<(&str, &str)> {
    let inside = from.strip_prefix('[')?;
    let (shown, behind) = inside.split_once(']')?;
    let code = shown.len() > 2 && shown.starts_with('`') && shown.ends_with('`');
    for (open, close) in [('(', ')'), ('[', ']')] {
        let Some(target) = behind.strip_prefix(open) else { continue };
        // `Self::foo()` has its own parentheses.
        let mut depth = 0;
        let end = target.find(|letter| {
            depth += i32::from(letter == open) - i32::from(letter == close);
            depth < 0
        })?;
        return is_item(&target[..end]).then_some((shown, &target[end + 1..]));
    }
    code.then_some((shown, behind))
}

/// Code between backticks, or one letter.
fn kept(from: &str) -> (&str, &str) {
    let code = from.strip_prefix('`').and_then(|inside| inside.find('`')).map(|end| end + 2);
    from.split_at(code.unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::without_links;

    #[test]
    fn links_to_items_become_their_texts() {
        for (docs, expected) in [
            (
                "Like [`Foo`] and [`Bar`](crate::Bar), but [`baz`][Self::baz].",
                "Like `Foo` and `Bar`, but `baz`.",
            ),
            ("See [the book](crate::book) and [`Foo::new`](Self::new()).", "See the book and `Foo::new`."),
            (
                "See [the book](https://example.org/a), [1, 2] and x[0].",
                "See [the book](https://example.org/a), [1, 2] and x[0].",
            ),
            ("Code is `a[`b`]` and `[`.", "Code is `a[`b`]` and `[`."),
            ("A [`Foo`].\n\n[`Foo`]: crate::Foo", "A `Foo`."),
            ("```\nlet [`Foo`] = 1;\n```\n[`Foo`]", "```\nlet [`Foo`] = 1;\n```\n`Foo`"),
            ("unclosed [`Foo", "unclosed [`Foo"),
        ] {
            assert_eq!(without_links(docs), expected);
        }
    }
}
