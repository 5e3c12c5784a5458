//! What the module exports.

use crate::beside::{on_ready, wait_beside};
use crate::embedded;
use crate::gather::gather;
use crate::lanes::{self, READY, Wait};
use crate::value::{arguments, give, number, number_of, property, throw, truth, undefined};
use napi_sys::*;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Once;

/// Fills the module.
///
/// # Safety
/// With what Node has called the module's own function with.
pub(crate) unsafe fn register(env: napi_env, exports: napi_value) -> napi_value {
    static LOADED: Once = Once::new();
    LOADED.call_once(|| {
        // Node's symbols stay loaded as long as the process runs, and so does what found them.
        // SAFETY: Node has loaded us, so they are there.
        std::mem::forget(unsafe { setup() });
        stay();
    });
    // SAFETY: the caller's promise.
    unsafe {
        give(env, exports, c"open", open);
        give(env, exports, c"window", window);
        give(env, exports, c"detach", detach);
        give(env, exports, c"pass", pass);
        give(env, exports, c"ring", ring);
        give(env, exports, c"waitFor", wait_for);
        give(env, exports, c"useLanes", use_lanes);
        give(env, exports, c"look", look);
        give(env, exports, c"spin", spin);
        give(env, exports, c"wait", wait);
        give(env, exports, c"onReady", on_ready);
        give(env, exports, c"waitBeside", wait_beside);
        give(env, exports, c"gather", gather);
        let place = READY.as_ptr().cast_mut().cast();
        property(env, exports, c"ready", external(env, place, size_of_val(&READY)));
        embedded::register(env, exports);
    }
    exports
}

/// Keeps this module loaded. Node closes it with the last thread that has loaded it, while engines may still call what that
/// thread has given them: they learn of its end a moment later.
fn stay() {
    let mut place = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: the address is in this module; the place is filled where the result is not 0, and its name is a C string.
    unsafe {
        if libc::dladdr(stay as *const c_void, place.as_mut_ptr()) != 0 {
            let file = place.assume_init().dli_fname;
            libc::dlopen(file, libc::RTLD_NOW | libc::RTLD_NOLOAD | libc::RTLD_NODELETE);
        }
    }
}

unsafe extern "C" fn open(env: napi_env, _: napi_callback_info) -> napi_value {
    // SAFETY: Node calls.
    unsafe {
        match lanes::open() {
            Ok((_, bytes)) => number_of(env, bytes as f64),
            Err(error) => throw(env, &error.to_string()),
        }
    }
}

unsafe extern "C" fn window(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: Node calls.
    let [offset, bytes] = unsafe { arguments(env, info).map(|value| number(env, value)) };
    let found = lanes::open().ok();
    let Some((base, _)) = found.filter(|(_, all)| offset.checked_add(bytes).is_some_and(|end| end <= *all))
    else {
        // SAFETY: as above.
        return unsafe { throw(env, "a window lies in the segment, which is open") };
    };
    // SAFETY: as above; the memory is mapped as long as the process lives.
    unsafe {
        external(env, ptr::with_exposed_provenance_mut::<c_void>((base + offset) as usize), bytes as usize)
    }
}

/// An `ArrayBuffer` over memory that lives as long as the process. It throws where there are none.
///
/// # Safety
/// As [`arguments`].
unsafe fn external(env: napi_env, place: *mut c_void, bytes: usize) -> napi_value {
    let mut made = ptr::null_mut();
    // SAFETY: the caller's promise.
    unsafe {
        match napi_create_external_arraybuffer(env, place, bytes, None, ptr::null_mut(), &mut made) {
            Status::napi_ok => made,
            _ => throw(env, "this JavaScript has no memory but its own"),
        }
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

unsafe extern "C" fn pass(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: Node calls, here and in all that follow.
    unsafe {
        let [lane] = arguments(env, info);
        lanes::pass(number(env, lane));
        undefined(env)
    }
}

unsafe extern "C" fn ring(env: napi_env, _: napi_callback_info) -> napi_value {
    lanes::ring();
    // SAFETY: as in `pass`.
    unsafe { undefined(env) }
}

unsafe extern "C" fn wait_for(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: as in `pass`.
    unsafe {
        let [lane] = arguments(env, info);
        truth(env, lanes::wait_for(number(env, lane)))
    }
}

unsafe extern "C" fn use_lanes(env: napi_env, _: napi_callback_info) -> napi_value {
    lanes::use_all();
    // SAFETY: as in `pass`.
    unsafe { undefined(env) }
}

unsafe extern "C" fn look(env: napi_env, _: napi_callback_info) -> napi_value {
    // SAFETY: as in `pass`.
    unsafe { number_of(env, lanes::ready(Wait::Not).into()) }
}

unsafe extern "C" fn spin(env: napi_env, _: napi_callback_info) -> napi_value {
    // SAFETY: as in `pass`.
    unsafe { number_of(env, lanes::ready(Wait::Spin).into()) }
}

unsafe extern "C" fn wait(env: napi_env, _: napi_callback_info) -> napi_value {
    // SAFETY: as in `pass`.
    unsafe { number_of(env, lanes::ready(Wait::Endless).into()) }
}
