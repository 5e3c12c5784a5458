//! What the packers of all languages are tested with: the types behind the golden bytes, and a few that have none.

#[path = "../../../pack/tests/golden/types.rs"]
pub mod types;
#[path = "wrappers.rs"]
pub mod wrappers;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use types::{Iu, Person, Vt};
use upcall_pack::{
    BigInteger, DateOnly, DateTimeOffset, Decimal, Guid, Half, Pack, TimeOnly, TimeSpan, Utf16Char,
};

/// An order with what no golden line has.
#[derive(Pack, Clone, Debug, PartialEq)]
#[pack(crate = upcall_pack)]
pub struct Everything {
    /// `i8` to `u128`.
    pub i8: i8,
    /// Two bytes.
    pub u16: u16,
    /// Sixteen bytes.
    pub u128: u128,
    /// Eight bytes of any machine.
    pub size: usize,
    /// Side by side.
    pub three: [u16; 3],
    /// Side by side, with a head each.
    pub two: [Option<String>; 2],
    /// Bytes.
    pub bytes: Vec<u8>,
    /// Wide numbers.
    pub wide: Vec<i64>,
    /// Small numbers.
    pub halves: Vec<Half>,
    /// In order.
    pub sorted: BTreeMap<String, Vec<f64>>,
    /// In order.
    pub levels: BTreeSet<Level>,
    /// First in, first out.
    pub queue: VecDeque<Person>,
    /// One of two.
    pub shape: Iu,
    /// Of a text.
    pub pair: Pair<String>,
    /// Of a number.
    pub numbers: Option<Pair<i32>>,
    /// Versioned within.
    pub nested: Vec<Option<Vt>>,
    /// Any number of bytes.
    pub big: Vec<BigInteger>,
    /// Digits.
    pub digits: Vec<Decimal>,
    /// Names.
    pub guids: Vec<Option<Guid>>,
    /// Moments.
    pub moments: Vec<(DateTimeOffset, TimeSpan, TimeOnly, DateOnly)>,
    /// Letters.
    pub letters: Vec<(char, Utf16Char)>,
    /// Words that no language likes.
    pub class: bool,
    /// A name of ours.
    pub pack: bool,
}

/// Of any type.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack)]
pub struct Pair<T> {
    /// The one.
    pub one: T,
    /// The other.
    pub other: Option<T>,
}

/// Numbers of two bytes, some below zero.
#[repr(i16)]
#[derive(Pack, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[pack(crate = upcall_pack)]
pub enum Level {
    /// Below.
    Low = -300,
    /// Between.
    None = 0,
    /// Above.
    High = 300,
}
