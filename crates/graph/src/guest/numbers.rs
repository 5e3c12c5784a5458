//! Values whose type is known when the program runs.

use crate::program::EdgeValue;
use crate::value::ValueType;
use std::fmt::Debug;
use upcall_abi::Blit;

/// Numbers of one of the types that values have.
#[derive(Clone, PartialEq, Debug)]
pub enum Numbers {
    /// None: the program has no such values.
    None,
    /// Here and below: of the type of the same name.
    U32(Vec<u32>),
    #[expect(missing_docs, reason = "as above")]
    I32(Vec<i32>),
    #[expect(missing_docs, reason = "as above")]
    U64(Vec<u64>),
    #[expect(missing_docs, reason = "as above")]
    I64(Vec<i64>),
    #[expect(missing_docs, reason = "as above")]
    F32(Vec<f32>),
    #[expect(missing_docs, reason = "as above")]
    F64(Vec<f64>),
}

impl Numbers {
    /// From the bits of the values; none where the type is none.
    pub(crate) fn of<B: Bits>(of: Option<ValueType>, bits: &[B]) -> Numbers {
        let bits = bits.iter().copied().map(Bits::wide);
        let narrow = |bits: u64| bits as u32;
        match of {
            None => Numbers::None,
            Some(ValueType::U32) => Numbers::U32(bits.map(narrow).collect()),
            Some(ValueType::I32) => Numbers::I32(bits.map(|bits| narrow(bits).cast_signed()).collect()),
            Some(ValueType::F32) => Numbers::F32(bits.map(|bits| f32::from_bits(narrow(bits))).collect()),
            Some(ValueType::U64) => Numbers::U64(bits.collect()),
            Some(ValueType::I64) => Numbers::I64(bits.map(u64::cast_signed).collect()),
            Some(ValueType::F64) => Numbers::F64(bits.map(f64::from_bits).collect()),
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Numbers::None => 0,
            Numbers::U32(all) => all.len(),
            Numbers::I32(all) => all.len(),
            Numbers::U64(all) => all.len(),
            Numbers::I64(all) => all.len(),
            Numbers::F32(all) => all.len(),
            Numbers::F64(all) => all.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Their bytes, as this machine has them.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Numbers::None => &[],
            Numbers::U32(all) => bytes(all),
            Numbers::I32(all) => bytes(all),
            Numbers::U64(all) => bytes(all),
            Numbers::I64(all) => bytes(all),
            Numbers::F32(all) => bytes(all),
            Numbers::F64(all) => bytes(all),
        }
    }

    /// The text of one of them, from which the same number can be read.
    ///
    /// # Panics
    /// There is none, here and below.
    #[must_use]
    pub fn text(&self, index: usize) -> String {
        match self {
            Numbers::None => panic!("there are no values, and {index} was asked for"),
            Numbers::U32(all) => all[index].to_string(),
            Numbers::I32(all) => all[index].to_string(),
            Numbers::U64(all) => all[index].to_string(),
            Numbers::I64(all) => all[index].to_string(),
            Numbers::F32(all) => all[index].to_string(),
            Numbers::F64(all) => all[index].to_string(),
        }
    }

    /// One of them as the nearest `f64`.
    #[must_use]
    pub fn number(&self, index: usize) -> f64 {
        match self {
            Numbers::None => panic!("there are no values, and {index} was asked for"),
            Numbers::U32(all) => all[index].into(),
            Numbers::I32(all) => all[index].into(),
            Numbers::U64(all) => all[index] as f64,
            Numbers::I64(all) => all[index] as f64,
            Numbers::F32(all) => all[index].into(),
            Numbers::F64(all) => all[index],
        }
    }
}

fn bytes<T: Blit>(all: &[T]) -> &[u8] {
    // SAFETY: numbers, which have no padding.
    unsafe { std::slice::from_raw_parts(all.as_ptr().cast(), size_of_val(all)) }
}

/// What a value is kept as: as many bytes as it has, whatever they say.
pub(crate) trait Bits: Blit + PartialEq + Default + Debug + Send + Sync {
    fn wide(self) -> u64;
}

impl Bits for [u8; 0] {
    fn wide(self) -> u64 {
        0
    }
}

impl Bits for u8 {
    fn wide(self) -> u64 {
        self.into()
    }
}

impl Bits for u32 {
    #[inline]
    fn wide(self) -> u64 {
        self.into()
    }
}

impl Bits for u64 {
    #[inline]
    fn wide(self) -> u64 {
        self
    }
}

/// The value of an edge as a guest's program has it: bits, of whichever column.
#[derive(Clone, Copy)]
pub(crate) struct EdgeBits<B>(B);

impl<B: Bits> EdgeValue for EdgeBits<B> {
    const ELEMENT: Option<&'static str> = None;
    type Stored = B;

    fn of(stored: Option<B>) -> Self {
        EdgeBits(stored.unwrap_or_default())
    }

    fn stored(self) -> B {
        self.0
    }
}
