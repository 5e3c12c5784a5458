//! Writes the corpus: every golden line, and a frame of each codec. Run in this folder: `cargo run --bin seeds`.

#[allow(dead_code, reason = "the tests use the rest of the fixtures")]
#[path = "../tests/golden/mod.rs"]
mod golden;

use std::{fs, io};
use upcall_pack::frame::{Codec, compress};

fn main() -> io::Result<()> {
    fs::create_dir_all("corpus/unpack")?;
    for (index, case) in golden::cases().iter().enumerate() {
        let split = (case.bytes.len() / 2) as u8;
        let input = [&[index as u8, split], &case.bytes[..]].concat();
        fs::write(format!("corpus/unpack/{index:03}"), input)?;
    }
    fs::create_dir_all("corpus/frame")?;
    for codec in Codec::ALL {
        let frame = compress(&b"golden ".repeat(100), codec).map_err(io::Error::other)?;
        fs::write(format!("corpus/frame/{codec:?}"), frame)?;
    }
    Ok(())
}
