//! What two sets of lines differ in.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

/// So many names of a kind are in a message.
const NAMED: usize = 12;

/// Whether all of `expected`, which is in order, is in `found`.
pub(super) fn is_same(expected: &str, found: &str) -> bool {
    let mut found: Vec<&str> = lines(found).collect();
    found.sort_unstable();
    let mut found = found.into_iter();
    lines(expected).all(|line| found.by_ref().any(|own| own == line))
}

/// The parts of a section may have zeroes between them.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(|line| line.trim_start_matches('\0')).filter(|line| !line.is_empty())
}

/// Says what of `expected` is not so in `found`. Empty if nothing has changed; what else
/// there is in `found` does not matter.
pub(super) fn changes(expected: &str, found: &str) -> String {
    let found: HashMap<&str, &str> = lines(found).filter_map(|line| line.split_once('\t')).collect();
    let (mut missing, mut signatures) = (Vec::new(), Vec::new());
    let mut types: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (symbol, expected) in lines(expected).filter_map(|line| line.split_once('\t')) {
        match found.get(symbol) {
            None => missing.push(symbol),
            Some(found) if *found == expected => {}
            Some(found) => {
                let changed = changed_types(expected, found);
                let signature = |line: &str| line.split('\t').next().map(str::to_owned);
                if changed.is_empty() || signature(expected) != signature(found) {
                    signatures.push(symbol);
                }
                changed.into_iter().for_each(|name| types.entry(name).or_default().push(symbol));
            }
        }
    }
    let mut said = Vec::new();
    if !missing.is_empty() {
        said.push(format!("it has no function {}", listed(&missing)));
    }
    if !signatures.is_empty() {
        said.push(format!("the signature has changed of function {}", listed(&signatures)));
    }
    for (name, functions) in types.iter().take(NAMED) {
        said.push(format!("the type `{name}` has changed, which is used by function {}", listed(functions)));
    }
    if types.len() > NAMED {
        said.push(format!("and {} more types have changed", types.len() - NAMED));
    }
    said.join("; ")
}

/// The types in both lines that differ.
fn changed_types<'a>(expected: &'a str, found: &'a str) -> Vec<&'a str> {
    let types = |line: &'a str| line.split('\t').skip(1).filter_map(|ty| ty.rsplit_once(' '));
    let prints = |line: &'a str, name: &str| -> Vec<&'a str> {
        types(line).filter(|(known, _)| *known == name).map(|(_, print)| print).collect()
    };
    let mut changed: Vec<&str> = types(expected)
        .map(|(name, _)| name)
        .filter(|name| {
            let now = prints(found, name);
            !now.is_empty() && now != prints(expected, name)
        })
        .collect();
    changed.dedup();
    changed
}

fn listed(names: &[&str]) -> String {
    let mut text = String::new();
    for (at, name) in names.iter().take(NAMED).enumerate() {
        let _ = write!(text, "{}`{name}`", if at == 0 { "" } else { ", " });
    }
    if names.len() > NAMED {
        let _ = write!(text, " and {} more", names.len() - NAMED);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{changes, is_same};

    #[test]
    fn what_is_the_same_or_added_is_no_change() {
        let expected = "a\t1\tPoint 7\nb\t2\n";
        assert!(is_same(expected, "b\t2\n\0\0c\t9\n\0a\t1\tPoint 7\n"));
        assert!(!is_same(expected, "b\t2\na\t1\tPoint 6\n"));
        assert_eq!(changes(expected, "b\t2\n\0\0c\t9\n\0a\t1\tPoint 7\n"), "");
        assert_eq!(changes("", "a\t1\n"), "");
    }

    #[test]
    fn a_change_names_functions_and_types() {
        let expected = "a\t1\tPoint 7\tLine 8\nb\t2\nc\t3\nd\t4\tPoint 7\n";
        let found = "a\t1\tPoint 6\tLine 8\nb\t0\nd\t4\tPoint 6\n";
        assert_eq!(
            changes(expected, found),
            "it has no function `c`; the signature has changed of function `b`; the type `Point` has changed, which is \
             used by function `a`, `d`"
        );
    }

    #[test]
    fn a_type_that_became_another_changes_the_signature() {
        let expected = "a\t1\tPoint 7\n";
        assert_eq!(changes(expected, "a\t2\tSpot 7\n"), "the signature has changed of function `a`");
    }

    #[test]
    fn long_lists_are_cut() {
        let expected: String = (0..20).map(|number| format!("f{number}\t1\n")).collect();
        assert!(changes(&expected, "").ends_with("`f11` and 8 more"));
    }
}
