//! JavaScript functions that native code keeps: it says when it forgets one.
//!
//! Native code knows them by number, as it does a `Callback`. On their own thread they run at once. Calls by other threads
//! wait in the queue, and so does the release behind them: what was called before is called all the same.

use super::calling::apply;
use super::entries::FULL;
use super::environment::{Callee, Function, Functions, state};
use super::queue;
use super::value::*;
use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ptr;

/// A function on its way to native code.
pub struct Kept(usize);

impl Kept {
    /// The context that native code passes back. It has the function from here on.
    #[inline(always)]
    pub fn context(self) -> *mut c_void {
        ManuallyDrop::new(self).0 as *mut c_void
    }
}

impl Drop for Kept {
    /// Without the call that it was for.
    fn drop(&mut self) {
        // SAFETY: this is its environment's thread.
        unsafe { end(self.0) };
    }
}

/// A function that native code is about to be given.
pub unsafe fn take(env: napi_env, value: napi_value, at: At) -> Outcome<Kept> {
    let (mut ty, mut reference) = (0, ptr::null_mut());
    // SAFETY: a value of this environment.
    unsafe {
        napi_typeof(env, value, &mut ty);
        if ty != ValueType::napi_function {
            return Err(at.wrong_type(env, "a function"));
        }
        napi_create_reference(env, value, 1, &mut reference);
        let function = Function { callee: Callee::Owned(reference, at), name: String::new() };
        match state().entries.enter(function, false) {
            Ok(number) => Ok(Kept(number)),
            Err(_) => {
                napi_delete_reference(env, reference);
                Err(error(env, FULL))
            }
        }
    }
}

/// Takes a function back from native code, on any thread.
pub unsafe extern "C" fn release(context: *mut c_void) {
    let number = context as usize;
    let own = state().entries.tag();
    // SAFETY: on the environment's own thread; the queue runs it there.
    unsafe {
        if Functions::tag_of(number) == own && queue::is_empty(own) {
            end(number);
        } else {
            // Without its environment there is nothing to release.
            queue::last(number, move || end(number));
        }
    }
}

/// Lets go of a function, on its environment's thread.
unsafe fn end(number: usize) {
    let state = state();
    if let Some(Function { callee: Callee::Owned(reference, _), .. }) = state.entries.leave(number) {
        // SAFETY: a reference of this environment.
        unsafe { napi_delete_reference(state.env, reference) };
    }
}

/// Sends a call to the function's own thread: see [`queue::send`]. Where its environment has ended, nothing is called.
pub fn send<F: FnOnce() + 'static>(number: usize, copied: usize, run: F) {
    queue::post(number, copied, run);
}

/// Runs a function on its own thread. What it throws, nobody is there to catch: it is an uncaught exception.
#[inline(always)]
pub unsafe fn call<const N: usize>(
    number: usize,
    give: impl FnOnce(napi_env, &mut [napi_value; N]) -> Outcome<()>,
) {
    let state = state();
    // Its environment has ended, or another one is on its thread.
    if state.entries.tag() == 0 || Functions::tag_of(number) != state.entries.tag() {
        return;
    }
    let (env, callee) = (state.env, state.entries.get(number).map(|function| function.callee));
    let (mut scope, mut thrown) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: this is the environment's thread, within a call that it made.
    unsafe {
        napi_open_handle_scope(env, &mut scope);
        if apply(env, callee, give, |_, _| Ok(())).is_err()
            && napi_get_and_clear_last_exception(env, &mut thrown) == Status::napi_ok
        {
            napi_fatal_exception(env, thrown);
        }
        napi_close_handle_scope(env, scope);
    }
}
