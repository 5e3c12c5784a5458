//! What the packers of all languages are tested with: the types behind the golden bytes, one wrapper for each
//! type that no declared one holds alone, and a few that have no golden bytes.

#[path = "../../../pack/tests/golden/types.rs"]
pub mod types;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use types::*;
use upcall_pack::{
    Array2, Array3, BigInteger, BitArray, Complex, DateOnly, DateTime, DateTimeOffset, Decimal, Guid, Half,
    KeyValue, Lazy, Lookup, Pack, PriorityQueue, Ref, Stack, StringBuilder, TimeOnly, TimeSpan, Tuple, Uri,
    Utf16Char, Version,
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

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W1 {
    /// It.
    pub v: Option<Person>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W2 {
    /// It.
    pub v: Vec<Option<Person>>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W3 {
    /// It.
    pub v: Vec<Um>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W4 {
    /// It.
    pub v: Vec<Vector3>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W5 {
    /// It.
    pub v: Vec<E8>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W6 {
    /// It.
    pub v: Vec<bool>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W7 {
    /// It.
    pub v: Vec<Option<String>>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W8 {
    /// It.
    pub v: Option<i32>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W9 {
    /// It.
    pub v: Option<Ms>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W10 {
    /// It.
    pub v: Vec<Option<i32>>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W11 {
    /// It.
    pub v: Option<Iu>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W12 {
    /// It.
    pub v: KeyValue<i32, i64>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W13 {
    /// It.
    pub v: (u8, i32),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W14 {
    /// It.
    pub v: Tuple<(i32, String)>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W15 {
    /// It.
    pub v: HashMap<i32, i32>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W16 {
    /// It.
    pub v: Array2<i32>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W17 {
    /// It.
    pub v: HashSet<i32>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W18 {
    /// It.
    pub v: Vec<i32>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W19 {
    /// It.
    pub v: TimeSpan,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W20 {
    /// It.
    pub v: DateTimeOffset,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W21 {
    /// It.
    pub v: Half,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W22 {
    /// It.
    pub v: Utf16Char,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W23 {
    /// It.
    pub v: char,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W24 {
    /// It.
    pub v: Uri,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W25 {
    /// It.
    pub v: Version,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W26 {
    /// It.
    pub v: BitArray,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W27 {
    /// It.
    pub v: Decimal,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W28 {
    /// It.
    pub v: DateOnly,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W29 {
    /// It.
    pub v: StringBuilder,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W30 {
    /// It.
    pub v: Complex,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W31 {
    /// It.
    pub v: Lazy<i32>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W32 {
    /// It.
    pub v: (u8, i16, i64),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W33 {
    /// It.
    pub v: (u8, i32, i16, i64, u8),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W34 {
    /// It.
    pub v: (bool, f64, bool),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W35 {
    /// It.
    pub v: (u8, Um),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W36 {
    /// It.
    pub v: (u8, Um, i32),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W37 {
    /// It.
    pub v: (u8, (u8, i32)),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W38 {
    /// It.
    pub v: (u8, Option<i32>),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W39 {
    /// It.
    pub v: (u8, Decimal),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W40 {
    /// It.
    pub v: (u8, Guid),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W41 {
    /// It.
    pub v: (i32, DateTime),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W42 {
    /// It.
    pub v: (u8, B3, u8),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W43 {
    /// It.
    pub v: (i32, E8, Utf16Char),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W44 {
    /// It.
    pub v: KeyValue<u8, i32>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W45 {
    /// It.
    pub v: HashMap<u8, i32>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W46 {
    /// It.
    pub v: HashMap<u8, (u8, i32)>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W47 {
    /// It.
    pub v: Option<Um>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W48 {
    /// It.
    pub v: Option<bool>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W49 {
    /// It.
    pub v: Option<DateTime>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W50 {
    /// It.
    pub v: Option<DateTimeOffset>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W51 {
    /// It.
    pub v: Option<Decimal>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W52 {
    /// It.
    pub v: Option<Guid>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W53 {
    /// It.
    pub v: Option<i64>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W54 {
    /// It.
    pub v: Option<i128>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W55 {
    /// It.
    pub v: i128,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W56 {
    /// It.
    pub v: (u8, i128),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W57 {
    /// It.
    pub v: Option<(i32, String)>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W58 {
    /// It.
    pub v: Array2<Option<String>>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W59 {
    /// It.
    pub v: Array3<i32>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W60 {
    /// It.
    pub v: Option<Array2<i32>>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W61 {
    /// It.
    pub v: Vec<Option<Vec<i32>>>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W62 {
    /// It.
    pub v: Stack<i32>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W63 {
    /// It.
    pub v: PriorityQueue<u8, i32>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W64 {
    /// It.
    pub v: PriorityQueue<String, i32>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W65 {
    /// It.
    pub v: Option<Vec<i32>>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W66 {
    /// It.
    pub v: Lookup<String, i32>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W67 {
    /// It.
    pub v: TimeOnly,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W68 {
    /// It.
    pub v: (u8, u8),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W69 {
    /// It.
    pub v: (u8, u8, u8),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W70 {
    /// It.
    pub v: (i32, i32, i32),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W71 {
    /// It.
    pub v: (u8, i16),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W72 {
    /// It.
    pub v: (B3, u8),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W73 {
    /// It.
    pub v: (B3, i16),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W74 {
    /// It.
    pub v: (u8, Vector3),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W75 {
    /// It.
    pub v: (B3, B3),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W76 {
    /// It.
    pub v: (Vector3, Vector3),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W77 {
    /// It.
    pub v: (i32, Vector3),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W78 {
    /// It.
    pub v: (bool, Option<bool>),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W79 {
    /// It.
    pub v: Vec<Ref<Node>>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W80 {
    /// It.
    pub v: Vec<Ref<Node>>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W81 {
    /// It.
    pub v: Vec<Half>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W82 {
    /// It.
    pub v: Vec<Utf16Char>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W83 {
    /// It.
    pub v: DateTime,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W84 {
    /// It.
    pub v: Option<HashMap<String, i32>>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W85 {
    /// It.
    pub v: Option<Tuple<(i32, String)>>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W86 {
    /// It.
    pub v: Tuple<(i32, i32, i32, i32, i32, i32, i32, i32)>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W87 {
    /// It.
    pub v: (i32, i32, i32, i32, i32, i32, i32, i32),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W88 {
    /// It.
    pub v: (i32, i32, i32, i32, i32, i32, i32, String),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W89 {
    /// It.
    pub v: (u8,),
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W90 {
    /// It.
    pub v: HashSet<Um>,
}

/// Holds one.
#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W91 {
    /// It.
    pub v: isize,
}
