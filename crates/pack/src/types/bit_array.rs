use crate::prelude::*;
use crate::{Error, ErrorKind, Form, Pack, Reader, Unpack, Writer, header};
use core::fmt;

/// Bits, 32 to a word, C#'s `System.Collections.BitArray`: a class, so an `Option` of it may be null.
///
/// ```
/// use upcall_pack::BitArray;
///
/// let bits: BitArray = [true, false, true].into_iter().collect();
/// assert_eq!((bits.len(), bits.words()), (3, &[0b101][..]));
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct BitArray {
    words: Vec<u32>,
    len: usize,
}

impl BitArray {
    /// The first `len` bits of `words`, the lowest of a word first. Words that are missing are zero.
    #[must_use]
    pub fn from_words(mut words: Vec<u32>, len: usize) -> BitArray {
        words.resize(len.div_ceil(32), 0);
        if let Some(last) = words.last_mut().filter(|_| !len.is_multiple_of(32)) {
            *last &= (1 << (len % 32)) - 1;
        }
        BitArray { words, len }
    }

    /// How many bits there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bits, the lowest of a word first; those beyond the last are zero.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The bit at an index, if there is one.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<bool> {
        (index < self.len).then(|| self.words[index / 32] >> (index % 32) & 1 == 1)
    }

    /// The bits in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = bool> + '_ {
        (0..self.len).map(|index| self.words[index / 32] >> (index % 32) & 1 == 1)
    }
}

impl FromIterator<bool> for BitArray {
    fn from_iter<I: IntoIterator<Item = bool>>(bits: I) -> BitArray {
        let mut array = BitArray::default();
        for bit in bits {
            if array.len.is_multiple_of(32) {
                array.words.push(0);
            }
            array.words[array.len / 32] |= u32::from(bit) << (array.len % 32);
            array.len += 1;
        }
        array
    }
}

impl fmt::Debug for BitArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(u8::from)).finish()
    }
}

impl Pack for BitArray {
    const FORM: Form<Self> = Form::Object;
    const MIN: usize = 9;

    fn describe(to: &mut crate::Describe) {
        to.plain("bits");
    }

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.u8(2)?;
        writer.count(self.len)?;
        self.words.pack(writer)
    }
}

impl<'a> Unpack<'a> for BitArray {
    /// Accepts more words than the bits take: .NET keeps them when an array is made shorter.
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        header::exactly(reader, 2, "BitArray")?;
        let length = reader.i32()?;
        let place = reader.position();
        let words = Vec::<u32>::unpack(reader)?;
        match usize::try_from(length) {
            Ok(length) if length.div_ceil(32) <= words.len() => Ok(BitArray::from_words(words, length)),
            _ => {
                let message = format!("{length} bits are not in {} words of 32", words.len());
                Err(Error::new(ErrorKind::LengthInvalid, place - 4, message))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back_in_order() {
        for len in [0_usize, 1, 31, 32, 33, 64, 100] {
            let bits: Vec<bool> = (0..len).map(|index| index % 3 == 0).collect();
            let array: BitArray = bits.iter().copied().collect();
            assert_eq!((array.len(), array.words().len()), (len, len.div_ceil(32)));
            assert!(array.iter().eq(bits.iter().copied()));
            assert!((0..len).all(|index| array.get(index) == Some(bits[index])));
            assert_eq!(array.get(len), None);
        }
    }

    #[test]
    fn bits_beyond_the_last_do_not_count() {
        let array = BitArray::from_words(vec![u32::MAX, u32::MAX, 7], 33);
        assert_eq!(array.words(), [u32::MAX, 1]);
        assert_eq!(array, (0..33).map(|_| true).collect());
        assert_eq!(BitArray::from_words(vec![], 40).words(), [0, 0]);
    }
}
