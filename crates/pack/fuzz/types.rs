//! What the targets read beside the golden lines.
#![allow(dead_code, reason = "each target uses its part")]

use std::borrow::Cow;
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
