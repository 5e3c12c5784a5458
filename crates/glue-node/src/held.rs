//! What JavaScript must release: objects and elements that native code gave it. A worker thread may be terminated between any
//! two of its statements, and no finalizer runs then: what is left is released when its environment ends.

use super::environment::state;
use std::collections::HashMap;
use std::ffi::c_void;

/// What is left of one environment, by address. On the main thread nothing is written down: with it the process ends.
#[derive(Default)]
pub struct Held {
    left: HashMap<usize, (usize, Kind)>,
    /// How many there have been.
    count: usize,
}

/// Releases a buffer: its data, length and capacity.
pub type Free = unsafe extern "C" fn(*mut c_void, usize, usize);

enum Kind {
    Object(fn(*mut c_void)),
    Elements(Free, usize, usize),
}

fn hold(address: *mut c_void, kind: Kind) {
    let Some(held) = &mut state().held else { return };
    if !address.is_null() {
        held.count += 1;
        held.left.insert(address.expose_provenance(), (held.count, kind));
    }
}

/// An object, which may be null, and what releases it.
pub fn object<T>(object: *const T, release: fn(*mut c_void)) {
    hold(object.cast_mut().cast(), Kind::Object(release));
}

/// The elements of a buffer.
pub fn elements<T>(data: *mut T, len: usize, capacity: usize, release: Option<Free>) {
    // Where there is no memory, the address is nobody's.
    if let Some(release) = release.filter(|_| capacity > 0) {
        hold(data.cast(), Kind::Elements(release, len, capacity));
    }
}

/// JavaScript releases it now, or gives it away.
pub fn forget<T>(address: *const T) {
    if let Some(held) = &mut state().held {
        held.left.remove(&address.addr());
    }
}

impl Held {
    /// Releases what is left, the newest first.
    pub fn release(self) {
        let mut left: Vec<_> = self.left.into_iter().collect();
        left.sort_unstable_by_key(|(_, (number, _))| std::cmp::Reverse(*number));
        for (address, (_, kind)) in left {
            let address = std::ptr::with_exposed_provenance_mut(address);
            match kind {
                Kind::Object(release) => release(address),
                // SAFETY: native code gave it with this function, and nobody else calls that any more.
                Kind::Elements(release, len, capacity) => unsafe { release(address, len, capacity) },
            }
        }
    }
}
