//! What exported functions take and return, with good and with hostile parts.
#![cfg(feature = "alloc")]

use std::ptr::{null, null_mut, without_provenance};
use upcall_abi::{Buffer, Failure, Invalid, Slice, SliceMut, Str, Text};

#[test]
fn a_slice_gives_back_what_it_was_made_of() {
    let numbers = [1.5f32, 2.5, 3.5];
    // SAFETY: `numbers` lives on.
    assert_eq!(unsafe { Slice::from(&numbers[..]).get() }, Ok(&numbers[..]));
    let mut bytes = *b"abc";
    let slice = SliceMut::from(&mut bytes[..]);
    // SAFETY: `bytes` lives on, and is not used meanwhile.
    unsafe { slice.get().unwrap()[1] = b'x' };
    assert_eq!(&bytes, b"axc");
}

#[test]
fn an_empty_slice_may_have_any_address() {
    for data in [null(), without_provenance(3)] {
        // SAFETY: there are no elements.
        assert_eq!(unsafe { Slice::<u64> { data, len: 0 }.get() }, Ok(&[][..]));
        // SAFETY: there are no bytes.
        assert_eq!(unsafe { Str { data: data.cast(), len: 0 }.get() }, Ok(""));
    }
    // SAFETY: there are no elements.
    assert_eq!(unsafe { SliceMut::<u64> { data: null_mut(), len: 0 }.get() }, Ok(&mut [][..]));
}

#[test]
fn an_address_or_a_length_that_cannot_be_is_refused() {
    let numbers = [1u64, 2];
    let data = numbers.as_ptr();
    let refused = |data: *const u64, len| {
        // SAFETY: every one of them is refused before it is read.
        let shared = unsafe { Slice { data, len }.get() }.map(|_| ()).unwrap_err();
        // SAFETY: as above.
        let mutable = unsafe { SliceMut { data: data.cast_mut(), len }.get() }.map(|_| ()).unwrap_err();
        assert_eq!(shared, mutable);
        shared
    };
    assert_eq!(refused(null(), 1), Invalid::Null);
    assert_eq!(refused(data.wrapping_byte_add(1), 1), Invalid::Misaligned { align: 8 });
    assert_eq!(refused(data, usize::MAX), Invalid::TooLong { len: usize::MAX });
    assert_eq!(refused(data, 1 << 60), Invalid::TooLong { len: 1 << 60 });
    assert_eq!(Invalid::Misaligned { align: 8 }.to_string(), "the address is not a multiple of 8");
}

#[test]
fn text_that_is_not_utf_8_is_refused_with_the_place() {
    let bytes = b"ab\xff";
    let text = Str { data: bytes.as_ptr(), len: bytes.len() };
    // SAFETY: `bytes` lives on.
    assert_eq!(unsafe { text.get() }, Err(Invalid::NotUtf8 { at: 2 }));
}

#[test]
fn a_buffer_carries_a_vec_over_and_back() {
    let mut vec = Vec::with_capacity(10);
    vec.extend([1i32, 2, 3]);
    let buffer = Buffer::from(vec);
    assert_eq!((buffer.len, buffer.capacity), (3, 10));
    // SAFETY: it is as it was made.
    assert_eq!(unsafe { buffer.as_slice() }, [1, 2, 3]);
    // SAFETY: it is as it was made.
    unsafe { buffer.free() };

    let empty = Buffer::from(Vec::<i32>::new());
    assert!(empty.data.is_null() && empty.release.is_none());
    // SAFETY: there is nothing to release.
    unsafe { empty.free() };
}

#[test]
fn a_failure_is_released_with_its_message() {
    let failure = Failure::boxed(7, "no such file".into());
    // SAFETY: it was just made.
    unsafe {
        assert_eq!((*failure).code, 7);
        assert_eq!((*failure).message.as_str(), Some("no such file"));
        Failure::release(failure);
        Failure::release(null_mut());
    }
    let text = Text::from(String::from("grüezi"));
    // SAFETY: it was just made.
    unsafe {
        assert_eq!(text.as_str(), Some("grüezi"));
        text.free();
    }
}
