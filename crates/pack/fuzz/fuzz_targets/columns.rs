//! Any bytes as columns: an error, or rows that come back. A chain of slices says the same as one slice.
//!
//! The first byte says where the rest is split.
#![no_main]

use libfuzzer_sys::fuzz_target;
use upcall_pack::{from_parts, from_slice, overwrite, to_vec};
use upcall_pack_fuzz::Row;
use upcall_soa::SoaVec;

fuzz_target!(|input: &[u8]| {
    let [split, bytes @ ..] = input else { return };
    let (front, back) = bytes.split_at(usize::from(*split) % (bytes.len() + 1));
    let parts = [front, back];
    let (whole, pieces) = (from_slice::<SoaVec<Row>>(bytes), from_parts::<SoaVec<Row>>(&parts));
    match (whole, pieces) {
        (Ok(whole), Ok(pieces)) => {
            let once = to_vec(&whole).expect("what was read is written");
            assert_eq!(Ok(&once), to_vec(&pieces).as_ref());
            let mut again = from_slice::<SoaVec<Row>>(&once).expect("what was written is read");
            overwrite(&mut again, bytes).expect("what was read is read over");
            assert_eq!(Ok(once), to_vec(&again));
        }
        (Err(whole), Err(pieces)) => assert_eq!(whole, pieces),
        (whole, pieces) => panic!("{:?} in one slice, {:?} in two", whole.err(), pieces.err()),
    }
});
