//! The native part of Upcall for Node, as a Node-API module: the memory that a handler's process shares with its engine, and
//! whose turn it is.
//!
//! It is a crate of its own because Node loads it; all else that makes a driver is TypeScript, beside it. It gives
//! JavaScript these functions:
//!
//! - `open()`: takes the segment that this process was started with, and says how many bytes it has.
//! - `window(offset, bytes)`: an `ArrayBuffer` over a part of it; `detach(buffer)` ends one, and every view of it.
//! - `pass()`, `spin()`, `wait()`: passes the turn, and waits for it for a moment or as long as it takes.
//! - `waitBeside(callback)`: waits on another thread, so that the event loop runs, and calls back with what `wait` returns.
#![cfg(target_os = "linux")]

mod module;
mod value;

use napi_sys::{napi_callback_info, napi_env, napi_value};

/// Called by Node when it loads the module.
///
/// # Safety
/// Only Node may call it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn napi_register_module_v1(env: napi_env, exports: napi_value) -> napi_value {
    // SAFETY: the caller's promise.
    unsafe { module::register(env, exports) }
}

type Function = unsafe extern "C" fn(napi_env, napi_callback_info) -> napi_value;
