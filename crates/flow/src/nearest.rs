//! "Did you mean": the valid word that somebody probably had in mind.

/// The candidate nearest to `word`, if one is near enough to be worth a question: within a third of its letters,
/// two letters that changed places counting as one, whatever the case.
///
/// ```
/// assert_eq!(upcall_flow::nearest("ordr", ["on", "order", "retry"]), Some("order"));
/// assert_eq!(upcall_flow::nearest("colour", ["on", "order", "retry"]), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let distance = |candidate: &&str| strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
    let limit = |candidate: &str| candidate.chars().count().max(word.chars().count()).div_ceil(3);
    let close = candidates.into_iter().filter(|candidate| distance(candidate) <= limit(candidate));
    close.min_by_key(distance)
}
