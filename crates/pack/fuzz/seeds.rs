//! Writes the corpus: every golden line, a frame of each codec, and a value for each of the other targets. Run in this folder: `cargo run --bin seeds`.

use std::{fs, io};
use upcall_pack::frame::{Codec, compress};
use upcall_pack::to_vec;
use upcall_pack_fuzz::{Both, Owned, Row};
use upcall_soa::SoaVec;

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
    let rows = SoaVec::from(vec![Row::sample(); 3]);
    let values = [
        ("borrowed", to_vec(&Owned::sample())),
        ("columns", to_vec(&rows)),
        ("serde", to_vec(&Both::sample())),
        ("stream", to_vec(&vec![Owned::sample(); 2])),
    ];
    for (target, bytes) in values {
        fs::create_dir_all(format!("corpus/{target}"))?;
        let input = [&[5], &bytes.map_err(io::Error::other)?[..]].concat();
        fs::write(format!("corpus/{target}/sample"), input)?;
    }
    Ok(())
}
