//! Brotli streams, which mark their own end.

use crate::prelude::*;
use crate::{Error, ErrorKind, Reader};
use brotli::enc::StandardAlloc;
use brotli::enc::writer::CompressorWriter;
use brotli::{BrotliDecompressStream, BrotliResult, BrotliState};
use std::io::Write;

/// .NET's window, which is also brotli's own default.
const WINDOW: u32 = 22;
/// Bytes to make room for at first; memory then doubles as output comes.
const FIRST: usize = 64 << 10;

/// At a level of 0 to 11.
pub(crate) fn compress(bytes: &[u8], level: i32) -> Vec<u8> {
    let mut writer = CompressorWriter::new(Vec::new(), 4096, level.clamp(0, 11) as u32, WINDOW);
    writer.write_all(bytes).expect("a vector takes all that is written");
    writer.into_inner()
}

/// At most `length` bytes from a stream of at most `packed` bytes; the reader consumes only what the stream takes.
///
/// Brotli has no bound by which `length` could be judged, so memory grows with the output.
pub(crate) fn decompress(
    reader: &mut Reader<'_>,
    mut packed: usize,
    length: usize,
) -> Result<Vec<u8>, Error> {
    let alloc = StandardAlloc::default;
    let mut state = BrotliState::new(alloc(), alloc(), alloc());
    let mut out = vec![0; length.min(FIRST)];
    let (mut written, mut total) = (0, 0);
    loop {
        let here = reader.bytes_here(packed);
        let (mut left, mut read, mut room) = (here.len(), 0, out.len() - written);
        let result = BrotliDecompressStream(
            &mut left, &mut read, here, &mut room, &mut written, &mut out, &mut total, &mut state,
        );
        reader.skip(read)?;
        packed -= read;
        match result {
            BrotliResult::ResultSuccess => {
                out.truncate(written);
                return Ok(out);
            }
            BrotliResult::NeedsMoreInput if packed > 0 && reader.remaining() > 0 => {}
            BrotliResult::NeedsMoreOutput if out.len() < length => {
                out.resize(length.min(out.len().saturating_mul(2)), 0);
            }
            BrotliResult::NeedsMoreInput if packed == 0 => {
                let message = "the brotli stream does not end within its bytes";
                return Err(reader.error(ErrorKind::LengthInvalid, message));
            }
            BrotliResult::NeedsMoreInput => {
                return Err(reader.error(ErrorKind::Truncated, "the brotli stream does not end"));
            }
            BrotliResult::NeedsMoreOutput => {
                let message = format!("more than {length} bytes come out of the brotli stream");
                return Err(reader.error(ErrorKind::LengthInvalid, message));
            }
            BrotliResult::ResultFailure => {
                let message = format!("not a brotli stream: {:?}", state.error_code);
                return Err(reader.error(ErrorKind::ValueInvalid, message));
            }
        }
    }
}
