use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

/// One mistake, and where it is in the text.
#[derive(Clone, Debug)]
pub(crate) struct Mistake {
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
    /// Beside the caret.
    pub(crate) label: String,
    /// The way out.
    pub(crate) help: String,
}

impl Mistake {
    pub(crate) fn new(span: Range<usize>, message: impl Into<String>) -> Mistake {
        Mistake { span, message: message.into(), label: String::new(), help: String::new() }
    }

    pub(crate) fn label(self, label: impl Into<String>) -> Mistake {
        Mistake { label: label.into(), ..self }
    }

    /// The question when there is a near word, else the help.
    pub(crate) fn mean(self, nearest: Option<&str>, help: impl Into<String>) -> Mistake {
        match nearest {
            Some(word) => self.label(format!("did you mean `{word}`?")),
            None => self.help(help),
        }
    }

    pub(crate) fn help(self, help: impl Into<String>) -> Mistake {
        Mistake { help: help.into(), ..self }
    }
}

/// What is named in place of a file where there is none.
const DESCRIPTION: &str = "the flow's description";

/// All that is wrong with a flow's file. Displayed, it shows each place in the text with a caret under the
/// word, and the way out.
#[derive(Clone, Debug)]
pub struct ConfigError {
    path: PathBuf,
    text: String,
    /// So much of the text is no part of the file.
    before: usize,
    /// In the order of the text; none when the file could not be read.
    mistakes: Vec<Mistake>,
    unreadable: Option<String>,
}

impl ConfigError {
    pub(crate) fn new(path: &Path, text: &str, mut mistakes: Vec<Mistake>) -> ConfigError {
        mistakes.sort_by_key(|mistake| mistake.span.start);
        ConfigError { path: path.into(), text: text.into(), before: 0, mistakes, unreadable: None }
    }

    pub(crate) fn unreadable(path: &Path, why: &str) -> ConfigError {
        let (text, mistakes) = (String::new(), Vec::new());
        ConfigError { path: path.into(), text, before: 0, mistakes, unreadable: Some(why.into()) }
    }

    /// A file that is no UTF-8, with the place where it ceases to be.
    pub(crate) fn not_text(path: &Path, error: &FromUtf8Error) -> ConfigError {
        let at = error.utf8_error().valid_up_to();
        // What is shown in place of the first bytes that are no text.
        let end = at + char::REPLACEMENT_CHARACTER.len_utf8();
        let mistake = Mistake::new(at..end, "this is not UTF-8 text, which TOML has to be")
            .help("save it as UTF-8, or name a flow's file");
        ConfigError::new(path, &String::from_utf8_lossy(error.as_bytes()), vec![mistake])
    }

    /// The same, where the file begins behind so many bytes of the text; what is before them is described by a program.
    pub(crate) fn behind(self, before: usize) -> ConfigError {
        ConfigError { before, ..self }
    }

    /// How many mistakes there are; 0 when the file could not be read.
    #[must_use]
    pub fn count(&self) -> usize {
        self.mistakes.len()
    }

    /// The text of the error, in colours for a terminal that shows them.
    #[must_use]
    pub fn render(&self, colours: bool) -> String {
        let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
        let path = match self.path.as_os_str().is_empty() {
            true => DESCRIPTION.to_owned(),
            false => self.path.display().to_string(),
        };
        if let Some(why) = &self.unreadable {
            let title = Level::ERROR.primary_title(format!("read the flow's file {path}: {why}"));
            let help = "name a flow's file, or go into a folder with a flow.toml; `upcall new` makes one";
            return renderer.render(&[title.elements([Level::HELP.message(help)])]);
        }
        let shown: Vec<String> = self.mistakes.iter().map(|one| self.shown(one, &path, &renderer)).collect();
        shown.join("\n\n")
    }

    fn shown(&self, mistake: &Mistake, path: &str, renderer: &Renderer) -> String {
        let (keys, file) = self.text.split_at(self.before);
        let Range { start, end } = mistake.span;
        let (source, path, span) = match start.checked_sub(self.before) {
            Some(start) => (file, path, start..end - self.before),
            None => (keys, DESCRIPTION, start..end.min(self.before)),
        };
        let caret = AnnotationKind::Primary.span(span).label(mistake.label.as_str());
        let snippet = Snippet::source(source).path(path).annotation(caret);
        let mut group = Level::ERROR.primary_title(mistake.message.as_str()).element(snippet);
        // The renderer shows titles and text without control characters, but not this.
        let help = mistake.help.replace(|c: char| c.is_control() && c != '\n', "\u{fffd}");
        if !help.is_empty() {
            group = group.element(Level::HELP.message(help));
        }
        renderer.render(&[group])
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for ConfigError {}
