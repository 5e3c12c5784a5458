//! For `bench/embed/node`: the measuring is on a thread of its own, as handlers in JavaScript are called on the event loop's.

use crate::upcall_bench_given;
use napi_sys::{napi_callback, napi_callback_info, napi_env, napi_value};
use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::Mutex;
use upcall_abi::GuestTable;

static RESULT: Mutex<Option<f64>> = Mutex::new(None);

/// Node calls it when it loads the library.
///
/// # Safety
/// Only Node calls it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn napi_register_module_v1(env: napi_env, exports: napi_value) -> napi_value {
    // SAFETY: this process is Node's.
    std::mem::forget(unsafe { napi_sys::setup() });
    let functions: [(&CStr, napi_callback); 2] = [(c"start", Some(start)), (c"result", Some(result))];
    for (name, call) in functions {
        let mut function = ptr::null_mut();
        // SAFETY: Node's own environment and object, and functions of Node's form.
        unsafe {
            napi_sys::napi_create_function(env, name.as_ptr(), -1, call, ptr::null_mut(), &mut function);
            napi_sys::napi_set_named_property(env, exports, name.as_ptr(), function);
        }
    }
    exports
}

/// `start(table, module, batch)`.
unsafe extern "C" fn start(env: napi_env, info: napi_callback_info) -> napi_value {
    let (mut values, mut count) = ([ptr::null_mut(); 3], 3);
    let mut numbers = [0.0; 3];
    // SAFETY: Node calls; there is a place for each.
    unsafe {
        napi_sys::napi_get_cb_info(
            env,
            info,
            &mut count,
            values.as_mut_ptr(),
            ptr::null_mut(),
            ptr::null_mut(),
        );
        for (value, number) in values.into_iter().zip(&mut numbers) {
            napi_sys::napi_get_value_double(env, value, number);
        }
    }
    let [table, module, batch] = numbers.map(|number| number as usize);
    std::thread::spawn(move || {
        let (table, module) = (table as *const GuestTable, module as *mut c_void);
        // SAFETY: the program gives what the SDK has made.
        let nanos = unsafe { upcall_bench_given(c"node".as_ptr(), table, module, batch as u32) };
        *RESULT.lock().expect("nobody panics with it") = Some(nanos);
    });
    ptr::null_mut()
}

/// `result()`: what has been measured, once.
unsafe extern "C" fn result(env: napi_env, _: napi_callback_info) -> napi_value {
    let Some(nanos) = RESULT.lock().expect("nobody panics with it").take() else { return ptr::null_mut() };
    let mut value = ptr::null_mut();
    // SAFETY: Node calls.
    unsafe { napi_sys::napi_create_double(env, nanos, &mut value) };
    value
}
