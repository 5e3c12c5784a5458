//! Names selected by options.

/// Whether a name matches one of the globs.
pub(crate) fn fits(globs: &[String], name: &str) -> bool {
    globs.iter().any(|glob| matches(glob, name))
}

/// Whether a name matches a glob, in which `*` stands for any characters.
fn matches(glob: &str, name: &str) -> bool {
    match glob.split_once('*') {
        None => glob == name,
        Some((start, rest)) => match name.strip_prefix(start) {
            None => false,
            Some(name) => {
                let ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
                ends.into_iter().any(|at| matches(rest, &name[at..]))
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_any_characters() {
        for (glob, name, expected) in [
            ("*", "", true),
            ("px_*", "px_new", true),
            ("*_new", "px_new", true),
            ("a*c", "abd", false),
            ("é*", "éa", true),
        ] {
            assert_eq!(matches(glob, name), expected, "{glob} {name}");
        }
    }
}
