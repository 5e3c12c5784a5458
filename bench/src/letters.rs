//! What a word is: a run of ASCII letters, lower-cased. The peers that are written here include this file.

/// Letters to lower case, all else to a space.
const FOLD: [u8; 256] = {
    let mut fold = [b' '; 256];
    let mut byte = 0;
    while byte < 256 {
        if (byte as u8).is_ascii_alphabetic() {
            fold[byte] = (byte as u8).to_ascii_lowercase();
        }
        byte += 1;
    }
    fold
};

/// The byte as a word has it, or a space.
#[must_use]
#[inline]
pub fn folded(byte: u8) -> u8 {
    FOLD[byte as usize]
}

/// The words of a folded text.
#[inline]
pub fn words(folded: &[u8]) -> impl Iterator<Item = &[u8]> {
    folded.split(|byte| *byte == b' ').filter(|word| !word.is_empty())
}
