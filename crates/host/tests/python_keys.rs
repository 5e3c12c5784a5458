//! What the Python driver tells keys apart by.
#![cfg(feature = "python")]

#[path = "../../../sdk/python/src/flow/keys/letters.rs"]
mod letters;

use letters::{LONGEST, Letters};

#[test]
fn two_keys_have_the_same_letters_only_when_they_are_the_same() {
    let text = b"abababcabcdabcdeabcdefgh";
    let mut keys: Vec<&[u8]> = Vec::new();
    for len in 2..=LONGEST {
        keys.extend(text.windows(len));
    }
    for a in &keys {
        for b in &keys {
            let (first, second) = (Letters::of(a), Letters::of(b));
            assert_eq!(first == second, a == b, "{a:?} {b:?}");
            assert!(first != second || first.hash() == second.hash());
        }
    }
}
