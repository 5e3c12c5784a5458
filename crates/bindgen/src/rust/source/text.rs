//! A source file as items, and places in it.

use crate::Diagnostics;
use crate::model::Place;
use proc_macro2::Span;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// A file that was read.
#[derive(Clone)]
pub(super) struct Text {
    pub path: Arc<Path>,
    /// The number of bytes that the parser does not see: a byte order mark, a `#!` line.
    pub skipped: usize,
    /// Whether an item may read what the build script writes or sets.
    pub may_read_output: bool,
    /// Whether it asks for `cfg` flags that the build script may set.
    pub names_flags: bool,
    /// Whether it says where a file is, and where the package is.
    pub says: (bool, bool),
    /// Whether docs may come from a macro.
    pub has_doc_macros: bool,
}

impl Text {
    /// Where a span begins.
    pub fn place(&self, span: Span) -> Place {
        let start = span.start();
        Place { file: self.path.to_path_buf(), line: start.line, column: start.column + 1 }
    }

    /// An error from syn.
    pub fn report(&self, error: &syn::Error, diagnostics: &mut Diagnostics) {
        for error in error.clone() {
            diagnostics.error(Some(&self.place(error.span())), error.to_string(), "");
        }
    }
}

/// More deeply nested brackets would overflow the parser's stack; rustc's own limit for macros is 128.
const DEEPEST: usize = 200;

/// Reads and parses a file. Errors are reported.
pub(super) fn read(
    path: &Path,
    from: Option<&Place>,
    diagnostics: &mut Diagnostics,
) -> Option<(Text, syn::File)> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            diagnostics.error(from, format!("`{}` cannot be read: {error}", path.display()), "");
            return None;
        }
    };
    let skipped = skipped(&text);
    let may_read_output = text.contains("OUT_DIR") || text.contains("env!");
    let names_flags = super::script::names_flags(&text);
    let says = (text.contains("file!") || text.contains("Location"), text.contains("CARGO_MANIFEST_"));
    let has_doc_macros = text.contains("include_str!") || text.contains("concat!");
    let file = Text { path: path.into(), skipped, may_read_output, names_flags, says, has_doc_macros };
    if let Some(line) = too_deep(&text) {
        let place = Place { file: path.to_owned(), line, column: 1 };
        let message = format!("more than {DEEPEST} brackets are open here");
        diagnostics.error(Some(&place), message, "name the inner parts");
        return None;
    }
    match syn::parse_file(&text) {
        Ok(parsed) => Some((file, parsed)),
        Err(error) => {
            let place = file.place(error.span());
            diagnostics.error(Some(&place), format!("this is not Rust: {error}"), "`cargo check` says more");
            None
        }
    }
}

/// The number of bytes that [`syn::parse_file`] skips at the beginning. Lines keep their numbers.
fn skipped(text: &str) -> usize {
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let rest = &text[mark..];
    let attribute = rest.strip_prefix("#!").is_some_and(|rest| rest.trim_start().starts_with('['));
    if !rest.starts_with("#!") || attribute {
        return mark;
    }
    mark + rest.find('\n').unwrap_or(rest.len())
}

/// The line where too many brackets are open. Brackets in strings and comments are counted at first like
/// others; only if there are too many, they are told apart.
fn too_deep(text: &str) -> Option<usize> {
    if !may_be_deep(text) {
        return None;
    }
    let stream: proc_macro2::TokenStream = text[skipped(text)..].parse().ok()?;
    let mut open = vec![stream.into_iter()];
    while let Some(top) = open.last_mut() {
        match top.next() {
            Some(proc_macro2::TokenTree::Group(group)) => {
                if open.len() > DEEPEST {
                    return Some(group.span_open().start().line);
                }
                open.push(group.stream().into_iter());
            }
            Some(_) => {}
            None => drop(open.pop()),
        }
    }
    None
}

fn may_be_deep(text: &str) -> bool {
    let mut depth = 0_usize;
    text.bytes().any(|byte| {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > DEEPEST
    })
}
