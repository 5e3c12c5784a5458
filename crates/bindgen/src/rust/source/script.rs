//! Whether the package's build script could change what a source means.

use quote::ToTokens;
use syn::Item;

/// The flags that rustc and cargo know by themselves, and the words of predicates.
const KNOWN: &str = "all any not true false clippy debug_assertions doc docsrs doctest feature fmt_debug miri overflow_checks \
    panic proc_macro relocation_model rustfmt sanitize sanitizer_cfi_generalize_pointers \
    sanitizer_cfi_normalize_integers target_abi target_arch target_endian target_env target_family \
    target_feature target_has_atomic target_has_atomic_equal_alignment target_has_atomic_load_store \
    target_os target_pointer_width target_thread_local target_vendor test unix windows";

/// Whether a text asks for a flag that only a build script or the user can set, in an attribute or in `cfg!`.
pub(super) fn names_flags(text: &str) -> bool {
    let asks = |(at, _): (usize, &str)| {
        let whole = !text[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_');
        let rest = &text[at + "cfg".len()..];
        let (rest, attribute) = match rest.strip_prefix("_attr") {
            Some(rest) => (rest, true),
            None => (rest.trim_start().strip_prefix('!').unwrap_or(rest), false),
        };
        whole && rest.trim_start().strip_prefix('(').is_some_and(|inner| names_unknown(inner, attribute))
    };
    text.match_indices("cfg").any(asks)
}

/// Whether a predicate has a name that is not known. In `cfg_attr`, a comma ends it.
fn names_unknown(text: &str, attribute: bool) -> bool {
    let (mut depth, mut within, mut name) = (1, false, String::new());
    for letter in text.chars() {
        if within {
            within = letter != '"';
            continue;
        }
        if letter.is_alphanumeric() || letter == '_' {
            name.push(letter);
            continue;
        }
        if !name.is_empty() && !KNOWN.split(' ').any(|known| known == name) {
            return true;
        }
        name.clear();
        match letter {
            '"' => within = true,
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if attribute && depth == 1 => return false,
            _ => {}
        }
        if depth == 0 {
            return false;
        }
    }
    false
}

/// Whether cargo and the target alone decide about a predicate: no build script, and no user's flags.
pub(crate) fn is_settled(predicate: &str) -> bool {
    !names_unknown(&format!("{predicate})"), false)
        && !["target_feature", "panic"].iter().any(|name| predicate.contains(name))
}

/// Whether an item reads the build script's output, or a variable that it may set.
pub(super) fn reads_output(item: &Item) -> bool {
    let text = item.to_token_stream().to_string();
    let variable = |(at, call): (usize, &str)| {
        let given = text[at + call.len()..].trim_start();
        given.strip_prefix('"').is_some_and(|name| !name.starts_with("CARGO"))
    };
    text.contains("OUT_DIR") || text.match_indices("env ! (").any(variable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_rustc_does_not_know_are_found() {
        for text in ["#[cfg(wide)]", "#[cfg_attr(all(unix, wide), x)]", "if cfg!(wide) {}", "cfg ! ( wide )"]
        {
            assert!(names_flags(text), "{text}");
        }
        for text in [
            "#[cfg(all(unix, not(any(target_os = \"wide\", feature = \"wide\")), true))]",
            "#[cfg_attr(feature = \"x\", derive(Debug), repr(C))]",
            "is_cfg(wide); cfg; cfg_if! { }",
        ] {
            assert!(!names_flags(text), "{text}");
        }
    }

    #[test]
    fn variables_that_cargo_does_not_set_are_found() {
        let reads = |text: &str| reads_output(&syn::parse_str(text).unwrap());
        assert!(reads("const A: &str = env!(\"MADE\");") && reads("const A: &str = x!(OUT_DIR);"));
        assert!(!reads("const A: &str = concat!(env!(\"CARGO_PKG_NAME\"), \"MADE\");"));
    }
}
