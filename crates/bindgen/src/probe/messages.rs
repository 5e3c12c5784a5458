//! The compiler's messages about the copy, rewritten to be about the original.

use super::failure::Failure;
use super::mirror::{Mirror, absolute};
use super::sheet::Sheets;
use crate::model::Place;
use cargo_metadata::Message;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel, DiagnosticSpan};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// What cargo has said, and what of it the compiler has.
pub(crate) fn said(output: &Output) -> (Vec<Message>, Vec<Diagnostic>) {
    let messages: Vec<Message> =
        Message::parse_stream(output.stdout.as_slice()).map_while(Result::ok).collect();
    let of_the_compiler = messages.iter().filter_map(|message| match message {
        Message::CompilerMessage(message) => Some(message.message.clone()),
        _ => None,
    });
    let of_the_compiler = of_the_compiler.collect();
    (messages, of_the_compiler)
}

/// Where the compiler's paths lead.
pub(super) struct Paths<'a> {
    pub mirror: &'a Mirror,
    /// The compiler's own folder.
    pub from: &'a Path,
    /// The folder of the probe's texts, each named after its spot's number.
    pub texts: &'a Path,
    pub sheets: &'a Sheets,
    /// Source files as the front end names them.
    pub known: Vec<PathBuf>,
}

impl Paths<'_> {
    /// A failure for an error; `None` for a warning and for the closing words.
    pub fn failure(&self, message: &Diagnostic) -> Option<Failure> {
        let error = matches!(message.level, DiagnosticLevel::Error | DiagnosticLevel::Ice);
        if !error || message.message.starts_with("aborting due to") {
            return None;
        }
        let code = message.code.as_ref().map_or(String::new(), |code| format!("[{}]", code.code));
        let span = self.span(message);
        let own = message.spans.iter().find_map(|span| self.ask(span));
        let text = message.message.trim().replace('\n', " ");
        let label =
            span.and_then(|span| span.label.clone()).map_or(String::new(), |label| format!(": {label}"));
        if let Some(ask) = own {
            return Some(Failure { ask, ..Failure::new(format!("{text}{label}"), "") });
        }
        let place = span.map(|span| Box::new(self.place(outermost(span))));
        let message = format!("the crate does not compile: error{code}: {text}{label}");
        Some(Failure { place, ..Failure::new(message, "nothing is measured until it does") })
    }

    /// What a line of the probe's own text is about; the inner `None` is a line about nothing in particular.
    fn ask(&self, span: &DiagnosticSpan) -> Option<Option<super::ask::Ask>> {
        let path = absolute(&self.from.join(&span.file_name));
        if let Ok(name) = path.strip_prefix(self.texts) {
            let spot: usize = name.file_stem()?.to_str()?.parse().ok()?;
            return Some(
                self.sheets.lines.get(spot)?.get(span.line_start.checked_sub(1)?).copied().flatten(),
            );
        }
        span.expansion.as_ref().and_then(|expansion| self.ask(&expansion.span))
    }

    /// The message's main span. For a file that does not parse, the end of the file is in the probe's own line,
    /// so spans within the original come first.
    fn span<'b>(&self, message: &'b Diagnostic) -> Option<&'b DiagnosticSpan> {
        let primary = || message.spans.iter().filter(|span| span.is_primary);
        let mut within = primary().chain(&message.spans).filter(|span| {
            let text = fs::read_to_string(self.original(Path::new(&span.file_name)));
            text.is_ok_and(|text| span.line_start <= text.lines().count())
        });
        within.next().or_else(|| primary().next())
    }

    fn place(&self, span: &DiagnosticSpan) -> Place {
        let path = self.original(Path::new(&span.file_name));
        let known = self.known.iter().find(|known| absolute(known) == path).cloned();
        let file = known.unwrap_or_else(|| {
            let here = std::env::current_dir().unwrap_or_default();
            path.strip_prefix(here).map(Path::to_owned).unwrap_or(path)
        });
        Place { file, line: span.line_start, column: span.column_start }
    }

    /// The original behind a path of the compiler's.
    pub fn original(&self, path: &Path) -> PathBuf {
        let path = absolute(&self.from.join(path));
        self.mirror.original_of(&path).unwrap_or(path)
    }

    /// The same; none where it is one of the probe's texts.
    pub fn input(&self, path: &Path) -> Option<PathBuf> {
        Some(self.original(path)).filter(|path| !path.starts_with(self.texts))
    }
}

/// Where the user wrote the macro, if the error is within one.
fn outermost(span: &DiagnosticSpan) -> &DiagnosticSpan {
    span.expansion.as_ref().map_or(span, |expansion| outermost(&expansion.span))
}
