//! Standard output and standard error, either of which may go away while the command runs.

use crate::progress;
use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::io::{self, Write as _};

/// Prints a line on standard output. The error is for the command to end with.
pub(crate) fn line(text: impl Display) -> anyhow::Result<()> {
    all(format!("{text}\n"))
}

/// Prints text on standard output.
pub(crate) fn all(text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_ref()).and_then(|()| out.flush());
    written.map_err(|error| anyhow::Error::new(error).context("write to standard output"))
}

/// Prints a line on standard error, above the progress bar. Where nobody can read it, it is lost.
pub(crate) fn error(text: impl Display) {
    let text = format!("{text}\n");
    let _ = progress::above(|| io::stderr().write_all(text.as_bytes()));
}

/// Text that somebody else has written: nothing in it moves a terminal's cursor or changes its colours, and its
/// further lines are set off, so that none of them looks like a message of its own.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(|c: char| c.is_control()) {
        return text.into();
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' => safe.push_str("\n    "),
            c if c.is_control() && c != '\t' => drop(write!(safe, "{}", c.escape_default())),
            c => safe.push(c),
        }
    }
    safe.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_move_a_cursor_is_escaped_and_lines_are_set_off() {
        assert_eq!(escaped("a\n\tb é"), "a\n    \tb é");
        assert_eq!(escaped("\u{1b}[2Jx\r\u{9b}y"), "\\u{1b}[2Jx\\r\\u{9b}y");
    }
}
