//! Lines of a list, without copies.

use super::open::Opened;
use super::{Fault, Place, Sink};
use crate::error::Error;

/// How much is read at a time, at first: a line that is longer makes it grow.
const BUFFER: usize = 1 << 18;

/// No line is longer.
const LONGEST: usize = 1 << 20;

pub(super) struct Lines<'a, 'p> {
    input: Opened<'a>,
    place: &'p Place<'p>,
    buffer: Vec<u8>,
    /// What of it is read and not yet given out.
    begin: usize,
    end: usize,
    ended: bool,
    /// The line that was given out last, from 1.
    pub(super) number: u64,
}

impl<'a, 'p> Lines<'a, 'p> {
    pub(super) fn new(input: Opened<'a>, place: &'p Place<'p>) -> Lines<'a, 'p> {
        Lines { input, place, buffer: vec![0; BUFFER], begin: 0, end: 0, ended: false, number: 0 }
    }

    /// The next line, without its end.
    #[inline]
    pub(super) fn next(&mut self, sink: &mut impl Sink) -> Result<Option<&[u8]>, Error> {
        let mut seen = 0;
        loop {
            let here = &self.buffer[self.begin..self.end];
            let end = memchr::memchr(b'\n', &here[seen..]).map(|at| seen + at);
            if let Some(end) = end.or_else(|| (self.ended && !here.is_empty()).then_some(here.len())) {
                let line = self.begin..self.begin + end;
                self.begin = (line.end + 1).min(self.end);
                self.number += 1;
                let line = &self.buffer[line];
                // Only the first can have it: a mark of the order of bytes, which UTF-8 does not need.
                let line =
                    if self.number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
                return Ok(Some(line));
            }
            if self.ended {
                return Ok(None);
            }
            seen = here.len();
            self.more(sink)?;
        }
    }

    #[cold]
    fn more(&mut self, sink: &mut impl Sink) -> Result<(), Error> {
        self.buffer.copy_within(self.begin..self.end, 0);
        (self.begin, self.end) = (0, self.end - self.begin);
        if self.end > LONGEST {
            let what = format!("it is longer than {LONGEST} bytes: this is no list of edges");
            return Err(self.place.line(self.number + 1, Fault::Input(what)));
        }
        if self.end == self.buffer.len() {
            self.buffer.resize(2 * self.end, 0);
        }
        let read = self.input.some(&mut self.buffer[self.end..], self.place)?;
        self.end += read;
        self.ended = read == 0;
        sink.read(self.input.taken())
    }
}

/// Cuts the next word off a line.
#[inline]
pub(super) fn word<'l>(line: &mut &'l [u8]) -> Option<&'l [u8]> {
    let begin = line.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let rest = &line[begin..];
    let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
    let (word, rest) = rest.split_at(end);
    *line = rest;
    Some(word)
}
