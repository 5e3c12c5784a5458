//! Strings in every encoding and length, read in every way, and bytes that are not text.

use proptest::prelude::*;
use std::borrow::Cow;
use upcall_pack::{ErrorKind, Options, Text, from_parts, from_slice, overwrite};

const ENCODINGS: [Text; 3] = [Text::Utf8, Text::Utf8WithoutLength, Text::Utf16];

/// What the table of the format says.
fn model(text: &str, encoding: Text) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let number = |number: i32| number.to_le_bytes();
    if text.is_empty() {
        return number(0).to_vec();
    }
    let lengths = |units: i32| [number(!(text.len() as i32)), number(units)].concat();
    match encoding {
        Text::Utf8 => [&lengths(units.len() as i32), text.as_bytes()].concat(),
        Text::Utf8WithoutLength => [&lengths(-1), text.as_bytes()].concat(),
        _ => number(units.len() as i32)
            .into_iter()
            .chain(units.iter().flat_map(|unit| unit.to_le_bytes()))
            .collect(),
    }
}

proptest! {
    #[test]
    fn any_text_is_written_as_the_table_says_and_read_in_every_way(
        text in prop_oneof!["[ -~]{0,140}", "\\PC{0,80}", "[ -~]{0,70}\\PC[ -~]{0,70}"],
        old in "\\PC{0,100}",
        cut in any::<prop::sample::Index>(),
    ) {
        for encoding in ENCODINGS {
            let bytes = Options::new().text(encoding).to_vec(text.as_str()).unwrap();
            prop_assert_eq!(&bytes, &model(&text, encoding));
            prop_assert_eq!(&from_slice::<String>(&bytes).unwrap(), &text);
            prop_assert_eq!(&from_slice::<Box<str>>(&bytes).unwrap()[..], &text);
            prop_assert_eq!(&from_slice::<Cow<'_, str>>(&bytes).unwrap(), &text);
            let mut target = old.clone();
            overwrite(&mut target, &bytes).unwrap();
            prop_assert_eq!(&target, &text);
            match from_slice::<&str>(&bytes) {
                Ok(borrowed) => prop_assert_eq!(borrowed, &text),
                Err(error) => {
                    prop_assert!(encoding == Text::Utf16 && error.kind() == ErrorKind::NotBorrowable, "{}", error);
                }
            }
            let (first, second) = bytes.split_at(cut.index(bytes.len()));
            let parts = [first, second];
            prop_assert_eq!(&from_parts::<String>(&parts).unwrap(), &text);
        }
    }

    #[test]
    fn text_that_is_cut_or_changed_is_an_error_or_text_and_never_more(
        text in prop_oneof!["[ -~]{1,70}", "\\PC{1,40}"],
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let bytes = model(&text, Text::Utf8);
        for end in 0..bytes.len() {
            prop_assert!(from_slice::<String>(&bytes[..end]).is_err());
            prop_assert!(from_slice::<&str>(&bytes[..end]).is_err());
            prop_assert!(overwrite(&mut String::from("some text that is long enough for it"), &bytes[..end]).is_err());
        }
        let mut changed = bytes.clone();
        changed[at.index(bytes.len())] = byte;
        let owned = from_slice::<String>(&changed).ok();
        let mut target = String::with_capacity(300);
        let over = overwrite(&mut target, &changed).ok().map(|()| target);
        prop_assert_eq!(&over, &owned);
        if let Ok(borrowed) = from_slice::<&str>(&changed) {
            prop_assert_eq!(Some(borrowed), owned.as_deref());
        }
    }
}

#[test]
fn a_length_in_utf16_units_that_is_wrong_is_an_error_also_for_ascii() {
    for units in [1, 2, 4, i32::MAX] {
        let mut bytes = model("abc", Text::Utf8);
        bytes[4..8].copy_from_slice(&units.to_le_bytes());
        assert_eq!(from_slice::<String>(&bytes).unwrap_err().kind(), ErrorKind::TextInvalid, "{units}");
        assert_eq!(from_slice::<&str>(&bytes).unwrap_err().kind(), ErrorKind::TextInvalid, "{units}");
    }
}

#[test]
fn text_that_is_not_utf8_leaves_a_string_that_is_read_over_valid() {
    let mut bytes = model("some text", Text::Utf8);
    bytes[12] = 0xFF;
    let mut target = String::from("what was there before");
    let error = overwrite(&mut target, &bytes).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::TextInvalid, 12));
    assert!(str::from_utf8(target.as_bytes()).is_ok());
}

#[test]
fn a_member_in_utf8_keeps_the_length_left_out_that_the_options_leave_out() {
    #[derive(upcall_pack::Pack)]
    #[pack(crate = upcall_pack)]
    struct Named {
        #[pack(utf8)]
        name: String,
    }
    let named = Named { name: "ab".into() };
    let bytes = |text| upcall_pack::Options::new().text(text).to_vec(&named).unwrap();
    let length = |bytes: Vec<u8>| i32::from_le_bytes(bytes[5..9].try_into().unwrap());
    assert_eq!(length(bytes(upcall_pack::Text::Utf8WithoutLength)), -1);
    assert_eq!(length(bytes(upcall_pack::Text::Utf8)), 2);
    assert_eq!(length(bytes(upcall_pack::Text::Utf16)), 2);
}
