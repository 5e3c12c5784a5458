//! The virtual machine of a program in Java that has loaded us: it runs already, and is never started here.

use super::{machine, natives, table};
use jni_sys::{JNIEnv, jclass, jlong};
use std::ffi::CString;

/// The method `table` of `upcall.Embedded`: the address of the guest's table. Throws an `UnsatisfiedLinkError` where these
/// classes and this library do not belong together.
///
/// # Safety
/// Java calls it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_upcall_Embedded_table(env: *mut JNIEnv, _class: jclass) -> jlong {
    // SAFETY: this thread's environment; the loader of the class that calls finds the SDK's other classes.
    let taken =
        unsafe { machine::take(env).and_then(|()| table::find(env)).and_then(|()| natives::register(env)) };
    match taken {
        Ok(()) => (&raw const table::TABLE).expose_provenance() as jlong,
        Err(what) => {
            // SAFETY: as above.
            unsafe {
                refuse(env, &format!("use upcall.jar with libupcall: {what}; run `cargo xtask build`"))
            };
            0
        }
    }
}

/// # Safety
/// `env` is this thread's.
unsafe fn refuse(env: *mut JNIEnv, message: &str) {
    let text = CString::new(message).unwrap_or_default();
    // SAFETY: the caller's promise; texts that end with zero; the functions are there since JNI 1.2.
    unsafe {
        if let (Some(find), Some(throw)) = ((**env).FindClass, (**env).ThrowNew) {
            let class = find(env, c"java/lang/UnsatisfiedLinkError".as_ptr());
            if !class.is_null() {
                throw(env, class, text.as_ptr());
            }
        }
    }
}
