//! Any bytes, read by serde's traits and by derived ones: both say the same, and write what they have read alike.
//!
//! The first byte says where the rest is split.
#![no_main]

use libfuzzer_sys::fuzz_target;
use upcall_pack::{ErrorKind, Options, Reader, from_slice, serde as bridge, to_vec};
use upcall_pack_fuzz::Both;

fuzz_target!(|input: &[u8]| {
    let [split, bytes @ ..] = input else { return };
    let (front, back) = bytes.split_at(usize::from(*split) % (bytes.len() + 1));
    let read = bridge::from_slice::<Both>(bytes);
    match (from_slice::<Both>(bytes), &read) {
        (Ok(derived), Ok(read)) => {
            let written = bridge::to_vec(read).expect("what was read is written");
            assert_eq!(Ok(&written), to_vec(&derived).as_ref());
            assert_eq!(bridge::from_slice::<Both>(&written).as_ref(), Ok(read));
        }
        // A map of serde's takes the last of two equal keys.
        (Err(error), Ok(_)) => assert!(error.message().contains("has already"), "{error}"),
        // A missing member is the default of its type for the one, of its attribute for the other.
        // Frames of a debug build may be larger, too.
        (Ok(_), Err(error)) => {
            let kind = error.kind();
            assert!(matches!(kind, ErrorKind::MembersInvalid | ErrorKind::DepthExceeded), "{error}");
        }
        (Err(_), Err(_)) => {}
    }
    let parts = [front, back];
    let mut reader = Reader::of_parts(&parts, Options::new());
    match (bridge::read::<Both>(&mut reader), read) {
        (Ok(parts), Ok(whole)) => assert_eq!(parts, whole),
        (Err(parts), Err(whole)) => assert_eq!(parts.kind(), whole.kind(), "{parts} against {whole}"),
        (Ok(_), Err(whole)) => assert_eq!(whole.kind(), ErrorKind::Trailing, "{whole}"),
        (Err(parts), Ok(_)) => panic!("{parts} in two slices only"),
    }
});
