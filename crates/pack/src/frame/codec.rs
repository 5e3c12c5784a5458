use crate::prelude::*;
use crate::{Error, ErrorKind};

/// How a frame's bytes are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codec {
    /// Not at all.
    Stored,
    /// Zstandard: the best size for its time. Feature `zstd`.
    Zstd,
    /// LZ4: the quickest. Feature `lz4`.
    Lz4,
    /// Brotli: the smallest for text, slow to write. Feature `brotli`.
    Brotli,
}

impl Codec {
    /// Every codec, whether this build has it or not.
    pub const ALL: [Codec; 4] = [Codec::Stored, Codec::Zstd, Codec::Lz4, Codec::Brotli];

    /// Whether this build has it.
    #[must_use]
    pub const fn is_available(self) -> bool {
        match self {
            Codec::Stored => true,
            Codec::Zstd => cfg!(feature = "zstd"),
            Codec::Lz4 => cfg!(feature = "lz4"),
            Codec::Brotli => cfg!(feature = "brotli"),
        }
    }

    pub(super) const fn id(self) -> u8 {
        match self {
            Codec::Stored => 0,
            Codec::Zstd => 1,
            Codec::Lz4 => 2,
            Codec::Brotli => 3,
        }
    }

    pub(super) fn from_id(id: u8) -> Option<Codec> {
        Codec::ALL.into_iter().find(|codec| codec.id() == id)
    }

    pub(super) const fn usual_level(self) -> i32 {
        match self {
            Codec::Stored | Codec::Lz4 => 0,
            Codec::Zstd => 3,
            Codec::Brotli => 5,
        }
    }

    /// Appends the compressed bytes.
    pub(crate) fn compress(self, bytes: &[u8], level: i32, out: &mut Vec<u8>) -> Result<(), Error> {
        let _ = level;
        match self {
            Codec::Stored => out.extend_from_slice(bytes),
            #[cfg(feature = "zstd")]
            Codec::Zstd => {
                let level = level.clamp(-7, 22);
                let packed = zstd::bulk::compress(bytes, level).map_err(|error| {
                    Error::new(ErrorKind::Unsupported, 0, format!("zstd cannot compress: {error}"))
                })?;
                out.extend_from_slice(&packed);
            }
            #[cfg(feature = "lz4")]
            Codec::Lz4 => out.extend_from_slice(&lz4_flex::block::compress(bytes)),
            #[cfg(feature = "brotli")]
            Codec::Brotli => out.extend_from_slice(&crate::brotli::compress(bytes, level)),
            #[allow(unreachable_patterns)] // With every feature there is none left.
            codec => return Err(codec.missing()),
        }
        Ok(())
    }

    /// Decompresses to at most `length` bytes, asking for memory as they come or for what `bytes` can hold.
    pub(crate) fn decompress(self, bytes: &[u8], length: usize) -> Result<Vec<u8>, Error> {
        let _ = (bytes, length);
        match self {
            #[cfg(feature = "zstd")]
            Codec::Zstd => {
                self.bounded(bytes.len(), length, ZSTD_MOST)?;
                zstd::bulk::decompress(bytes, length).map_err(|error| self.refused(error))
            }
            #[cfg(feature = "lz4")]
            Codec::Lz4 => {
                self.bounded(bytes.len(), length, LZ4_MOST)?;
                lz4_flex::block::decompress(bytes, length).map_err(|error| self.refused(error))
            }
            #[cfg(feature = "brotli")]
            Codec::Brotli => brotli(bytes, length),
            codec => Err(codec.missing()),
        }
    }

    #[cfg(any(feature = "zstd", feature = "lz4"))]
    fn bounded(self, packed: usize, length: usize, most: usize) -> Result<(), Error> {
        if length / most > packed {
            let message = format!("{length} bytes cannot come out of {packed} bytes of {self:?}");
            return Err(Error::new(ErrorKind::LengthInvalid, 0, message));
        }
        Ok(())
    }

    #[cfg(any(feature = "zstd", feature = "lz4"))]
    #[cold]
    fn refused(self, error: impl core::fmt::Display) -> Error {
        Error::new(ErrorKind::ValueInvalid, 0, format!("{self:?} cannot decompress: {error}"))
    }

    #[cold]
    fn missing(self) -> Error {
        let feature = format!("{self:?}").to_lowercase();
        let message = format!(
            "this build reads and writes no {self:?}: the feature `{feature}` of `upcall-pack` adds it"
        );
        Error::new(ErrorKind::Unsupported, 0, message)
    }
}

/// A zstd block of one repeated byte: 128 KiB from 4 bytes (RFC 8878, 3.1.1.2).
#[cfg(feature = "zstd")]
const ZSTD_MOST: usize = (128 << 10) / 4;

/// A byte of an lz4 match length adds at most 255.
#[cfg(feature = "lz4")]
const LZ4_MOST: usize = 255;

#[cfg(feature = "brotli")]
fn brotli(bytes: &[u8], length: usize) -> Result<Vec<u8>, Error> {
    let mut reader = crate::Reader::new(bytes);
    // A stream that ends too early means a truncated frame.
    let out = crate::brotli::decompress(&mut reader, usize::MAX, length)?;
    match reader.remaining() {
        0 => Ok(out),
        left => Err(reader.error(ErrorKind::Trailing, format!("{left} bytes follow the brotli stream"))),
    }
}
