//! What a handler's thread has read from pools: its own copy, as the host's is gone with the next question of any thread.

use std::cell::RefCell;
use upcall_abi::{Item, Rel};

#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    keys: Vec<Rel<u8>>,
}

thread_local! {
    /// Until the same thread asks again.
    static KEPT: RefCell<Kept> = RefCell::new(Kept::default());
}

/// What an address is relative to a base, which may lie behind it.
fn offset<T>(at: *const T, base: u64) -> u64 {
    (at.expose_provenance() as u64).wrapping_sub(base)
}

/// Copies what was found; its key is the one that was asked for.
///
/// # Safety
/// The item's value must be there, relative to `base`.
pub(super) unsafe fn item(found: Item, key: Rel<u8>, base: u64) -> Item {
    // SAFETY: the caller's promise.
    let value = unsafe { found.value.get(base) };
    // A thread that is ending has nowhere to keep it.
    let kept = KEPT.try_with(|kept| {
        let bytes = &mut kept.borrow_mut().bytes;
        bytes.clear();
        bytes.extend_from_slice(value);
        Rel::new(offset(bytes.as_ptr(), base), bytes.len() as u64)
    });
    let key = Rel::new(key.offset.wrapping_sub(base), key.len);
    kept.map_or(Item::ABSENT, |value| Item { key, value, ..found })
}

/// Copies a list of keys.
///
/// # Safety
/// The list and its keys must be there, relative to `base`.
pub(super) unsafe fn list(found: Rel<Rel<u8>>, base: u64) -> Rel<Rel<u8>> {
    // SAFETY: the caller's promise.
    let keys = unsafe { found.get(base) };
    let kept = KEPT.try_with(|kept| {
        let mut kept = kept.borrow_mut();
        let kept = &mut *kept;
        kept.bytes.clear();
        kept.keys.clear();
        for key in keys {
            kept.keys.push(Rel::new(kept.bytes.len() as u64, key.len));
            // SAFETY: as above.
            kept.bytes.extend_from_slice(unsafe { key.get(base) });
        }
        let from = offset(kept.bytes.as_ptr(), base);
        kept.keys.iter_mut().for_each(|key| key.offset = key.offset.wrapping_add(from));
        Rel::new(offset(kept.keys.as_ptr(), base), kept.keys.len() as u64)
    });
    kept.unwrap_or(Rel::EMPTY)
}
