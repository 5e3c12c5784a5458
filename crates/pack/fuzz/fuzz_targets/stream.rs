//! Any bytes as a stream, in parts: the items of the list that they are, or an error.
//!
//! The first byte says how long the parts are.
#![no_main]

use libfuzzer_sys::fuzz_target;
use upcall_pack::stream::StreamReader;
use upcall_pack::{Error, from_prefix, to_vec};
use upcall_pack_fuzz::Owned;

/// The items, and whether they are all.
fn streamed(bytes: &[u8], part: usize) -> Result<(Vec<Owned>, bool), Error> {
    let (mut reader, mut items) = (StreamReader::new(), Vec::new());
    for part in bytes.chunks(part) {
        reader.feed(part)?;
        while let Some(item) = reader.next()? {
            items.push(item);
        }
    }
    Ok((items, reader.is_finished()))
}

fuzz_target!(|input: &[u8]| {
    let [part, bytes @ ..] = input else { return };
    match (from_prefix::<Vec<Owned>>(bytes), streamed(bytes, usize::from(*part).max(1))) {
        (Ok((list, _)), Ok((items, true))) => assert_eq!(to_vec(&list), to_vec(&items)),
        (Ok(_), streamed) => panic!("a list, but streamed {streamed:?}"),
        (Err(error), Ok((items, true))) => panic!("streamed {items:?}, but as a list {error}"),
        (Err(_), _) => {}
    }
});
