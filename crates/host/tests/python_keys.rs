//! What the Python driver tells keys apart by.
#![cfg(feature = "python")]

#[path = "../../../sdk/python/src/flow/keys/letters.rs"]
mod letters;

use std::collections::HashSet;

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

#[test]
fn keys_that_differ_in_their_last_letters_only_have_slots_of_their_own() {
    const SLOTS: u64 = 16_384;
    type Key = fn(u32) -> String;
    let families: [(&str, Key); 5] = [
        ("numbers behind a name", |number| format!("key-{number:06}")),
        ("numbers before a name", |number| format!("{number:06}-key")),
        ("long numbers", |number| format!("{number:016}")),
        ("hexadecimal", |number| format!("{number:x}-{number:04x}")),
        ("short numbers", |number| format!("{:02}", number + 10)),
    ];
    for (name, key) in families {
        let slots: HashSet<u64> =
            (0..1024).map(|number| Letters::of(key(number).as_bytes()).hash() % SLOTS).collect();
        // Numbers drawn at random take 993 of them.
        assert!(slots.len() > 950, "{name}: 1024 keys have {} slots", slots.len());
    }
}
