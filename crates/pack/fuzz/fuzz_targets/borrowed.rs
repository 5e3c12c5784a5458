//! Any bytes as values that borrow from them: what can be borrowed is what an owned value reads, and goes out as it
//! came in.
//!
//! The first byte says where the rest begins to lie in memory, as slices are aligned and the format is not.
#![no_main]

use libfuzzer_sys::fuzz_target;
use upcall_pack::{ErrorKind, from_slice, to_vec};
use upcall_pack_fuzz::{Owned, View};

fuzz_target!(|input: &[u8]| {
    let [shift, bytes @ ..] = input else { return };
    let shift = usize::from(shift % 8);
    let mut moved = vec![0; shift];
    moved.extend_from_slice(bytes);
    let bytes = &moved[shift..];
    match (from_slice::<View<'_>>(bytes), from_slice::<Owned>(bytes)) {
        (Ok(view), Ok(owned)) => assert_eq!(to_vec(&view), to_vec(&owned)),
        (Err(error), Ok(_)) => assert_eq!(error.kind(), ErrorKind::NotBorrowable),
        // Where both fail, the view may have met something that it cannot borrow first.
        (Err(_), Err(_)) => {}
        (Ok(view), Err(error)) => panic!("{view:?} was borrowed, but {error}"),
    }
});
