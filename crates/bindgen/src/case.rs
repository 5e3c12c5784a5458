//! Names in the case of classes, as several languages write them.

/// Changes the case; underscores at both ends stay.
pub(crate) fn around(source: &str, casing: impl Fn(&str) -> String) -> String {
    let middle = source.trim_matches('_');
    let start = source.len() - source.trim_start_matches('_').len();
    let (before, after) = (&source[..start], &source[start + middle.len()..]);
    format!("{before}{}{after}", casing(middle))
}

/// A name without the first of these prefixes that it has, unless that leaves no name.
pub(crate) fn stripped<'n>(name: &'n str, prefixes: &[String]) -> &'n str {
    let rest = prefixes.iter().find_map(|prefix| name.strip_prefix(prefix.as_str()));
    rest.filter(|rest| rest.starts_with(|first: char| !first.is_ascii_digit())).unwrap_or(name)
}

/// A word with a capital letter.
pub(crate) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Each word with a capital letter: `counter_add` is `CounterAdd`, `PxVec3_new_1` is `PxVec3New1`.
pub(crate) fn capitals(name: &str) -> String {
    let digit = |letter: char| letter.is_ascii_digit();
    name.split(['_', '-', '.']).fold(String::new(), |mut all, word| {
        // Two numbers side by side would become one.
        if all.ends_with(digit) && word.starts_with(digit) {
            all.push('_');
        }
        all + &capital(word)
    })
}
