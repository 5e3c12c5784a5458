//! How native code runs a callback, and what happens to its exception.

use super::environment::{Callee, State, TAG, queues, state};
use super::value::*;
use std::ffi::c_void;
use std::ptr;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// How many environments have something to throw.
static PENDING: AtomicUsize = AtomicUsize::new(0);
/// Whether a callback was called where it cannot be.
static MISUSED: AtomicBool = AtomicBool::new(false);

/// Whether a lost call was reported.
static UNDELIVERED: AtomicBool = AtomicBool::new(false);

const UNSENT: &str = "calls of a Callback by another thread were dropped: it was released before they could run";
const FOREIGN: &str = "a callback was called from another thread: only a Callback that returns nothing can be";
const LATE: &str = "a callback was called after it was released, or after the call that it was passed to";

/// Throws what a callback threw during the native call that has just returned.
#[inline(always)]
pub unsafe fn returned(env: napi_env) -> Outcome<()> {
    if PENDING.load(Relaxed) > 0 || MISUSED.load(Relaxed) {
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
        if MISUSED.swap(false, Relaxed) {
            return Err(error(env, FOREIGN));
        }
    }
    Ok(())
}

unsafe fn pending(env: napi_env) -> Option<napi_value> {
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
/// result is zeros.
#[inline(always)]
pub unsafe fn call<const N: usize, R: Copy>(
    number: usize,
    give: impl FnOnce(napi_env, &mut [napi_value; N]) -> Outcome<()>,
    take: impl FnOnce(napi_env, napi_value) -> Outcome<R>,
) -> R {
    // SAFETY: all zeros are a value of each type of the mirror.
    let zeros = unsafe { std::mem::zeroed() };
    let state = state();
    // 0 stands for a trampoline that was released: calling it on a JavaScript thread is an error.
    if number >> TAG != state.tag && (number != 0 || state.tag == 0) {
        misused(FOREIGN);
        return zeros;
    }
    if !state.pending.is_null() {
        return zeros;
    }
    let env = state.env;
    // SAFETY: this is the environment's thread, within a native call that it made.
    unsafe {
        let mut scope = ptr::null_mut();
        napi_open_handle_scope(env, &mut scope);
        let result = match apply(env, number, give, take) {
            Ok(result) => result,
            Err(Thrown) => {
                keep(env);
                zeros
            }
        };
        napi_close_handle_scope(env, scope);
        result
    }
}

#[inline(always)]
unsafe fn apply<const N: usize, R>(
    env: napi_env,
    number: usize,
    give: impl FnOnce(napi_env, &mut [napi_value; N]) -> Outcome<()>,
    take: impl FnOnce(napi_env, napi_value) -> Outcome<R>,
) -> Outcome<R> {
    // SAFETY: the caller's promise.
    unsafe {
        let (mut function, mut this, mut result) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        match state().entry(number).map(|entry| &entry.callee) {
            Some(Callee::Plain(value)) => function = *value,
            Some(Callee::Kept(reference)) => {
                napi_get_reference_value(env, *reference, &mut function);
            }
            _ => return Err(error(env, LATE)),
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

#[cold]
fn misused(message: &str) {
    // Until a call has thrown it, it is printed once.
    if !MISUSED.swap(true, Relaxed) {
        say(message);
    }
}

/// If it cannot be printed, the program must not end.
fn say(message: &str) {
    let _ = writeln!(std::io::stderr(), "{message}");
}

struct Sent<T>(T);

// SAFETY: only the bytes of the arguments are sent, and copies of the texts and slices they point to;
// the targets of other pointers are up to the library.
unsafe impl<T> Send for Sent<T> {}

type Delivery = Box<dyn FnOnce() + Send>;

/// Whether a callback may be sent to its own thread from another one: not if it is a plain function.
#[inline(always)]
pub fn elsewhere(number: usize) -> bool {
    number & 1 == 0 && number >> TAG != state().tag
}

/// What a borrowed text or slice holds.
pub unsafe fn copied<T: Copy>(data: *const T, len: usize) -> Vec<T> {
    // SAFETY: the library's promise: so many elements.
    if len == 0 { Vec::new() } else { unsafe { std::slice::from_raw_parts(data, len) }.to_vec() }
}

/// Sends a callback that returns nothing to its own thread, which runs it later.
pub fn send(number: usize, run: impl FnOnce() + 'static) {
    let tag = number >> TAG;
    let sent = Sent(run);
    let delivery: Delivery = Box::new(move || {
        let sent = sent;
        // Whoever releases a callback cannot know what is on its way to it.
        match state().entry(number) {
            Some(_) => sent.0(),
            None if !UNDELIVERED.swap(true, Relaxed) => say(UNSENT),
            None => {}
        }
    });
    // SAFETY: the queue lives while it is in the map, whose lock is held.
    let gone = queues(|queues| match queues.get(&tag) {
        Some(queue) => unsafe {
            let data = Box::into_raw(Box::new(delivery)).cast();
            napi_call_threadsafe_function(*queue as napi_threadsafe_function, data, ThreadsafeFunctionCallMode::nonblocking);
            false
        },
        None => true,
    });
    if gone {
        misused(LATE);
    }
}

/// Runs what [`send`] has sent.
pub unsafe extern "C" fn deliver(env: napi_env, _: napi_value, _: *mut c_void, data: *mut c_void) {
    // SAFETY: made by `send`. Without an environment it is only freed.
    unsafe {
        let delivery = *Box::from_raw(data.cast::<Delivery>());
        if env.is_null() {
            return;
        }
        delivery();
        if PENDING.load(Relaxed) > 0
            && let Some(thrown) = pending(env)
        {
            napi_fatal_exception(env, thrown);
        }
    }
}
