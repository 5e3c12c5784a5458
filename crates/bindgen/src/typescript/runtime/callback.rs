//! JavaScript functions that native code calls.
//!
//! Native code knows a callback by a number: the context it passes back, or a slot of a pool of trampolines.
//! The number says which environment (thread) the callback belongs to, and names an entry of its table and
//! the entry's generation: a late call is an error, not a crash.

use super::environment::{Callee, state};
use super::value::*;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

pub use super::calling::{call, returned};
pub use super::environment::open;
pub use super::exchange::{exchange, get, put};
pub use super::queue::{copied, elsewhere, send};
pub use super::stand_in::stand_in;

/// A kind of function that native code calls.
pub struct Signature {
    /// With a context: the one trampoline. Without: one for each slot.
    pub trampolines: &'static [Address],
    /// Without a context: the number that each slot stands for; 0 where it is free.
    pub slots: &'static [AtomicUsize],
    /// The slot to try next: a freed slot is reused as late as possible.
    pub next: AtomicUsize,
}

/// The address of a trampoline.
#[derive(Clone, Copy)]
pub struct Address(pub *const c_void);

// SAFETY: the address of code.
unsafe impl Sync for Address {}

/// A callback as the native function takes it, for the duration of the call.
pub struct Bound {
    function: *const c_void,
    number: usize,
}

impl Bound {
    /// The function, as the mirror's type for it.
    #[inline(always)]
    pub fn function<T: Copy>(&self) -> T {
        const { assert!(size_of::<T>() == size_of::<usize>(), "the address of a function") };
        // SAFETY: the trampoline was made for this type.
        unsafe { std::mem::transmute_copy(&self.function) }
    }

    /// The context.
    #[inline(always)]
    pub fn context(&self) -> *mut c_void {
        self.number as *mut c_void
    }
}

impl Drop for Bound {
    #[inline(always)]
    fn drop(&mut self) {
        if self.number & 1 == 1 {
            state().leave(self.number);
        }
    }
}

/// A function for the duration of the call; the negative number that index.js made of a `Callback`; the
/// address of a native function; or 0.
pub unsafe fn take(
    env: napi_env,
    value: napi_value,
    of: &'static Signature,
    nullable: bool,
    at: At,
) -> Outcome<Bound> {
    let mut ty = 0;
    // SAFETY: a value of this environment.
    unsafe {
        napi_typeof(env, value, &mut ty);
        if ty == ValueType::napi_function {
            let Some(number) = state().enter(Callee::Plain(value)) else {
                return Err(error(env, "65536 callbacks are alive: release some"));
            };
            let mut bound = Bound { function: ptr::null(), number };
            bound.function = trampoline(env, number, of, at)?;
            return Ok(bound);
        }
        let number = take_f64(env, value, at)?;
        // An environment's tag makes its numbers larger than those of marks.
        if number <= -MARKS {
            let number = -number as usize;
            return Ok(Bound { function: trampoline(env, number, of, at)?, number });
        }
        let address: *mut c_void = take_address(env, value, at)?;
        if address.is_null() && !nullable {
            return Err(at.wrong_type(env, "a function"));
        }
        Ok(Bound { function: address, number: 0 })
    }
}

/// The address that calls a `Callback`, given as its negative number, until the `Callback` is released.
pub unsafe fn address(env: napi_env, value: napi_value, of: &'static Signature, at: At) -> Outcome<*const c_void> {
    // SAFETY: the caller's environment.
    unsafe { trampoline(env, -take_f64(env, value, at)? as usize, of, at) }
}

/// The trampoline for an entry. Without a context, one is taken from the pool until the entry is gone.
unsafe fn trampoline(env: napi_env, number: usize, of: &'static Signature, at: At) -> Outcome<*const c_void> {
    let Some(entry) = state().entry(number) else {
        // SAFETY: the caller's environment.
        return Err(unsafe { at.wrong_type(env, "a Callback that was not released") });
    };
    if of.slots.is_empty() {
        return Ok(of.trampolines[0].0);
    }
    if let Some((_, slot)) = entry.slots.iter().find(|(signature, _)| ptr::eq(*signature, of)) {
        return Ok(of.trampolines[*slot].0);
    }
    let next = of.next.load(Relaxed);
    for slot in (next..of.slots.len()).chain(0..next) {
        if of.slots[slot].compare_exchange(0, number, Relaxed, Relaxed).is_ok() {
            of.next.store(slot + 1, Relaxed);
            entry.slots.push((of, slot));
            return Ok(of.trampolines[slot].0);
        }
    }
    let message = format!("{} callbacks of a kind without a context parameter are alive: release some", of.slots.len());
    // SAFETY: the caller's environment.
    Err(unsafe { error(env, &message) })
}

/// Makes a function callable until it is dropped; returns its number. Errors call it by this name.
pub unsafe fn retain(env: napi_env, function: napi_value, name: String) -> Outcome<f64> {
    let mut reference = ptr::null_mut();
    // SAFETY: a value of this environment.
    unsafe {
        napi_create_reference(env, function, 1, &mut reference);
        match state().enter(Callee::Kept(reference)) {
            Some(number) => {
                if let Some(entry) = state().entry(number) {
                    entry.name = name;
                }
                Ok(number as f64)
            }
            None => Err(error(env, "65536 callbacks are alive: release some")),
        }
    }
}

/// Ends what [`retain`] began.
pub unsafe fn release(env: napi_env, number: usize) {
    if let Callee::Kept(reference) = state().leave(number) {
        // SAFETY: a reference of this environment.
        unsafe { napi_delete_reference(env, reference) };
    }
}
