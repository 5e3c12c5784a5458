//! Bytes that nobody honest has written, read by serde's traits: an error with the place, never a panic, and no more
//! memory or stack than derived types take.

use proptest::collection::{btree_map, vec};
use proptest::option::of;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use upcall_pack::{Error, ErrorKind, Pack, from_slice, serde as bridge, to_vec};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Pack)]
#[pack(crate = upcall_pack)]
struct Item {
    flag: bool,
    letter: char,
    kind: Kind,
    text: String,
    list: Vec<(u8, u32)>,
    map: BTreeMap<u16, Option<String>>,
    either: Option<Either>,
    nested: Vec<Item>,
    array: [Option<u16>; 2],
    names: [String; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Pack)]
#[pack(crate = upcall_pack)]
#[repr(i32)]
enum Kind {
    First,
    Second,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Pack)]
#[pack(crate = upcall_pack)]
struct Name(String);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Pack)]
#[pack(union, crate = upcall_pack)]
enum Either {
    Name(Name),
    Item(Box<Item>),
}

fn item() -> impl Strategy<Value = Item> {
    let either = prop_oneof![Just(None), "[a-zé]{0,9}".prop_map(|name| Some(Either::Name(Name(name))))];
    let leaf = (
        any::<(bool, char)>(),
        prop_oneof![Just(Kind::First), Just(Kind::Second)],
        "[a-zé]{0,9}",
        vec(any::<(u8, u32)>(), 0..3),
        btree_map(any::<u16>(), of("[a-z]{0,3}"), 0..3),
        either,
        (any::<[Option<u16>; 2]>(), "[a-z]{0,3}"),
    );
    let leaf = leaf.prop_map(|((flag, letter), kind, text, list, map, either, (array, name))| Item {
        flag,
        letter,
        kind,
        text,
        list,
        map,
        either,
        nested: Vec::new(),
        array,
        names: [name.clone(), name],
    });
    (leaf.clone(), vec(leaf, 0..3)).prop_map(|(item, nested)| Item { nested, ..item })
}

/// What both read of the bytes; a key that is twice in a map is an error of the derived type alone.
fn compare(bytes: &[u8]) {
    match (from_slice::<Item>(bytes), bridge::from_slice::<Item>(bytes)) {
        (Ok(derived), Ok(read)) => assert_eq!(derived, read),
        (Err(error), Ok(read)) => {
            assert!(
                error.message().contains("a key that the dictionary has already"),
                "{error} against {read:?}"
            );
        }
        (Err(_), Err(error)) => assert!(error.offset() <= bytes.len(), "{error:?} has no place"),
        (Ok(derived), Err(error)) => {
            // A missing member is the default of its type for the one, and of its attribute for the other.
            assert_eq!(error.kind(), ErrorKind::MembersInvalid, "{error} against {derived:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_prefix_ends_too_early(item in item()) {
        let bytes = bridge::to_vec(&item).unwrap();
        prop_assert_eq!(&bytes, &to_vec(&item).unwrap());
        for length in 0..bytes.len() {
            let error = bridge::from_slice::<Item>(&bytes[..length]).expect_err("it ends early");
            prop_assert_eq!(error.kind(), ErrorKind::Truncated, "{} bytes: {}", length, error);
            prop_assert!(error.offset() <= length);
        }
        let mut longer = bytes;
        longer.push(0);
        prop_assert_eq!(bridge::from_slice::<Item>(&longer).unwrap_err().kind(), ErrorKind::Trailing);
    }

    #[test]
    fn every_changed_byte_is_read_as_a_derived_type_reads_it(item in item(), to in any::<u8>()) {
        let mut bytes = bridge::to_vec(&item).unwrap();
        for place in 0..bytes.len() {
            let before = bytes[place];
            for byte in [0, 1, 0x7F, 0x80, 0xFF, before ^ 1, to] {
                bytes[place] = byte;
                compare(&bytes);
            }
            bytes[place] = before;
        }
    }

    #[test]
    fn any_bytes_are_read_as_a_derived_type_reads_them(bytes in vec(any::<u8>(), 0..80)) {
        compare(&bytes);
        let with_header = [&[10, 1, 65, 0, 0, 0, 0, 0, 0, 0], &bytes[..]].concat();
        compare(&with_header);
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Chain(Option<Box<Chain>>);

#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
struct Tree(Vec<Tree>);

/// Drops a chain without a frame for each link.
fn unlink(mut chain: Chain) -> usize {
    let mut links = 1;
    while let Some(next) = chain.0.take() {
        (chain, links) = (*next, links + 1);
    }
    links
}

fn too_deep<T>(read: Result<T, Error>) {
    let error = read.err().expect("it was read");
    assert_eq!(error.kind(), ErrorKind::DepthExceeded, "{error}");
}

#[test]
fn depth_is_limited_as_in_derived_types() {
    let chain = |links: usize| [vec![1; links - 1], vec![1, 0xFF]].concat();
    // The address sanitizer's frames leave room for some 260.
    assert_eq!(unlink(bridge::from_slice(&chain(200)).unwrap()), 200);
    too_deep(bridge::from_slice::<Chain>(&chain(1_000_000)));
    // Lists in lists are no objects, so that stack alone limits them.
    too_deep(bridge::from_slice::<Tree>(&[1, 0, 0, 0].repeat(10_000_000)));
}

#[test]
fn errors_say_in_which_member() {
    let error = bridge::from_slice::<Newtypes>(&[1, 1, 2]).unwrap_err();
    assert_eq!(error.to_string(), "found 2, but a bool is 0 or 1 at byte 2, in Newtypes, flag, Flag");
    let error = bridge::from_slice::<Newtypes>(&[2, 1, 2]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MembersInvalid);
    let error = bridge::from_slice::<Newtypes>(&[0]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MembersInvalid);
    assert!(error.to_string().contains("serde(default)"), "{error}");
    let error = bridge::from_slice::<Either>(&[7, 1]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TagUnknown);
    let error = bridge::from_slice::<Kind>(&[2, 0, 0, 0]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ValueInvalid);
    assert!(error.to_string().contains("found 2") && error.to_string().contains("Kind"), "{error}");
}

#[derive(Debug, Serialize, Deserialize)]
struct Flag(bool);

#[derive(Debug, Serialize, Deserialize)]
struct Newtypes {
    flag: Flag,
}

#[test]
fn text_in_utf16_cannot_be_borrowed() {
    let error = bridge::from_slice::<&str>(&[1, 0, 0, 0, b'a', 0]).unwrap_err();
    assert!(error.to_string().contains("expected a borrowed string"), "{error}");
    assert_eq!(bridge::from_slice::<String>(&[1, 0, 0, 0, b'a', 0]).unwrap(), "a");
}
