//! The module: what index.js finds in it besides the library's functions. The names begin with `$`.

use super::callback;
use super::held;
use super::slots::Signature;
use super::value::*;
use std::ffi::{CStr, c_void};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::Once;

/// A function of the module.
pub struct Function {
    /// Its name in JavaScript.
    pub name: &'static CStr,
    /// What Node calls.
    pub call: unsafe extern "C" fn(napi_env, napi_callback_info) -> napi_value,
}

thread_local! {
    static NATIVE_ERROR: std::cell::Cell<napi_ref> = const { std::cell::Cell::new(ptr::null_mut()) };
}

/// What Node calls when it loads the module.
pub unsafe fn register(env: napi_env, exports: napi_value, functions: &[Function]) -> napi_value {
    static LOADED: Once = Once::new();
    const OWN: &[Function] = &[
        Function { name: c"$memory", call: memory },
        Function { name: c"$address", call: address },
        Function { name: c"$copy", call: copy },
        Function { name: c"$text", call: text },
        Function { name: c"$detach", call: detach },
        Function { name: c"$free", call: free },
        Function { name: c"$retain", call: retain },
        Function { name: c"$release", call: release },
    ];
    // SAFETY: Node's own environment; its symbols stay loaded as long as the process runs.
    unsafe {
        LOADED.call_once(|| std::mem::forget(setup()));
        for function in OWN.iter().chain(functions) {
            let mut made = ptr::null_mut();
            let len = function.name.count_bytes() as isize;
            napi_create_function(
                env,
                function.name.as_ptr(),
                len,
                Some(function.call),
                ptr::null_mut(),
                &mut made,
            );
            napi_set_named_property(env, exports, function.name.as_ptr(), made);
        }
    }
    exports
}

/// The function `$open(path, exchange, NativeError, worker)`: opens the library, on a worker thread of Node's or not, and returns
/// the addresses of its variables.
pub unsafe fn open(
    env: napi_env,
    info: napi_callback_info,
    begin: fn(Option<&Path>) -> Result<Vec<*const c_void>, String>,
) -> napi_value {
    static OPEN: Info = Info { name: "open", params: &["path", "exchange", "error", "worker"] };
    // SAFETY: called by index.js.
    unsafe {
        run(env, info, |[path, exchange, class, worker]| {
            let mut ty = 0;
            napi_typeof(env, path, &mut ty);
            let path = if ty == ValueType::napi_undefined {
                None
            } else {
                Some(PathBuf::from(take_string(env, path, At(&OPEN, 0))?))
            };
            let variables = begin(path.as_deref()).map_err(|message| error(env, &message))?;
            callback::open(env, take_bool(env, worker, At(&OPEN, 3))? != 0);
            callback::exchange(take_address::<u8>(env, exchange, At(&OPEN, 1))? as usize);
            let mut reference = ptr::null_mut();
            napi_create_reference(env, class, 1, &mut reference);
            NATIVE_ERROR.set(reference);
            let mut list = ptr::null_mut();
            napi_create_array_with_length(env, variables.len(), &mut list);
            for (index, variable) in variables.into_iter().enumerate() {
                napi_set_element(env, list, index as u32, give_address(env, variable)?);
            }
            Ok(list)
        })
    }
}

/// Throws what a function reported, and releases it: as `own`, a property of `NativeError`, if it is of the function's
/// own error type.
#[cold]
pub unsafe fn failed(
    env: napi_env,
    message: (*const u8, usize),
    code: i32,
    own: Option<&CStr>,
    release: impl FnOnce(),
) -> Thrown {
    // SAFETY: the library's promise.
    unsafe {
        let text = give_str(env, message.0, message.1);
        release();
        let (Ok(text), Ok(number)) = (text, give_i32(env, code)) else { return Thrown };
        let (mut class, mut thrown) = (ptr::null_mut(), ptr::null_mut());
        napi_get_reference_value(env, NATIVE_ERROR.get(), &mut class);
        if let Some(own) = own.filter(|_| code >= 0) {
            let all = class;
            napi_get_named_property(env, all, own.as_ptr(), &mut class);
        }
        napi_new_instance(env, class, 2, [text, number].as_ptr(), &mut thrown);
        napi_throw(env, thrown);
    }
    Thrown
}

/// The function `$function(kind, number)`: the address of a function in a field that calls a `Callback`.
pub unsafe fn function(env: napi_env, info: napi_callback_info, of: &[&'static Signature]) -> napi_value {
    // SAFETY: called by runtime.js.
    unsafe {
        run(env, info, |[kind, number]| {
            let kind = take_usize(env, kind, At(&OWN, 1))?;
            give_address(env, callback::address(env, number, of[kind], At(&OWN, 0))?)
        })
    }
}

static OWN: Info = Info { name: "memory", params: &["address", "length", "to", "length"] };

/// An `ArrayBuffer` over native memory.
unsafe extern "C" fn memory(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: called by runtime.js.
    unsafe {
        run(env, info, |[address, len]| {
            let data: *mut c_void = take_address(env, address, At(&OWN, 0))?;
            let len = take_usize(env, len, At(&OWN, 1))?;
            let mut buffer = ptr::null_mut();
            if napi_create_external_arraybuffer(env, data, len, None, ptr::null_mut(), &mut buffer) != 0 {
                return Err(error(env, "this runtime cannot map native memory"));
            }
            Ok(buffer)
        })
    }
}

/// The address of an `ArrayBuffer`'s or a typed array's memory.
unsafe extern "C" fn address(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: called by runtime.js.
    unsafe {
        run(env, info, |[of]| {
            let (mut data, mut len) = (ptr::null_mut(), 0);
            let mut ty = 0;
            let found = napi_get_arraybuffer_info(env, of, &mut data, &mut len) == 0
                || napi_get_typedarray_info(
                    env,
                    of,
                    &mut ty,
                    ptr::null_mut(),
                    &mut data,
                    ptr::null_mut(),
                    ptr::null_mut(),
                ) == 0
                || napi_get_dataview_info(env, of, &mut len, &mut data, ptr::null_mut(), ptr::null_mut())
                    == 0;
            if !found {
                return Err(type_error(env, "this value has no address"));
            }
            if data.is_null() && detached(env, of) {
                return Err(type_error(env, "this memory was released or transferred, so it has no address"));
            }
            give_address(env, data)
        })
    }
}

/// Copies native memory.
unsafe extern "C" fn copy(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: called by runtime.js; the address is the user's promise.
    unsafe {
        run(env, info, |[from, to, len]| {
            let from: *mut u8 = take_address(env, from, At(&OWN, 0))?;
            let to: *mut u8 = take_address(env, to, At(&OWN, 2))?;
            if from.is_null() {
                return Err(type_error(env, "read: the address is null"));
            }
            to.copy_from(from, take_usize(env, len, At(&OWN, 3))?);
            nothing(env)
        })
    }
}

/// The text at an address, up to its zero or so many bytes.
unsafe extern "C" fn text(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: called by runtime.js; the address is the user's promise, and no byte behind the zero is read.
    unsafe {
        run(env, info, |[from, max]| {
            let from: *mut u8 = take_address(env, from, At(&OWN, 0))?;
            let max = take_usize(env, max, At(&OWN, 1))?;
            let mut len = 0;
            while len < max && *from.add(len) != 0 {
                len += 1;
            }
            give_str(env, from, len)
        })
    }
}

unsafe extern "C" fn detach(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: called by runtime.js.
    unsafe {
        run(env, info, |[buffer]| {
            napi_detach_arraybuffer(env, buffer);
            nothing(env)
        })
    }
}

/// Calls the function that releases a buffer.
unsafe extern "C" fn free(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: called by runtime.js with what an owned buffer holds, once.
    unsafe {
        run(env, info, |[function, data, len, capacity]| {
            let function: *mut c_void = take_address(env, function, At(&OWN, 0))?;
            let data: *mut c_void = take_address(env, data, At(&OWN, 0))?;
            let (len, capacity) =
                (take_usize(env, len, At(&OWN, 1))?, take_usize(env, capacity, At(&OWN, 1))?);
            held::forget(data);
            let function: held::Free = std::mem::transmute(function);
            function(data, len, capacity);
            nothing(env)
        })
    }
}

unsafe extern "C" fn retain(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: called by runtime.js.
    unsafe {
        run(env, info, |[function, name]| {
            let name = take_string(env, name, At(&OWN, 0))?;
            give_f64(env, callback::retain(env, function, name)?)
        })
    }
}

unsafe extern "C" fn release(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: called by runtime.js.
    unsafe {
        run(env, info, |[number]| {
            callback::release(env, take_f64(env, number, At(&OWN, 0))? as usize);
            nothing(env)
        })
    }
}
