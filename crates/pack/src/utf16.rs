//! Text in UTF-16, and how many units it takes there, which C# wants to know besides its UTF-8.

use crate::ascii;
use crate::prelude::*;
use core::fmt;

/// UTF-16 units of UTF-8 text: one for each character, two for those of four bytes.
#[inline]
pub(crate) fn units(text: &str) -> usize {
    if ascii::is(text.as_bytes()) { text.len() } else { units_beyond_ascii(text) }
}

/// The same for text of which that much is known.
#[cold]
pub(crate) fn units_beyond_ascii(text: &str) -> usize {
    let bytes = text.as_bytes();
    // One-byte sums keep the loop in vectors; 127 steps of at most 2 fit.
    bytes.chunks(127).map(|chunk| usize::from(chunk.iter().map(|byte| units_of(*byte)).sum::<u8>())).sum()
}

/// Units that begin with this byte: none in the middle of a character.
const fn units_of(byte: u8) -> u8 {
    (byte & 0xC0 != 0x80) as u8 + (byte >= 0xF0) as u8
}

/// Why bytes are not UTF-16.
pub(crate) struct HalfPair {
    /// Bytes before it.
    pub at: usize,
    half: u16,
}

impl fmt::Display for HalfPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "text with half a surrogate pair, {:04X}", self.half)
    }
}

/// Text of an even number of bytes.
pub(crate) fn decode(bytes: &[u8]) -> Result<String, HalfPair> {
    let numbers = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    let mut text = String::with_capacity(bytes.len() / 2);
    for decoded in char::decode_utf16(numbers) {
        match decoded {
            Ok(character) => text.push(character),
            Err(error) => return Err(HalfPair { at: 2 * units(&text), half: error.unpaired_surrogate() }),
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn units_are_counted_as_encode_utf16_makes_them(text in "\\PC{0,300}", ascii in "[ -~]{0,300}") {
            for text in [&text, &ascii] {
                prop_assert_eq!(super::units(text), text.encode_utf16().count());
            }
        }
    }
}
