//! Any bytes, read as the type of any golden line: an error, or a value that comes back. A chain of slices says the
//! same as one slice.
//!
//! The first byte chooses the line, the second where the rest is split.
#![no_main]

use golden::{Case, cases};
use libfuzzer_sys::fuzz_target;

thread_local! {
    static CASES: Vec<Case> = cases();
}

/// A hash map writes its pairs in any order.
fn ordered(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes.sort_unstable();
    bytes
}

fuzz_target!(|input: &[u8]| {
    let [line, split, bytes @ ..] = input else { return };
    CASES.with(|cases| {
        let case = &cases[usize::from(*line) % cases.len()];
        let (front, back) = bytes.split_at(usize::from(*split) % (bytes.len() + 1));
        let whole = case.value.rewrite(&[bytes]);
        let parts = case.value.rewrite(&[front, back]);
        match (&whole, &parts) {
            (Ok(whole), Ok(parts)) => assert_eq!(ordered(whole), ordered(parts), "{}", case.name),
            (Err(whole), Err(parts)) => assert_eq!(whole.kind(), parts.kind(), "{}", case.name),
            _ => panic!("{}: {whole:?} in one slice, {parts:?} in two", case.name),
        }
        if let Ok(once) = whole {
            let again = case.value.rewrite(&[&once]).expect("what was written is read");
            assert_eq!(ordered(&once), ordered(&again), "{}", case.name);
        }
        let _ = case.value.overwrite(bytes);
    });
});
