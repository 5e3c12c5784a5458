//! What a process prints: whole lines, under its handler's name.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;

/// Bytes of a line at most; a longer one is cut into several.
const LONGEST: usize = 64 << 10;

/// What a pipe holds, unless somebody has changed it.
const PIPE: usize = 64 << 10;

/// One of its two outputs.
pub(crate) struct Lines {
    /// `None` when it has ended.
    from: Option<File>,
    to: To,
    name: String,
    begun: Vec<u8>,
}

/// Which of our outputs it goes to.
#[derive(Clone, Copy)]
pub(crate) enum To {
    Output,
    Error,
}

impl Lines {
    pub(crate) fn new(from: OwnedFd, to: To, name: &str) -> io::Result<Lines> {
        let flags = rustix::fs::fcntl_getfl(&from)?;
        rustix::fs::fcntl_setfl(&from, flags | rustix::fs::OFlags::NONBLOCK)?;
        Ok(Lines { from: Some(from.into()), to, name: name.to_owned(), begun: Vec::new() })
    }

    /// Where there may be more; `None` when there will not be.
    pub(crate) fn from(&self) -> Option<&File> {
        self.from.as_ref()
    }

    /// Passes on what is there now, and no more of it than a pipe holds: who writes on and on does not keep the keeper from
    /// looking at everything else.
    pub(crate) fn pass_on(&mut self) {
        let mut room = [0u8; 8 << 10];
        for _ in 0..PIPE / room.len() {
            let Some(from) = &mut self.from else { return };
            match from.read(&mut room) {
                Ok(0) => self.from = None,
                Ok(read) => self.take(&room[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => self.from = None,
            }
        }
    }

    /// The process has ended: passes on what is left, the last line too where it does not end.
    pub(crate) fn end(&mut self) {
        self.pass_on();
        if !self.begun.is_empty() {
            let last = std::mem::take(&mut self.begun);
            self.print(&last);
        }
    }

    fn take(&mut self, mut bytes: &[u8]) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            let (line, rest) = bytes.split_at(end);
            bytes = &rest[1..];
            if self.begun.is_empty() {
                self.print(line);
            } else {
                self.begun.extend_from_slice(line);
                let line = std::mem::take(&mut self.begun);
                self.print(&line);
            }
        }
        self.begun.extend_from_slice(bytes);
        if self.begun.len() >= LONGEST {
            let line = std::mem::take(&mut self.begun);
            self.print(&line);
        }
    }

    fn print(&self, line: &[u8]) {
        let whole = [self.name.as_bytes(), b" | ", line, b"\n"].concat();
        // Nobody may read it any more; the program notices by what it prints itself.
        let _ = match self.to {
            To::Output => io::stdout().lock().write_all(&whole),
            To::Error => io::stderr().lock().write_all(&whole),
        };
    }
}
