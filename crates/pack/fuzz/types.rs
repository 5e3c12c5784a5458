//! What the targets read beside the golden lines.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use upcall_pack::{Items, Pack};

/// Values that lie in the input.
#[derive(Debug, Pack)]
#[pack(crate = upcall_pack)]
pub struct View<'a> {
    bytes: &'a [u8],
    name: &'a str,
    floats: Items<'a, f32>,
    flags: &'a [bool],
    either: Cow<'a, str>,
    list: Cow<'a, [u32]>,
    numbers: &'a [u16],
    maybe: Option<Items<'a, Option<u16>>>,
}

/// The same, owned.
#[derive(Clone, Debug, Default, Pack)]
#[pack(crate = upcall_pack)]
pub struct Owned {
    pub bytes: Vec<u8>,
    pub name: String,
    pub floats: Vec<f32>,
    pub flags: Vec<bool>,
    pub either: String,
    pub list: Vec<u32>,
    pub numbers: Vec<u16>,
    pub maybe: Option<Vec<Option<u16>>>,
}

impl Owned {
    pub fn sample() -> Owned {
        Owned {
            bytes: vec![1, 2, 3],
            name: "name".into(),
            floats: vec![1.5, -2.0],
            flags: vec![true, false],
            either: "either é".into(),
            list: vec![7, 8],
            numbers: vec![9],
            maybe: Some(vec![None, Some(3)]),
        }
    }
}

/// Columns of each kind: memory as it is, checked, by field, and of objects.
#[derive(Clone, Debug, upcall_derive::Soa)]
#[soa(crate = upcall_soa)]
pub struct Row {
    pub x: f32,
    pub flag: bool,
    pub maybe: Option<u16>,
    pub name: String,
    pub lists: Vec<Vec<u8>>,
}

impl Row {
    pub fn sample() -> Row {
        Row { x: 1.5, flag: true, maybe: Some(2), name: "row".into(), lists: vec![vec![1], vec![]] }
    }
}

/// What serde's traits and derived ones both read.
#[derive(Clone, Debug, PartialEq, Pack, Serialize, Deserialize)]
#[pack(crate = upcall_pack)]
pub struct Both {
    letter: char,
    kind: BothKind,
    text: String,
    list: Vec<(u8, u16)>,
    map: BTreeMap<u16, Option<String>>,
    either: Option<BothEither>,
    nested: Vec<Both>,
    array: [Option<u16>; 2],
    names: [String; 2],
    tuple: (u8, String, Option<(u8, String)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Pack, Serialize, Deserialize)]
#[pack(crate = upcall_pack)]
#[repr(i32)]
pub enum BothKind {
    First,
    Second,
}

#[derive(Clone, Debug, PartialEq, Pack, Serialize, Deserialize)]
#[pack(crate = upcall_pack)]
pub struct BothName(Option<i64>);

#[derive(Clone, Debug, PartialEq, Pack, Serialize, Deserialize)]
#[pack(union, crate = upcall_pack)]
pub enum BothEither {
    Name(BothName),
    Both(Box<Both>),
}

impl Both {
    pub fn sample() -> Both {
        let inner = Both {
            letter: 'x',
            kind: BothKind::First,
            text: "text é".into(),
            list: vec![(1, 2), (3, 4)],
            map: BTreeMap::from([(1, None), (2, Some("two".into()))]),
            either: Some(BothEither::Name(BothName(Some(7)))),
            nested: vec![],
            array: [None, Some(5)],
            names: ["a".into(), "b".into()],
            tuple: (1, "t".into(), Some((2, "u".into()))),
        };
        let either = Some(BothEither::Both(Box::new(inner.clone())));
        Both { kind: BothKind::Second, either, nested: vec![inner.clone()], ..inner }
    }
}
