//! What a project may be called, so that its name can stand in every place that it is written to.

use crate::arguments::Language;
use crate::exit::usage;
use std::path::Path;

/// Longer ones make paths that some tools refuse.
const LONGEST: usize = 64;

/// Names that mean something else where they would be written: the SDKs, and the class in the project.
const TAKEN: [&str; 5] = ["upcall", "greeter", "system", "tests", "build"];

/// No crate can have these names.
const RUST: &[&str] = &[
    "abstract", "alloc", "as", "async", "await", "become", "box", "break", "const", "continue", "core",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in",
    "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "proc_macro", "pub", "ref",
    "return", "self", "static", "std", "struct", "super", "test", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// No module can have these names.
const PYTHON: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
    "except", "false", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "none",
    "nonlocal", "not", "or", "pass", "raise", "return", "true", "try", "while", "with", "yield",
];

/// A name that has been checked.
#[derive(Debug)]
pub(super) struct Name(String);

impl Name {
    /// The last part of a path, if it can be a project's name.
    pub(super) fn of(path: &Path, language: Language) -> anyhow::Result<Name> {
        let Some(name) = path.file_name() else {
            return Err(usage(format!("new project {:?}: its path has no last part; give it a name", path)));
        };
        let shown = name.to_string_lossy();
        let refused = |why: String| usage(format!("new project {shown:?}: {why}"));
        let Some(name) = name.to_str() else {
            return Err(refused("its name is not UTF-8; use letters, digits, `-` and `_`".into()));
        };
        let odd = name.chars().find(|c| !c.is_ascii_alphanumeric() && !"-_".contains(*c));
        if let Some(odd) = odd {
            return Err(refused(format!("a name cannot contain {odd:?}; use letters, digits, `-` and `_`")));
        }
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(refused("a name begins with a letter".into()));
        }
        if name.len() > LONGEST {
            return Err(refused(format!(
                "a name has at most {LONGEST} characters, and this has {}",
                name.len()
            )));
        }
        let lower = name.to_lowercase().replace('-', "_");
        let keywords = match language {
            Language::Rust | Language::Wasm => RUST,
            Language::Python => PYTHON,
            // A namespace begins with a capital letter, and no keyword does; a jar and a package of Node's may be called anything.
            Language::C | Language::Csharp | Language::Java | Language::Node => &[],
        };
        if keywords.contains(&lower.as_str()) {
            return Err(refused(format!("it is a word of the language itself; try {name}-flow")));
        }
        if TAKEN.contains(&lower.as_str()) {
            return Err(refused(format!("the name is taken inside the project; try {name}-flow")));
        }
        Ok(Name(name.to_owned()))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// As a crate's library is called.
    pub(super) fn snake(&self) -> String {
        self.0.replace('-', "_")
    }

    /// As a namespace is called.
    pub(super) fn pascal(&self) -> String {
        let capital = |part: &str| {
            let mut letters = part.chars();
            letters
                .next()
                .map_or(String::new(), |first| format!("{}{}", first.to_ascii_uppercase(), letters.as_str()))
        };
        // Two numbers side by side would become one.
        let parts = self.0.split(['-', '_']).filter(|part| !part.is_empty());
        parts.fold(String::new(), |text, part| {
            let apart = part.starts_with(|c: char| c.is_ascii_digit()) && !text.is_empty();
            text + if apart { "_" } else { "" } + &capital(part)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str, language: Language) -> Result<String, String> {
        Name::of(Path::new(text), language).map(|name| name.pascal()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_name_is_checked_for_the_language_that_it_is_written_in() {
        assert_eq!(name("hello", Language::Csharp), Ok("Hello".into()));
        assert_eq!(name("some/where/hello-big_world", Language::Csharp), Ok("HelloBigWorld".into()));
        assert_eq!(name("v1-2", Language::Rust), Ok("V1_2".into()));
        assert_eq!(name("class", Language::Csharp), Ok("Class".into()));
        for (text, language, why) in [
            ("class", Language::Python, "it is a word of the language itself; try class-flow"),
            ("proc-macro", Language::Rust, "it is a word of the language itself"),
            ("Upcall", Language::Csharp, "the name is taken inside the project"),
            ("9lives", Language::Python, "a name begins with a letter"),
            ("-x", Language::Python, "a name begins with a letter"),
            ("a b", Language::Rust, "a name cannot contain ' '; use letters, digits, `-` and `_`"),
            ("a.b", Language::Rust, "a name cannot contain '.'"),
            ("größe", Language::Csharp, "a name cannot contain 'ö'"),
            ("..", Language::Csharp, "its path has no last part"),
            ("", Language::Csharp, "its path has no last part"),
        ] {
            let refused = name(text, language).unwrap_err();
            assert!(refused.contains(why), "{text}: {refused}");
        }
        assert!(name(&"a".repeat(65), Language::Rust).unwrap_err().contains("at most 64 characters"));
    }
}
