//! How native code runs a callback, and what happens to its exception.

use super::environment::{Callee, Functions, State, state};
use super::misuse::Misuse;
use super::value::*;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// How many environments have something to throw.
pub static PENDING: AtomicUsize = AtomicUsize::new(0);
/// Callbacks that were called where they cannot be.
pub static MISUSE: Misuse = Misuse::new();

const FOREIGN: &str =
    "a callback was called from another thread: only a Callback that returns nothing can be";
/// What a call says whose callback is gone.
pub const LATE: &str = "a callback was called after it was released, or after the call that it was passed to";

/// Throws what a callback threw during the native call that has just returned.
#[inline(always)]
pub unsafe fn returned(env: napi_env) -> Outcome<()> {
    if PENDING.load(Relaxed) > 0 || MISUSE.noted() {
        // SAFETY: the caller's environment.
        return unsafe { rethrow(env) };
    }
    Ok(())
}

#[cold]
unsafe fn rethrow(env: napi_env) -> Outcome<()> {
    // SAFETY: the caller's environment.
    unsafe {
        if let Some(thrown) = pending(env) {
            napi_throw(env, thrown);
            return Err(Thrown);
        }
        if MISUSE.take() {
            return Err(error(env, FOREIGN));
        }
    }
    Ok(())
}

/// What a callback threw during the native call, taken.
pub unsafe fn pending(env: napi_env) -> Option<napi_value> {
    let state = state();
    if state.pending.is_null() {
        return None;
    }
    let (mut holder, mut thrown) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: a reference of this environment.
    unsafe {
        napi_get_reference_value(env, state.pending, &mut holder);
        napi_get_named_property(env, holder, c"thrown".as_ptr(), &mut thrown);
        napi_delete_reference(env, state.pending);
    }
    forget(state);
    Some(thrown)
}

/// Nothing is pending any more.
pub fn forget(state: &mut State) {
    if !state.pending.is_null() {
        state.pending = ptr::null_mut();
        PENDING.fetch_sub(1, Relaxed);
    }
}

/// Stores the current exception, for the native call to throw when it returns.
#[cold]
unsafe fn keep(env: napi_env) {
    let (mut thrown, mut holder) = (ptr::null_mut(), ptr::null_mut());
    let state = state();
    // SAFETY: the caller's environment.
    unsafe {
        napi_get_and_clear_last_exception(env, &mut thrown);
        if state.pending.is_null() {
            napi_create_object(env, &mut holder);
            napi_set_named_property(env, holder, c"thrown".as_ptr(), thrown);
            napi_create_reference(env, holder, 1, &mut state.pending);
            PENDING.fetch_add(1, Relaxed);
        }
    }
}

/// Runs a callback: `give` writes its arguments, `take` reads its result. If it throws, the
/// result is `other`.
#[inline(always)]
pub unsafe fn call<const N: usize, R: Copy>(
    number: usize,
    other: R,
    give: impl FnOnce(napi_env, &mut [napi_value; N]) -> Outcome<()>,
    take: impl FnOnce(napi_env, napi_value) -> Outcome<R>,
) -> R {
    let state = state();
    // 0 is no callback's: calling it on a JavaScript thread is an error.
    let own = state.entries.tag();
    if own == 0 || number != 0 && Functions::tag_of(number) != own {
        MISUSE.note(FOREIGN);
        return other;
    }
    if !state.pending.is_null() {
        return other;
    }
    let (env, callee) = (state.env, state.entries.get(number).map(|function| function.callee));
    // SAFETY: this is the environment's thread, within a native call that it made.
    unsafe {
        let mut scope = ptr::null_mut();
        napi_open_handle_scope(env, &mut scope);
        let result = match apply(env, callee, give, take) {
            Ok(result) => result,
            Err(Thrown) => {
                keep(env);
                other
            }
        };
        napi_close_handle_scope(env, scope);
        result
    }
}

/// Calls a function.
#[inline(always)]
pub unsafe fn apply<const N: usize, R>(
    env: napi_env,
    callee: Option<Callee>,
    give: impl FnOnce(napi_env, &mut [napi_value; N]) -> Outcome<()>,
    take: impl FnOnce(napi_env, napi_value) -> Outcome<R>,
) -> Outcome<R> {
    // SAFETY: the caller's promise.
    unsafe {
        let (mut function, mut this, mut result) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        match callee {
            Some(Callee::Plain(value)) => function = value,
            Some(Callee::Kept(reference) | Callee::Owned(reference, _)) => {
                napi_get_reference_value(env, reference, &mut function);
            }
            None => return Err(error(env, LATE)),
        }
        let mut arguments = [ptr::null_mut(); N];
        give(env, &mut arguments)?;
        napi_get_undefined(env, &mut this);
        if napi_call_function(env, this, function, N, arguments.as_ptr(), &mut result) != 0 {
            return Err(Thrown);
        }
        take(env, result)
    }
}
