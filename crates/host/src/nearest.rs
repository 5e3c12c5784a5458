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
