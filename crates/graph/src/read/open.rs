//! The bytes of a list, unpacked.

use super::{Compression, Place};
use crate::error::Error;
use std::cell::Cell;
use std::io::{self, BufReader, Read};
use std::rc::Rc;

/// Bytes that can be read, and a count of those that were read below them.
pub(super) struct Opened<'a> {
    reader: Box<dyn Read + 'a>,
    packed: Option<&'static str>,
    count: Rc<Cell<u64>>,
    taken: u64,
    /// How many bytes may still come before [`allow`](Opened::allow) is called again.
    allowed: u64,
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
    /// `window` is the power of two of the bytes that zstd may look back.
    pub(super) fn new(
        reader: Box<dyn Read + 'a>,
        compression: Compression,
        window: u32,
        place: &Place<'_>,
    ) -> Result<Opened<'a>, Error> {
        let count = Rc::new(Cell::new(0));
        let mut opened = Opened { reader, packed: None, count: count.clone(), taken: 0, allowed: u64::MAX };
        let mut first = [0; 4];
        let known = opened.fill(&mut first, place)?;
        let first = io::Cursor::new(first).take(known as u64);
        let [a, b, c, d] = *first.get_ref().get_ref();
        let reader = Counted { reader: first.chain(opened.reader), count };
        let (reader, packed): (Box<dyn Read + 'a>, _) = match (compression, known, [a, b, c, d]) {
            // The method is always 8, and three of the flags are never set.
            (Compression::Auto, 4, [0x1f, 0x8b, 8, flags]) if flags & 0xe0 == 0 => (
                Box::new(flate2::bufread::MultiGzDecoder::new(BufReader::with_capacity(1 << 16, reader))),
                Some("gzip"),
            ),
            (Compression::Auto, 4, [0x28, 0xb5, 0x2f, 0xfd]) => {
                let unpacked = zstd::Decoder::new(reader).and_then(|mut decoder| {
                    decoder.window_log_max(window)?;
                    Ok(decoder)
                });
                (Box::new(unpacked.map_err(|error| place.io(&error))?), Some("zstd"))
            }
            _ => (Box::new(reader), None),
        };
        Ok(Opened { reader, packed, ..opened })
    }

    /// How many bytes were read below since the last time.
    pub(super) fn taken(&mut self) -> u64 {
        let all = self.count.get();
        all - std::mem::replace(&mut self.taken, all)
    }

    /// Lets so many bytes come from now on, and no more.
    pub(super) fn allow(&mut self, bytes: u64) {
        self.allowed = bytes;
    }

    /// Reads into `bytes` until they are full or nothing more comes.
    pub(super) fn fill(&mut self, bytes: &mut [u8], place: &Place<'_>) -> Result<usize, Error> {
        let mut filled = 0;
        while filled < bytes.len() {
            match self.some(&mut bytes[filled..], place)? {
                0 => break,
                read => filled += read,
            }
        }
        Ok(filled)
    }

    /// Reads what comes at once.
    pub(super) fn some(&mut self, bytes: &mut [u8], place: &Place<'_>) -> Result<usize, Error> {
        loop {
            match self.read(bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read.map_err(|error| place.io(&error)),
            }
        }
    }
}

impl Read for Opened<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(bytes).map_err(|error| match self.packed {
            Some(packed) if error.kind() != io::ErrorKind::Interrupted && error.raw_os_error().is_none() => {
                let what = format!(
                    "about byte {} of the {packed}: {error}: it is damaged, not all there, or no {packed} at all",
                    self.count.get()
                );
                io::Error::new(io::ErrorKind::InvalidData, what)
            }
            _ => error,
        })?;
        match self.allowed.checked_sub(read as u64) {
            Some(allowed) => self.allowed = allowed,
            None => {
                let what = "a record has no end: is a quote missing?";
                return Err(io::Error::new(io::ErrorKind::InvalidData, what));
            }
        }
        Ok(read)
    }
}
