//! Where arguments and results of callbacks that are not JavaScript values are exchanged with index.js.

use super::value::*;

thread_local! {
    static PLACE_OF_EXCHANGE: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Sets this environment's exchange area.
pub fn exchange(at: usize) {
    PLACE_OF_EXCHANGE.set(at);
}

/// Writes an argument there.
#[inline(always)]
pub unsafe fn put<T>(offset: usize, value: T) {
    // SAFETY: index.js has made it long enough.
    unsafe { ((PLACE_OF_EXCHANGE.get() + offset) as *mut T).write_unaligned(value) }
}

/// Reads a result from there.
#[inline(always)]
pub unsafe fn get<T: Copy>(_: napi_env, _: napi_value) -> Outcome<T> {
    // SAFETY: as above.
    Ok(unsafe { (PLACE_OF_EXCHANGE.get() as *const T).read_unaligned() })
}
