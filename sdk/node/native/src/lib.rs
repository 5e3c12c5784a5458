//! The native part of Upcall for Node, as a Node-API module: the memory that a handler shares with its engine, and whose turn
//! it is. The engine is in another process, or in this one (`embedded`).
//!
//! It is a crate of its own because Node loads it; all else that makes a driver is TypeScript, beside it. It gives
//! a handler's process these functions:
//!
//! - `open()`: takes the segment that this process was started with, and says how many bytes it has.
//! - `window(offset, bytes)`: an `ArrayBuffer` over a part of it; `detach(buffer)` ends one, and every view of it.
//! - `pass(lane)`, `waitFor(lane)`: gives a lane to the engine, and waits until it is ours again. `ring()` wakes the engine for all
//!   lanes but the first that were passed since.
//! - `useLanes()`: from now on calls come on all lanes.
//! - `look()`, `spin()`, `wait()`: how many lanes have a call, now, within a moment or as long as it takes; `ready` is the
//!   memory that says which.
//! - `onReady(callback)`, `waitBeside()`: waits on another thread, so that the event loop runs, and calls back with what `wait`
//!   returns.
#![cfg(target_os = "linux")]

mod beside;
mod embedded;
mod gather;
mod lanes;
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
