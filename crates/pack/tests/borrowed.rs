//! Values that borrow from the input, in one slice and in several.

use proptest::prelude::*;
use std::borrow::Cow;
use upcall_pack::{ErrorKind, Items, Options, Pack, Text, from_parts, from_slice, to_vec};

#[derive(Debug, PartialEq, Pack)]
#[pack(crate = upcall_pack)]
struct View<'a> {
    bytes: &'a [u8],
    name: &'a str,
    floats: Items<'a, f32>,
    flags: &'a [bool],
    either: Cow<'a, str>,
    list: Cow<'a, [u32]>,
}

#[derive(Clone, Debug, PartialEq, Pack)]
#[pack(crate = upcall_pack)]
struct Owned {
    bytes: Vec<u8>,
    name: String,
    floats: Vec<f32>,
    flags: Vec<bool>,
    either: String,
    list: Vec<u32>,
}

fn owned() -> Owned {
    Owned {
        bytes: vec![1, 2, 3],
        name: "name é".into(),
        floats: vec![1.0, 2.0],
        flags: vec![true, false],
        either: "text".into(),
        list: vec![7, 8, 9],
    }
}

#[test]
fn views_lie_in_the_input_and_are_written_as_what_they_view() {
    let bytes = to_vec(&owned()).unwrap();
    let view: View<'_> = from_slice(&bytes).unwrap();
    let input = bytes.as_ptr_range();
    assert!(input.contains(&view.bytes.as_ptr()) && input.contains(&view.name.as_ptr()));
    assert!(input.contains(&view.floats.bytes().as_ptr()) && matches!(view.either, Cow::Borrowed(_)));
    assert_eq!((view.name, view.flags, &*view.list), ("name é", &[true, false][..], &[7, 8, 9][..]));
    assert_eq!(view.floats.iter().collect::<Vec<_>>(), [1.0, 2.0]);
    assert_eq!(to_vec(&view).unwrap(), bytes);
}

#[test]
fn a_slice_is_borrowed_where_it_is_aligned_and_an_error_elsewhere() {
    let bytes = to_vec(&vec![5u32, 6]).unwrap();
    let mut shifted = vec![0; bytes.len() + 8];
    for shift in 0..4 {
        let place = shifted.as_ptr().align_offset(4) + shift;
        shifted[place..place + bytes.len()].copy_from_slice(&bytes);
        let input = &shifted[place..place + bytes.len()];
        let read = from_slice::<&[u32]>(input);
        let cow: Cow<'_, [u32]> = from_slice(input).unwrap();
        assert_eq!(*cow, [5, 6]);
        if shift == 0 && cfg!(target_endian = "little") {
            assert_eq!(read.unwrap(), [5, 6]);
            assert!(matches!(cow, Cow::Borrowed(_)));
        } else {
            let error = read.unwrap_err();
            assert_eq!((error.kind(), error.offset()), (ErrorKind::NotBorrowable, 4));
            assert!(matches!(cow, Cow::Owned(_)));
        }
    }
}

#[test]
fn borrowed_flags_are_checked() {
    let error = from_slice::<&[bool]>(&[3, 0, 0, 0, 1, 2, 0]).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::ValueInvalid, 5));
    let error = from_slice::<Items<'_, Option<u8>>>(&[2, 0, 0, 0, 1, 2, 3, 0]).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::ValueInvalid, 6));
    let items: Items<'_, Option<u8>> = from_slice(&[2, 0, 0, 0, 1, 2, 0, 0]).unwrap();
    assert_eq!(items.iter().collect::<Vec<_>>(), [Some(2), None]);
}

#[test]
fn text_in_utf_16_cannot_be_borrowed_and_says_so() {
    let bytes = Options::new().text(Text::Utf16).to_vec("text").unwrap();
    let error = from_slice::<&str>(&bytes).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::NotBorrowable, 0));
    assert_eq!(from_slice::<Cow<'_, str>>(&bytes).unwrap(), "text");
}

#[test]
fn what_straddles_two_slices_is_read_but_not_borrowed() {
    let bytes = to_vec(&owned()).unwrap();
    for cut in 0..=bytes.len() {
        let parts = [&bytes[..cut], &[], &bytes[cut..]];
        assert_eq!(from_parts::<Owned>(&parts).unwrap(), owned());
        if let Err(error) = from_parts::<View<'_>>(&parts) {
            assert_eq!(error.kind(), ErrorKind::NotBorrowable, "cut at {cut}");
        }
    }
    let parts: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(from_parts::<Owned>(&parts).unwrap(), owned());
    for end in 0..bytes.len() {
        assert_eq!(from_parts::<Owned>(&parts[..end]).unwrap_err().kind(), ErrorKind::Truncated);
    }
    let more = [&bytes[..], &[0]];
    let error = from_parts::<Owned>(&more).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Trailing, bytes.len()));
}

proptest! {
    #[test]
    fn an_error_is_the_same_in_one_slice_as_in_many(
        mut bytes in Just(to_vec(&owned()).unwrap()),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
    ) {
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let parts: Vec<&[u8]> = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
        let whole = from_slice::<Owned>(&bytes);
        let pieces = from_parts::<Owned>(&parts);
        match (whole, pieces) {
            // NaN differs from itself, so bytes are compared.
            (Ok(whole), Ok(pieces)) => prop_assert_eq!(to_vec(&whole), to_vec(&pieces)),
            (whole, pieces) => prop_assert_eq!(whole.unwrap_err(), pieces.unwrap_err()),
        }
    }
}
