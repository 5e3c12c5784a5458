//! Diagnostics as a person reads them: the message, the source line with the place underlined, and the help.

use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

impl Diagnostics {
    /// All of them, with an excerpt of each source file that can be read. `color` is for terminals.
    #[must_use]
    pub fn render(&self, color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let mut sources = HashMap::new();
        let mut text = String::new();
        for diagnostic in &self.list {
            text += &render(diagnostic, &renderer, &mut sources);
            text.push('\n');
        }
        text
    }
}

fn render(
    diagnostic: &Diagnostic,
    renderer: &Renderer,
    sources: &mut HashMap<PathBuf, Option<String>>,
) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()));
    let place = diagnostic.place.as_ref();
    let source = place.and_then(|place| read(sources, &place.file));
    let path = place.map(|place| place.file.display().to_string());
    if let (Some(place), Some(path)) = (place, &path) {
        let span = source.and_then(|source| Some((source, identifier(source, place.line, place.column)?)));
        group = match span {
            Some((source, span)) => group
                .element(Snippet::source(source).path(path).annotation(AnnotationKind::Primary.span(span))),
            None => group
                .element(annotate_snippets::Origin::path(path).line(place.line).char_column(place.column)),
        };
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

fn read<'a>(sources: &'a mut HashMap<PathBuf, Option<String>>, path: &Path) -> Option<&'a str> {
    sources.entry(path.to_owned()).or_insert_with(|| fs::read_to_string(path).ok()).as_deref()
}

/// The bytes of the word at a place, or of the one character there.
fn identifier(source: &str, line: usize, column: usize) -> Option<std::ops::Range<usize>> {
    let start_of_line: usize = source.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    let text = source.get(start_of_line..)?.lines().next()?;
    let start = text.char_indices().nth(column.saturating_sub(1)).map_or(text.len(), |(index, _)| index);
    let word = text[start..].find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let first = text[start..].chars().next().map_or(0, char::len_utf8);
    let len = word.unwrap_or(text.len() - start).max(first);
    Some(start_of_line + start..start_of_line + start + len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Place;

    #[test]
    fn the_word_at_the_place_is_underlined() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("api.rs");
        fs::write(&file, "// ä\npub extern \"C\" fn f(text: String) {}\n").unwrap();
        let mut diagnostics = Diagnostics::default();
        let place = Place { file: file.clone(), line: 2, column: 27 };
        diagnostics.error(Some(&place), "`String` cannot cross as it is", "use #[upcall::export]");
        let text = diagnostics.render(false);
        assert!(text.contains("error: `String` cannot cross as it is"), "{text}");
        assert!(text.contains("^^^^^^") && !text.contains("^^^^^^^"), "{text}");
        assert!(text.contains("api.rs:2:27") && text.contains("help: use #[upcall::export]"), "{text}");
    }

    #[test]
    fn a_place_beyond_the_file_and_a_file_that_is_gone_are_still_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("api.rs");
        for (contents, line) in [(Some("one\n"), 9), (None, 1), (Some(""), 1), (Some("é"), 0)] {
            match contents {
                Some(text) => fs::write(&file, text).unwrap(),
                None => fs::remove_file(&file).unwrap(),
            }
            let mut diagnostics = Diagnostics::default();
            diagnostics.error(Some(&Place { file: file.clone(), line, column: 7 }), "odd", "");
            assert!(diagnostics.render(false).contains("api.rs"), "{contents:?}");
        }
    }
}
