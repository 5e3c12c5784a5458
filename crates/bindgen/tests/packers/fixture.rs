//! What the packers of all languages are tested with: the types behind the golden bytes, and a few that have none.

#[path = "../../../pack/tests/golden/types.rs"]
pub mod types;
#[path = "wrappers.rs"]
pub mod wrappers;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use types::{Iu, Person, Vt};
use upcall_pack::{
    Array2, Array3, BigInteger, DateOnly, DateTimeOffset, Decimal, Guid, Half, Items, Pack, TimeOnly,
    TimeSpan, Utf16Char,
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

/// Text in the encoding of its member, and in that of the options.
#[derive(Pack, Clone, Debug, PartialEq)]
#[pack(crate = upcall_pack)]
pub struct Encoded {
    /// UTF-8, with the length that the options ask for.
    #[pack(utf8)]
    pub narrow: String,
    /// The same, in a list and in a dictionary.
    #[pack(utf8)]
    pub words: Vec<Option<String>>,
    /// Keys and values.
    #[pack(utf8)]
    pub names: BTreeMap<String, String>,
    /// UTF-16.
    #[pack(utf16)]
    pub wide: String,
    /// As the options say.
    pub any: String,
}

/// Each kind of list of numbers.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack)]
pub struct NumberLists {
    /// One byte.
    pub i8s: Vec<i8>,
    /// One byte.
    pub u8s: Vec<u8>,
    /// Two bytes.
    pub i16s: Vec<i16>,
    /// Two bytes.
    pub u16s: Vec<u16>,
    /// Four bytes.
    pub i32s: Vec<i32>,
    /// Four bytes.
    pub u32s: Vec<u32>,
    /// Eight bytes.
    pub i64s: Vec<i64>,
    /// Eight bytes.
    pub u64s: Vec<u64>,
    /// Eight bytes of any machine.
    pub isizes: Vec<isize>,
    /// Eight bytes of any machine.
    pub usizes: Vec<usize>,
    /// Four bytes.
    pub f32s: Vec<f32>,
    /// Eight bytes.
    pub f64s: Vec<f64>,
    /// Or none.
    pub perhaps: Option<Vec<u64>>,
    /// Within another.
    pub lists: Vec<Vec<u64>>,
    /// In a dictionary.
    pub named: BTreeMap<String, Vec<u64>>,
    /// Side by side.
    pub fixed: [u64; 2],
    /// In two dimensions.
    pub grid: Array2<u64>,
    /// Sixteen bytes.
    pub i128s: Vec<i128>,
    /// Sixteen bytes.
    pub u128s: Vec<u128>,
    /// In no array class.
    pub queue: VecDeque<u64>,
}

/// Side by side in memory.
#[derive(Pack, Clone, Copy, Debug, PartialEq)]
#[pack(raw, crate = upcall_pack)]
#[repr(C)]
pub struct Keys {
    /// Two numbers.
    pub keys: [u64; 2],
}

/// What is held in one way or another, or borrowed.
#[derive(Pack, Clone, Debug, PartialEq)]
#[pack(crate = upcall_pack)]
pub struct Held<'a> {
    /// Text of one owner.
    pub boxed: Box<str>,
    /// Text of many.
    pub counted: Rc<str>,
    /// Of many threads.
    pub shared: Option<Arc<str>>,
    /// Borrowed.
    pub borrowed: &'a str,
    /// Borrowed where it can be.
    pub either: Cow<'a, str>,
    /// Numbers of one owner.
    pub boxes: Box<[i16]>,
    /// Numbers of many.
    pub counts: Rc<[i32]>,
    /// Text of many, in a list of many.
    pub shares: Arc<[Arc<str>]>,
    /// Borrowed.
    pub bytes: &'a [u8],
    /// Borrowed where they can be.
    pub numbers: Cow<'a, [i64]>,
    /// Read where they lie.
    pub items: Items<'a, u16>,
    /// An object of many.
    pub person: Rc<Person>,
    /// Written in UTF-16.
    #[pack(utf16)]
    pub wide: Arc<str>,
}

/// Numbers, others within, and a member with the name that the generated code has for a value.
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq)]
#[pack(raw, crate = upcall_pack)]
#[repr(C)]
pub struct Nested {
    /// One byte.
    pub value: u8,
    /// Three members.
    pub first: Inner,
    /// Three members.
    pub second: Inner,
    /// Eight bytes.
    pub last: f64,
}

/// Within another.
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq)]
#[pack(raw, crate = upcall_pack)]
#[repr(C)]
pub struct Inner {
    /// Two bytes.
    pub value: i16,
    /// Four bytes.
    pub part: f32,
    /// One byte.
    pub last: u8,
}

/// A raw struct whose values are not all valid.
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq)]
#[pack(raw, crate = upcall_pack)]
#[repr(C)]
pub struct Checked {
    /// One byte.
    pub number: u8,
    /// Or false.
    pub flag: bool,
}

/// Many of them.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack)]
pub struct RawList {
    /// Side by side.
    pub all: Vec<Nested>,
}

/// Grids of what is written item by item.
#[derive(Pack, Clone, Debug, PartialEq)]
#[pack(crate = upcall_pack)]
pub struct Grids {
    /// Of text.
    pub words: Array2<String>,
    /// Of objects, or none.
    pub people: Option<Array3<Option<Person>>>,
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

/// NumberLists of two bytes, some below zero.
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
