//! MemoryPack's streaming form: an i32 count, then the items, which are written and read one by one.
//!
//! It is also the form of a list, so a list may be streamed and a stream may be read whole.
//!
//! ```
//! use upcall_pack::stream::{StreamReader, StreamWriter};
//!
//! let mut bytes = Vec::new();
//! let mut writer = StreamWriter::new(&mut bytes, 2)?;
//! writer.push("one")?;
//! writer.push("two")?;
//! writer.finish()?;
//!
//! let (mut reader, mut words) = (StreamReader::new(), Vec::new());
//! for part in bytes.chunks(5) {
//!     reader.feed(part)?;
//!     while let Some(word) = reader.next::<String>()? {
//!         words.push(word);
//!     }
//! }
//! assert!(reader.is_finished());
//! assert_eq!(words, ["one", "two"]);
//! # Ok::<(), upcall_pack::Error>(())
//! ```

use crate::prelude::*;
use crate::{Error, ErrorKind, Options, Pack, Reader, Sink, Unpack, Writer};

/// Writes a count and then items, one by one.
pub struct StreamWriter<'s> {
    writer: Writer<'s>,
    missing: usize,
    /// An item has been written in part.
    broken: bool,
}

impl<'s> StreamWriter<'s> {
    /// Writes that `count` items follow, with default options.
    ///
    /// # Errors
    /// When the count exceeds an i32, or there is no space left.
    pub fn new(sink: &'s mut dyn Sink, count: usize) -> Result<StreamWriter<'s>, Error> {
        StreamWriter::with(sink, count, Options::new())
    }

    /// Writes that `count` items follow.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with(sink: &'s mut dyn Sink, count: usize, options: Options) -> Result<StreamWriter<'s>, Error> {
        let mut writer = Writer::with(sink, options);
        writer.count(count)?;
        Ok(StreamWriter { writer, missing: count, broken: false })
    }

    /// Writes an item.
    ///
    /// # Errors
    /// When it is one more than announced, or cannot be written. After the latter the stream cannot go on.
    pub fn push<T: Pack + ?Sized>(&mut self, item: &T) -> Result<(), Error> {
        self.whole()?;
        let Some(missing) = self.missing.checked_sub(1) else {
            let message = "all items announced at the start of the stream are written";
            return Err(self.writer.error(ErrorKind::Unsupported, message));
        };
        self.broken = true;
        item.pack(&mut self.writer)?;
        self.broken = false;
        self.missing = missing;
        Ok(())
    }

    /// Ends the stream and returns how many bytes it took.
    ///
    /// # Errors
    /// When items are missing, or one could not be written.
    pub fn finish(self) -> Result<usize, Error> {
        self.whole()?;
        if self.missing > 0 {
            let message = format!("the stream still lacks {} items", self.missing);
            return Err(self.writer.error(ErrorKind::Unsupported, message));
        }
        Ok(self.writer.finish())
    }

    fn whole(&self) -> Result<(), Error> {
        if self.broken {
            let message = "an earlier item could not be written, and is in the stream in part";
            return Err(self.writer.error(ErrorKind::Unsupported, message));
        }
        Ok(())
    }
}

/// Reads items one by one from bytes that arrive in parts.
///
/// An item is read once all of it has arrived; until then its bytes are kept, at most [`limit`](Self::limit) of them.
///
/// It is tried again only when as many bytes have arrived as were missing the last time. So an item of text and
/// of lists of numbers is tried once for each of them, however small the parts are; only a list of many small
/// objects, and compressed text, cost time for each part. Until an item has arrived, ask for the same type.
#[derive(Debug)]
pub struct StreamReader {
    bytes: Vec<u8>,
    /// Bytes of `bytes` that have been read.
    read: usize,
    /// Bytes of the stream before `bytes`.
    before: usize,
    /// Items to come; not known before the count has arrived.
    missing: Option<usize>,
    /// The fewest bytes that the next item takes, as far as is known.
    least: usize,
    limit: usize,
    options: Options,
}

impl StreamReader {
    /// The most bytes that are kept, by default: 64 MiB.
    pub const LIMIT: usize = 64 << 20;

    /// A reader with default options.
    #[must_use]
    pub fn new() -> StreamReader {
        StreamReader::with(Options::new())
    }

    /// A reader with these options.
    #[must_use]
    pub fn with(options: Options) -> StreamReader {
        StreamReader {
            bytes: Vec::new(),
            read: 0,
            before: 0,
            missing: None,
            least: 0,
            limit: Self::LIMIT,
            options,
        }
    }

    /// How many unread bytes may be kept: more than the largest item and one part.
    #[must_use]
    pub fn limit(self, limit: usize) -> StreamReader {
        StreamReader { limit, ..self }
    }

    /// Takes the next part of the stream. Read what is complete before feeding more.
    ///
    /// # Errors
    /// [`ErrorKind::LengthInvalid`] when more than the limit would be kept.
    pub fn feed(&mut self, part: &[u8]) -> Result<(), Error> {
        self.bytes.drain(..self.read);
        self.before += self.read;
        self.read = 0;
        if part.len() > self.limit.saturating_sub(self.bytes.len()) {
            let message = format!("more than {} bytes of the stream are not read yet", self.limit);
            return Err(Error::new(ErrorKind::LengthInvalid, self.before, message));
        }
        self.bytes.extend_from_slice(part);
        Ok(())
    }

    /// The next item, which may borrow from what has arrived. `None` until all of it has, and after the last one.
    ///
    /// # Errors
    /// When the bytes are not an item, or begin one that takes more than the limit. What comes after them cannot be
    /// read either.
    pub fn next<'a, T: Unpack<'a>>(&'a mut self) -> Result<Option<T>, Error> {
        let Some(missing) = self.count()? else { return Ok(None) };
        let Some(rest) = missing.checked_sub(1) else { return Ok(None) };
        let bytes = &self.bytes[self.read..];
        if bytes.len() < self.least {
            return Ok(None);
        }
        let mut reader = Reader::with(bytes, self.options);
        match T::unpack(&mut reader) {
            Ok(item) => {
                self.read += reader.position();
                self.missing = Some(rest);
                self.least = 0;
                Ok(Some(item))
            }
            Err(error) if error.kind() == ErrorKind::Truncated => {
                // A hand-written reader does not say how many are missing; at least one is, as the input ended.
                let least = bytes.len().saturating_add(error.missing_bytes().max(1));
                if least > self.limit {
                    let limit = self.limit;
                    let message = format!("an item of {least} bytes or more, where at most {limit} are kept");
                    return Err(Error::new(ErrorKind::LengthInvalid, self.before + self.read, message));
                }
                self.least = least;
                Ok(None)
            }
            Err(error) => Err(error.behind(self.before + self.read)),
        }
    }

    /// Items that are not read yet; `None` until their count has arrived.
    #[must_use]
    pub fn missing(&self) -> Option<usize> {
        self.missing
    }

    /// Whether all items have been read. A stream that ends before that has been cut off.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.missing == Some(0)
    }

    /// What has arrived after the last item that was read: after the last of all, what is not part of this stream.
    #[must_use]
    pub fn rest(&self) -> &[u8] {
        &self.bytes[self.read..]
    }

    fn count(&mut self) -> Result<Option<usize>, Error> {
        if self.missing.is_none() {
            let Some((count, _)) = self.bytes[self.read..].split_first_chunk() else { return Ok(None) };
            let count = i32::from_le_bytes(*count);
            self.missing = Some(usize::try_from(count).map_err(|_| {
                let message = format!("a stream of {count} items: a stream cannot be null");
                Error::new(ErrorKind::LengthInvalid, 0, message)
            })?);
            self.read += 4;
        }
        Ok(self.missing)
    }
}

impl Default for StreamReader {
    fn default() -> StreamReader {
        StreamReader::new()
    }
}
