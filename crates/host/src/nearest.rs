//! "Did you mean": the valid word that somebody probably had in mind.

/// The candidate nearest to `word`, if one is near enough to be worth a question: within a third of its letters,
/// two letters that changed places counting as one, whatever the case.
///
/// ```
/// assert_eq!(upcall_host::nearest("ordr", ["on", "order", "retry"]), Some("order"));
/// assert_eq!(upcall_host::nearest("colour", ["on", "order", "retry"]), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let distance = |candidate: &&str| strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
    let limit = |candidate: &str| candidate.chars().count().max(word.chars().count()).div_ceil(3);
    let close = candidates.into_iter().filter(|candidate| distance(candidate) <= limit(candidate));
    // Of two that are as near, the one with the same letters: `u46` is `u64` rather than `u16`.
    let letters = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    close.min_by_key(|candidate| (distance(candidate), letters(candidate) != letters(&lower)))
}

/// What a guest says first, then each handler that there is on a line of its own: why there is no such handler, which ones there
/// are, and which was probably meant.
#[cfg(any(
    feature = "native",
    feature = "clr",
    feature = "embedded",
    feature = "java",
    feature = "python",
    feature = "wasm"
))]
pub(crate) fn missing(class: &str, said: &str) -> String {
    let mut lines = said.lines();
    let (why, names) = (lines.next().unwrap_or_default(), lines.collect::<Vec<_>>());
    if names.is_empty() {
        return format!("{why}; it holds no handlers");
    }
    // Who left out the namespace meant the class.
    let simple = |name: &'_ str| name.rfind('.').map_or(0, |dot| dot + 1);
    let by_class = || {
        let near = nearest(class, names.iter().map(|name| &name[simple(name)..]))?;
        names.iter().copied().find(|name| &name[simple(name)..] == near)
    };
    let near = nearest(class, names.iter().copied()).or_else(by_class).filter(|near| *near != class);
    let help = near.map_or("name one of them".to_owned(), |near| format!("did you mean {near}?"));
    format!("{why}; it holds {}; {help}", names.join(", "))
}
