//! Any bytes as a compressed frame, and as compressed members.
#![no_main]

use libfuzzer_sys::fuzz_target;
use upcall_pack::Reader;
use upcall_pack::frame::decompress;
use upcall_pack::with::{BitPack, Brotli, BrotliString, UnpackWith};

const LIMIT: usize = 1 << 20;

fuzz_target!(|input: &[u8]| {
    if let Ok(out) = decompress(input, LIMIT) {
        assert!(out.len() <= LIMIT);
    }
    let _: Result<Vec<u8>, _> = Brotli::unpack(&mut Reader::new(input));
    let _: Result<String, _> = BrotliString::unpack(&mut Reader::new(input));
    let _: Result<Vec<bool>, _> = BitPack::unpack(&mut Reader::new(input));
});
