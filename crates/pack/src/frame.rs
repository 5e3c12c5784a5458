//! A packed value in a compressed frame: 16 bytes that say what is inside, then the compressed bytes.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0 to 3 | `UPFR` |
//! | 4 | the frame's version, 1 |
//! | 5 | the codec: 0 stored, 1 zstd, 2 lz4, 3 brotli |
//! | 6, 7 | zero |
//! | 8 to 15 | how many bytes come out, u64, little-endian |
//! | 16 on | the codec's own bytes: a zstd frame, a raw lz4 block, a brotli stream; or the value as it is |
//!
//! It is ours, not MemoryPack's, whose Brotli members are [`with::Brotli`](crate::with). A codec comes with the
//! feature of its name (`zstd`, `lz4`, `brotli`); `Stored` is always there; [`compress`] falls back to it
//! where compressing saves nothing.
//!
//! ```
//! use upcall_pack::frame::{self, Codec};
//!
//! let packed = upcall_pack::to_vec(&vec![7_i64; 1000])?;
//! let framed = frame::compress(&packed, Codec::Stored)?;
//! let back = frame::decompress(&framed, 1 << 20)?;
//! assert_eq!(upcall_pack::from_slice::<Vec<i64>>(&back)?, vec![7; 1000]);
//! assert!(frame::decompress(&framed, 1000).is_err(), "8004 bytes are more than the caller wants");
//! # Ok::<(), upcall_pack::Error>(())
//! ```

mod codec;

pub use codec::Codec;

use crate::prelude::*;
use crate::{Error, ErrorKind};
use alloc::borrow::Cow;

/// The first bytes of every frame.
pub const MAGIC: [u8; 4] = *b"UPFR";
/// The version that is written, and the only one that is read.
pub const VERSION: u8 = 1;
/// Bytes before the compressed ones.
pub const HEADER: usize = 16;

/// What a frame says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// How it is compressed.
    pub codec: Codec,
    /// Bytes that come out.
    pub length: u64,
}

/// Puts `packed` into a frame at the codec's usual level, or stored where that is not longer.
///
/// # Errors
/// [`ErrorKind::Unsupported`] when this build lacks the codec's feature.
pub fn compress(packed: &[u8], codec: Codec) -> Result<Vec<u8>, Error> {
    compress_at(packed, codec, codec.usual_level())
}

/// As [`compress`], at a level of the codec's own: zstd -7 to 22 (3), brotli 0 to 11 (5); lz4 has none.
/// A level outside the range is clamped.
///
/// # Errors
/// As [`compress`].
pub fn compress_at(packed: &[u8], codec: Codec, level: i32) -> Result<Vec<u8>, Error> {
    let mut frame = Vec::with_capacity(HEADER + packed.len() / 2);
    frame.extend_from_slice(&header_bytes(codec, packed.len()));
    codec.compress(packed, level, &mut frame)?;
    if codec != Codec::Stored && frame.len() >= HEADER + packed.len() {
        frame.clear();
        frame.extend_from_slice(&header_bytes(Codec::Stored, packed.len()));
        frame.extend_from_slice(packed);
    }
    Ok(frame)
}

/// What comes out of a frame; borrowed where it was stored.
///
/// Memory is asked for as bytes come out, never by what the header claims alone, and never more than `limit`.
///
/// # Errors
/// [`ErrorKind::LengthInvalid`] when more than `limit` bytes would come out, or another number than the frame says;
/// [`ErrorKind::Unsupported`] when this build lacks the codec's feature; [`ErrorKind::ValueInvalid`] and
/// [`ErrorKind::Truncated`] for bytes that are not a frame.
pub fn decompress(frame: &[u8], limit: usize) -> Result<Cow<'_, [u8]>, Error> {
    let header = header(frame)?;
    let length = usize::try_from(header.length).ok().filter(|&length| length <= limit).ok_or_else(|| {
        let message = format!("a frame of {} bytes, above the limit of {limit}", header.length);
        Error::new(ErrorKind::LengthInvalid, 8, message)
    })?;
    let body = &frame[HEADER..];
    let out = match header.codec {
        Codec::Stored => Cow::Borrowed(body),
        codec => Cow::Owned(codec.decompress(body, length).map_err(|error| error.behind(HEADER))?),
    };
    if out.len() != length {
        let message = format!("a frame of {length} bytes holds {}", out.len());
        return Err(Error::new(ErrorKind::LengthInvalid, 8, message));
    }
    Ok(out)
}

/// What a frame says about itself, without looking at what is inside.
///
/// # Errors
/// When the bytes do not begin a frame of this version.
pub fn header(frame: &[u8]) -> Result<Header, Error> {
    let Some(([m0, m1, m2, m3, version, codec, zeros @ .., _, _, _, _, _, _, _, _], _)) =
        frame.split_first_chunk::<HEADER>()
    else {
        let message = format!("a frame begins with {HEADER} bytes, there are only {}", frame.len());
        return Err(Error::new(ErrorKind::Truncated, frame.len(), message));
    };
    let invalid = |offset, message| Err(Error::new(ErrorKind::ValueInvalid, offset, message));
    if [*m0, *m1, *m2, *m3] != MAGIC {
        return invalid(0, "these bytes are not a frame, which begins with `UPFR`".to_owned());
    }
    if *version != VERSION {
        return invalid(4, format!("a frame of version {version}; this build reads version {VERSION}"));
    }
    if *zeros != [0, 0] {
        return invalid(6, "bytes 6 and 7 of a frame are zero".to_owned());
    }
    let Some(codec) = Codec::from_id(*codec) else {
        return invalid(5, format!("a frame's codec is 0 to 3, not {codec}"));
    };
    let mut length = [0; 8];
    length.copy_from_slice(&frame[8..HEADER]);
    Ok(Header { codec, length: u64::from_le_bytes(length) })
}

fn header_bytes(codec: Codec, length: usize) -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[..4].copy_from_slice(&MAGIC);
    bytes[4] = VERSION;
    bytes[5] = codec.id();
    bytes[8..].copy_from_slice(&(length as u64).to_le_bytes());
    bytes
}
