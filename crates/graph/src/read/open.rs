//! The bytes of a list, unpacked.

use super::{Compression, Place};
use crate::error::Error;
use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

/// Bytes that can be read, and a count of those that were read below them.
pub(super) struct Opened<'a> {
    reader: Box<dyn Read + 'a>,
    count: Rc<Cell<u64>>,
}

/// Counts what is read.
struct Counted<R> {
    reader: R,
    count: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(bytes)?;
        self.count.set(self.count.get() + read as u64);
        Ok(read)
    }
}

impl<'a> Opened<'a> {
    pub(super) fn new(
        reader: Box<dyn Read + 'a>,
        _compression: Compression,
        _place: &Place<'_>,
    ) -> Result<Opened<'a>, Error> {
        let count = Rc::new(Cell::new(0));
        let reader = Box::new(Counted { reader, count: count.clone() });
        Ok(Opened { reader, count })
    }

    /// How many bytes were read below since the last time.
    pub(super) fn taken(&self) -> u64 {
        self.count.replace(0)
    }

    /// Reads into `bytes` until they are full or nothing more comes.
    pub(super) fn fill(&mut self, bytes: &mut [u8], place: &Place<'_>) -> Result<usize, Error> {
        let mut filled = 0;
        while filled < bytes.len() {
            match self.reader.read(&mut bytes[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(place.io(&error)),
            }
        }
        Ok(filled)
    }

    /// Reads what comes at once.
    pub(super) fn some(&mut self, bytes: &mut [u8], place: &Place<'_>) -> Result<usize, Error> {
        loop {
            match self.reader.read(bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read.map_err(|error| place.io(&error)),
            }
        }
    }
}
