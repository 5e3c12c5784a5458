//! The comparison, which every language leaves to the library.

mod compare;
mod system;

use compare::{changes, is_same};
use std::slice::from_raw_parts;
use upcall_abi::caught::caught;

/// Compares this library's exported functions with those that bindings were made from: `expected` has a line for each of
/// them. What loads a library calls it first, once.
///
/// Returns 0 if nothing has changed, or else the bytes of a message that says what, of which as many as there is `room`
/// for are written to `message`.
///
/// # Safety
/// - `expected` must have `len` bytes;
/// - `message` must have `room` bytes that may be written; it may be null if that is 0.
// SAFETY: the name is Upcall's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn upcall_changes(
    expected: *const u8,
    len: usize,
    message: *mut u8,
    room: usize,
) -> usize {
    let said = caught(|| {
        // SAFETY: the caller's promise.
        let expected = if len == 0 { &[] } else { unsafe { from_raw_parts(expected, len) } };
        let (expected, found) = (String::from_utf8_lossy(expected), String::from_utf8_lossy(system::lines()));
        if is_same(&expected, &found) {
            return String::new();
        }
        match changes(&expected, &found) {
            same if same.is_empty() => same,
            changes => format!(
                "{} is not the library that these bindings were made from: {changes}; run `upcall bindgen` again, or load \
                 the library that they were made from",
                system::file().unwrap_or_else(|| "what was loaded".to_owned()),
            ),
        }
    });
    let said = said.unwrap_or_else(|panicked| panicked);
    if room > 0 {
        // SAFETY: the caller's promise; a message is not in memory of the caller's.
        unsafe { message.copy_from_nonoverlapping(said.as_ptr(), said.len().min(room)) };
    }
    said.len()
}
