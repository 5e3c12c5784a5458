//! Waiting for calls on a thread of our own, while the event loop runs. One of libuv's few would be missing in its pool.

use crate::lanes::{self, Wait};
use crate::value::{arguments, number_of, throw, undefined};
use napi_sys::*;
use std::ffi::c_void;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{AcqRel, Release};
use std::thread::{self, Thread};

/// The thread, once there is one.
static THREAD: OnceLock<Thread> = OnceLock::new();

/// Whether it is to wait for a call.
static ASKED: AtomicBool = AtomicBool::new(false);

/// What is called on the event loop's thread.
struct Callback(napi_threadsafe_function);

// SAFETY: made to be called from any thread.
unsafe impl Send for Callback {}

/// `onReady(callback)`: what is called with the count of lanes that have a call, once for each `waitBeside()`.
pub(crate) unsafe extern "C" fn on_ready(env: napi_env, info: napi_callback_info) -> napi_value {
    let (mut name, mut made) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: Node calls; the text is as long as is said.
    unsafe {
        let [callback] = arguments(env, info);
        napi_create_string_utf8(env, c"upcall".as_ptr(), 6, &mut name);
        let (none, finalize) = (ptr::null_mut(), None);
        let status = napi_create_threadsafe_function(
            env,
            callback,
            none,
            name,
            0,
            1,
            none.cast(),
            finalize,
            none.cast(),
            Some(call_back),
            &mut made,
        );
        if status != Status::napi_ok {
            return throw(env, "no function can be called from another thread");
        }
    }
    let callback = Callback(made);
    let thread = thread::Builder::new().name("upcall".to_owned()).spawn(move || wait(callback));
    // SAFETY: Node calls.
    unsafe {
        match thread {
            Ok(thread) => _ = THREAD.set(thread.thread().clone()),
            Err(error) => return throw(env, &format!("start a thread that waits for calls: {error}")),
        }
        undefined(env)
    }
}

/// `waitBeside()`.
pub(crate) unsafe extern "C" fn wait_beside(env: napi_env, _: napi_callback_info) -> napi_value {
    ASKED.store(true, Release);
    THREAD.get().into_iter().for_each(Thread::unpark);
    // SAFETY: Node calls.
    unsafe { undefined(env) }
}

fn wait(callback: Callback) {
    let Callback(function) = callback;
    loop {
        while !ASKED.swap(false, AcqRel) {
            thread::park();
        }
        let count = ptr::without_provenance_mut(lanes::ready(Wait::Endless) as usize);
        // SAFETY: it is never released.
        let status = unsafe {
            napi_call_threadsafe_function(function, count, ThreadsafeFunctionCallMode::nonblocking)
        };
        if status != Status::napi_ok {
            // The event loop has ended.
            return;
        }
    }
}

unsafe extern "C" fn call_back(env: napi_env, callback: napi_value, _: *mut c_void, count: *mut c_void) {
    if env.is_null() {
        return;
    }
    let mut result = ptr::null_mut();
    // SAFETY: Node calls. What it throws is Node's to deal with, as with any callback.
    unsafe {
        let count = number_of(env, count.addr() as f64);
        napi_call_function(env, undefined(env), callback, 1, &count, &mut result);
    }
}
