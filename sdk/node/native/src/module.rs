//! What the module exports.

use crate::value::{arguments, give, number, throw, truth, undefined};
use napi_sys::*;
use std::ffi::c_void;
use std::ptr;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use upcall_apart::guest::Connection;

/// The only one of this process. Whoever waits on another thread has it meanwhile.
static CONNECTION: Mutex<Option<Connection>> = Mutex::new(None);

fn connection() -> MutexGuard<'static, Option<Connection>> {
    CONNECTION.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Fills the module.
///
/// # Safety
/// With what Node has called the module's own function with.
pub(crate) unsafe fn register(env: napi_env, exports: napi_value) -> napi_value {
    static LOADED: Once = Once::new();
    // Node's symbols stay loaded as long as the process runs, and so does what found them.
    // SAFETY: Node has loaded us, so they are there.
    LOADED.call_once(|| std::mem::forget(unsafe { setup() }));
    // SAFETY: the caller's promise.
    unsafe {
        give(env, exports, c"open", open);
        give(env, exports, c"window", window);
        give(env, exports, c"detach", detach);
        give(env, exports, c"pass", pass);
        give(env, exports, c"spin", spin);
        give(env, exports, c"wait", wait);
        give(env, exports, c"waitBeside", wait_beside);
    }
    exports
}

unsafe extern "C" fn open(env: napi_env, _: napi_callback_info) -> napi_value {
    let opened = match &mut *connection() {
        Some(open) => Ok(open.bytes()),
        none => Connection::inherited().map(|made| none.insert(made).bytes()),
    };
    let mut made = ptr::null_mut();
    // SAFETY: Node calls, here and below.
    unsafe {
        match opened {
            Ok(bytes) => napi_create_double(env, bytes as f64, &mut made),
            Err(error) => return throw(env, &error.to_string()),
        };
    }
    made
}

unsafe extern "C" fn window(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: Node calls.
    let [offset, bytes] = unsafe { arguments(env, info).map(|value| number(env, value)) };
    let found = connection().as_ref().map(|open| (open.base(), open.bytes()));
    let Some((base, _)) = found.filter(|(_, all)| offset.checked_add(bytes).is_some_and(|end| end <= *all))
    else {
        // SAFETY: as above.
        return unsafe { throw(env, "a window lies in the segment, which is open") };
    };
    let place = ptr::with_exposed_provenance_mut::<c_void>((base + offset) as usize);
    let mut made = ptr::null_mut();
    // SAFETY: as above; the memory is mapped as long as the process lives.
    let status = unsafe {
        napi_create_external_arraybuffer(env, place, bytes as usize, None, ptr::null_mut(), &mut made)
    };
    match status {
        Status::napi_ok => made,
        // SAFETY: as above.
        _ => unsafe { throw(env, "this JavaScript has no memory but its own") },
    }
}

unsafe extern "C" fn detach(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: Node calls.
    unsafe {
        let [buffer] = arguments(env, info);
        napi_detach_arraybuffer(env, buffer);
        undefined(env)
    }
}

unsafe extern "C" fn pass(env: napi_env, _: napi_callback_info) -> napi_value {
    if let Some(open) = &*connection() {
        open.pass();
    }
    // SAFETY: Node calls.
    unsafe { undefined(env) }
}

unsafe extern "C" fn spin(env: napi_env, _: napi_callback_info) -> napi_value {
    let mine = connection().as_ref().is_some_and(Connection::spin);
    // SAFETY: Node calls.
    unsafe { truth(env, mine) }
}

unsafe extern "C" fn wait(env: napi_env, _: napi_callback_info) -> napi_value {
    let mine = waited();
    // SAFETY: Node calls.
    unsafe { truth(env, mine) }
}

fn waited() -> bool {
    connection().as_ref().is_some_and(Connection::wait)
}

/// A wait on another thread.
struct Beside {
    work: napi_async_work,
    callback: napi_ref,
    mine: bool,
}

unsafe extern "C" fn wait_beside(env: napi_env, info: napi_callback_info) -> napi_value {
    let beside =
        Box::into_raw(Box::new(Beside { work: ptr::null_mut(), callback: ptr::null_mut(), mine: false }));
    let mut name = ptr::null_mut();
    // SAFETY: Node calls; what is allocated lives until `called_back`.
    unsafe {
        let [callback] = arguments(env, info);
        napi_create_reference(env, callback, 1, &mut (*beside).callback);
        napi_create_string_utf8(env, c"upcall".as_ptr(), 6, &mut name);
        let (execute, complete) = (Some(execute as _), Some(called_back as _));
        napi_create_async_work(
            env,
            ptr::null_mut(),
            name,
            execute,
            complete,
            beside.cast(),
            &mut (*beside).work,
        );
        napi_queue_async_work(env, (*beside).work);
        undefined(env)
    }
}

unsafe extern "C" fn execute(_: napi_env, beside: *mut c_void) {
    // SAFETY: `wait_beside` has made it, and nobody else uses it until this returns.
    unsafe { (*beside.cast::<Beside>()).mine = waited() };
}

unsafe extern "C" fn called_back(env: napi_env, _: napi_status, beside: *mut c_void) {
    // SAFETY: Node calls, once, with what `wait_beside` has made.
    unsafe {
        let beside = Box::from_raw(beside.cast::<Beside>());
        let (mut callback, mut result) = (ptr::null_mut(), ptr::null_mut());
        napi_get_reference_value(env, beside.callback, &mut callback);
        let mine = truth(env, beside.mine);
        // What it throws is Node's to deal with, as with any callback.
        napi_call_function(env, undefined(env), callback, 1, &mine, &mut result);
        napi_delete_reference(env, beside.callback);
        napi_delete_async_work(env, beside.work);
    }
}
