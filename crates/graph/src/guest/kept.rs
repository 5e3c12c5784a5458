//! Values of vertices and edges at the end of a run.

use super::numbers::{Bits, Numbers};
use crate::value::ValueType;
use crate::values::Values;
use std::fmt;
use std::sync::Arc;
use upcall_abi::Blit;

/// Numbers of one of the types that values have, one for each vertex or each edge. They stay where the run has kept them: in memory, or
/// in mapped files.
#[derive(Clone)]
pub struct KeptNumbers {
    of: Option<ValueType>,
    kept: Arc<dyn Kept>,
}

trait Kept: Send + Sync {
    fn bytes(&self) -> &[u8];
}

impl<B: Bits> Kept for Values<B> {
    fn bytes(&self) -> &[u8] {
        // SAFETY: bits of numbers, which have no padding.
        unsafe { std::slice::from_raw_parts(self.as_ptr().cast(), size_of_val(&**self)) }
    }
}

impl KeptNumbers {
    /// None where the type is none.
    pub(crate) fn new<B: Bits>(of: Option<ValueType>, values: Values<B>) -> KeptNumbers {
        KeptNumbers { of, kept: Arc::new(values) }
    }

    /// How many there are: none where the program has none, or does not set those of edges.
    #[must_use]
    pub fn len(&self) -> usize {
        self.of.map_or(0, |of| self.kept.bytes().len() / of.size())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All of them, where they are of this type.
    #[must_use]
    pub fn slice<T: Blit>(&self) -> Option<&[T]> {
        let of = self.of.filter(|of| of.name() == T::NAME)?;
        let bytes = self.bytes();
        assert!(bytes.as_ptr().cast::<T>().is_aligned() && of.size() == size_of::<T>());
        // SAFETY: so many numbers, of whichever bits, aligned as was just compared, for as long as this is borrowed.
        Some(unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / size_of::<T>()) })
    }

    /// Their bytes, as this machine has them.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        if self.of.is_some() { self.kept.bytes() } else { &[] }
    }

    /// The text of one of them, from which the same number can be read.
    ///
    /// # Panics
    /// There is none.
    #[must_use]
    pub fn text(&self, index: usize) -> String {
        let Some(of) = self.of.filter(|_| index < self.len()) else {
            panic!("there are {} values, and {index} was asked for", self.len())
        };
        let mut text = Vec::new();
        of.print(of.at(self.kept.bytes(), index), &mut text);
        String::from_utf8_lossy(&text).into_owned()
    }

    /// One of them as the nearest `f64`.
    ///
    /// # Panics
    /// There is none.
    #[must_use]
    pub fn number(&self, index: usize) -> f64 {
        let Some(of) = self.of.filter(|_| index < self.len()) else {
            panic!("there are {} values, and {index} was asked for", self.len())
        };
        of.number(of.at(self.kept.bytes(), index))
    }

    /// All of them, copied.
    #[must_use]
    pub fn numbers(&self) -> Numbers {
        let Some(of) = self.of else { return Numbers::None };
        let bits: Vec<u64> = (0..self.len()).map(|index| of.at(self.kept.bytes(), index)).collect();
        Numbers::of(Some(of), &bits)
    }
}

/// By their bits.
impl PartialEq for KeptNumbers {
    fn eq(&self, other: &KeptNumbers) -> bool {
        (self.of, self.bytes()) == (other.of, other.bytes())
    }
}

/// By value.
impl PartialEq<Numbers> for KeptNumbers {
    fn eq(&self, other: &Numbers) -> bool {
        self.numbers() == *other
    }
}

impl fmt::Debug for KeptNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.numbers().fmt(f)
    }
}
