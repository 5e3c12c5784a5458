//! Values of edges at the end of a run.

use super::numbers::{Bits, Numbers};
use crate::value::ValueType;
use crate::values::Values;
use std::fmt;
use std::sync::Arc;

/// Numbers of one of the types that values have, one for each edge. They stay where the run has kept them: in memory, or in mapped
/// files.
#[derive(Clone)]
pub struct EdgeNumbers {
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

impl EdgeNumbers {
    /// None where the type is none.
    pub(crate) fn new<B: Bits>(of: Option<ValueType>, values: Values<B>) -> EdgeNumbers {
        EdgeNumbers { of, kept: Arc::new(values) }
    }

    /// How many there are: none where the program does not set them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.of.map_or(0, |of| self.kept.bytes().len() / of.size())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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

    /// All of them, copied.
    #[must_use]
    pub fn numbers(&self) -> Numbers {
        let Some(of) = self.of else { return Numbers::None };
        let bits: Vec<u64> = (0..self.len()).map(|index| of.at(self.kept.bytes(), index)).collect();
        Numbers::of(Some(of), &bits)
    }
}

impl PartialEq for EdgeNumbers {
    fn eq(&self, other: &EdgeNumbers) -> bool {
        (self.of, self.bytes()) == (other.of, other.bytes())
    }
}

impl fmt::Debug for EdgeNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.numbers().fmt(f)
    }
}
