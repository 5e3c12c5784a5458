//! What the class `NativeLibrary` calls.

use super::machine::take;
use jni_sys::{JNIEnv, jbyteArray, jlong, jobject, jstring};
use std::ffi::{CString, c_void};
use std::path::{Path, PathBuf};
use std::ptr;

/// Opens the library: null, or why it could not.
pub unsafe fn open(
    env: *mut JNIEnv,
    path: jbyteArray,
    open: fn(Option<&Path>) -> Result<(), String>,
) -> jstring {
    // SAFETY: Java's arguments.
    unsafe {
        let path = if path.is_null() { None } else { bytes(env, path) };
        let path = path.map(|path| PathBuf::from(String::from_utf8_lossy(&path).into_owned()));
        let Err(message) = open(path.as_deref()) else { return ptr::null_mut() };
        let message = CString::new(message.replace('\0', "?")).unwrap_or_default();
        (**env).NewStringUTF.map_or(ptr::null_mut(), |new| new(env, message.as_ptr()))
    }
}

unsafe fn bytes(env: *mut JNIEnv, array: jbyteArray) -> Option<Vec<u8>> {
    // SAFETY: an array of this call.
    unsafe {
        let len = (**env).GetArrayLength?(env, array);
        let mut bytes = vec![0u8; len as usize];
        (**env).GetByteArrayRegion?(env, array, 0, len, bytes.as_mut_ptr().cast());
        Some(bytes)
    }
}

/// Where a direct buffer's bytes are.
pub unsafe fn buffer_address(env: *mut JNIEnv, buffer: jobject) -> jlong {
    // SAFETY: Java's arguments.
    unsafe { (**env).GetDirectBufferAddress.map_or(0, |address| address(env, buffer) as jlong) }
}

/// A direct buffer over bytes: whoever reinterprets an address says how many there are.
pub unsafe fn buffer(env: *mut JNIEnv, address: jlong, size: jlong) -> jobject {
    // SAFETY: Java's arguments.
    unsafe {
        (**env).NewDirectByteBuffer.map_or(ptr::null_mut(), |new| new(env, address as *mut c_void, size))
    }
}

/// Releases the parts of a buffer, once.
pub unsafe fn release(function: jlong, data: jlong, length: jlong, capacity: jlong) {
    // SAFETY: the four parts of a buffer of the library's.
    unsafe {
        let function: unsafe extern "C" fn(*mut c_void, usize, usize) = take(function as usize);
        function(data as *mut c_void, length as usize, capacity as usize);
    }
}
