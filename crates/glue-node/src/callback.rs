//! JavaScript functions that native code calls.
//!
//! Native code knows a callback by a number: the context it passes back, or a slot of a pool of trampolines.
//! The number says which environment (thread) the callback belongs to, and names an entry of its table and
//! the entry's generation: a late call is an error, not a crash.

use super::entries::{FULL, NoAddress, is_plain};
use super::environment::{Callee, Function, state};
use super::slots::{Address, Signature};
use super::value::*;
use std::ffi::c_void;
use std::ptr;

pub use super::calling::{call, returned};
pub use super::environment::open;
pub use super::exchange::{exchange, get, put};
pub use super::queue::{copied, elsewhere, send};
pub use super::stand_in::stand_in;

/// A callback as the native function takes it, for the duration of the call.
pub struct Bound {
    function: Address,
    number: usize,
}

impl Bound {
    /// The function, as the mirror's type for it.
    #[inline(always)]
    pub fn function<T: Copy>(&self) -> T {
        // SAFETY: the trampoline was made for this type; null is taken only where it has a null.
        unsafe { self.function.function() }
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
        if is_plain(self.number) {
            state().entries.leave(self.number);
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
            let number = enter(env, Callee::Plain(value), String::new())?;
            let mut bound = Bound { function: Address(ptr::null()), number };
            bound.function = match of.shared() {
                Some(trampoline) => trampoline,
                None => trampoline(env, number, of, at)?,
            };
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
        Ok(Bound { function: Address(address), number: 0 })
    }
}

/// The address that calls a `Callback`, given as its negative number, until the `Callback` is released.
pub unsafe fn address(
    env: napi_env,
    value: napi_value,
    of: &'static Signature,
    at: At,
) -> Outcome<*const c_void> {
    // SAFETY: the caller's environment.
    unsafe { Ok(trampoline(env, -take_f64(env, value, at)? as usize, of, at)?.0) }
}

#[inline(always)]
unsafe fn trampoline(env: napi_env, number: usize, of: &'static Signature, at: At) -> Outcome<Address> {
    // SAFETY: the caller's environment.
    state().entries.address(number, of).map_err(|why| unsafe { no_trampoline(env, why, of, at) })
}

#[cold]
unsafe fn no_trampoline(env: napi_env, why: NoAddress, of: &Signature, at: At) -> Thrown {
    // SAFETY: the caller's environment.
    unsafe {
        match why {
            NoAddress::Gone => at.wrong_type(env, "a Callback that was not released"),
            NoAddress::Full => error(env, &of.exhausted()),
        }
    }
}

#[inline(always)]
unsafe fn enter(env: napi_env, callee: Callee, name: String) -> Outcome<usize> {
    let plain = matches!(callee, Callee::Plain(_));
    // SAFETY: the caller's environment.
    state().entries.enter(Function { callee, name }, plain).map_err(|_| unsafe { error(env, FULL) })
}

/// Makes a function callable until it is dropped; returns its number. Errors call it by this name.
pub unsafe fn retain(env: napi_env, function: napi_value, name: String) -> Outcome<f64> {
    let mut reference = ptr::null_mut();
    // SAFETY: a value of this environment.
    unsafe {
        napi_create_reference(env, function, 1, &mut reference);
        Ok(enter(env, Callee::Kept(reference), name)? as f64)
    }
}

/// Ends what [`retain`] began.
pub unsafe fn release(env: napi_env, number: usize) {
    if let Some(Function { callee: Callee::Kept(reference), .. }) = state().entries.leave(number) {
        // SAFETY: a reference of this environment.
        unsafe { napi_delete_reference(env, reference) };
    }
}
