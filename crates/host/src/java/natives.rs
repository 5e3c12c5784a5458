//! What Java calls: functions of an engine, by address. The methods of `upcall.Calls.Host`.

use super::{machine, table};
use jni_sys::{JNI_OK, JNIEnv, JNINativeMethod, jint, jlong, jobject};
use std::ffi::{CStr, c_void};
use upcall_abi::{FrameHead, Status, prefetch};

/// Gives the methods their code. Or says what is missing.
///
/// # Safety
/// `env` is this thread's.
pub(super) unsafe fn register(env: *mut JNIEnv) -> Result<(), String> {
    let method = |name: &'static CStr, signature: &'static CStr, function: *mut c_void| JNINativeMethod {
        name: name.as_ptr().cast_mut(),
        signature: signature.as_ptr().cast_mut(),
        fnPtr: function,
    };
    let methods = [
        method(c"grow", c"(JJJ)I", grow as *mut c_void),
        method(c"ask", c"(JJJJ)I", ask as *mut c_void),
        method(c"log", c"(JJIJJ)V", log as *mut c_void),
        method(c"fetch", c"(JJJI)V", fetch as *mut c_void),
        method(c"complete", c"(JJI)V", complete as *mut c_void),
    ];
    // SAFETY: the caller's promise; the functions have the parameters that their signatures say, behind environment and object.
    unsafe {
        let class = table::class(env, c"upcall/Calls$Host")?;
        let register = (**env).RegisterNatives.ok_or("its virtual machine takes no native methods")?;
        let status = register(env, class, methods.as_ptr(), methods.len() as jint);
        if machine::thrown(env) || status != JNI_OK {
            return Err("upcall.Calls has other methods".into());
        }
    }
    Ok(())
}

/// A C function of which Java holds the address.
///
/// # Safety
/// It must be the address of such a function.
unsafe fn function<F: Copy>(address: jlong) -> F {
    const { assert!(size_of::<F>() == size_of::<usize>()) };
    let address = std::ptr::with_exposed_provenance::<c_void>(address as usize);
    // SAFETY: function pointers are as large as this one, and the caller says of which type it is.
    unsafe { std::mem::transmute_copy(&address) }
}

unsafe extern "system" fn grow(
    _: *mut JNIEnv,
    _: jobject,
    address: jlong,
    frame: jlong,
    need: jlong,
) -> jint {
    type Grow = unsafe extern "C" fn(*mut FrameHead, u64) -> Status;
    // SAFETY: `Output::grow` of this frame, which the driver has.
    unsafe { function::<Grow>(address)(std::ptr::with_exposed_provenance_mut(frame as usize), need as u64).0 }
}

unsafe extern "system" fn ask(
    _: *mut JNIEnv,
    _: jobject,
    address: jlong,
    context: jlong,
    query: jlong,
    found: jlong,
) -> jint {
    type Ask = unsafe extern "C" fn(*mut c_void, *const c_void, *mut c_void) -> Status;
    let at = |address: jlong| std::ptr::with_exposed_provenance_mut::<c_void>(address as usize);
    // SAFETY: a function of `PoolServices` and its context; the driver has room for what it is asked and finds.
    unsafe { function::<Ask>(address)(at(context), at(query), at(found)).0 }
}

unsafe extern "system" fn log(
    _: *mut JNIEnv,
    _: jobject,
    address: jlong,
    context: jlong,
    level: jint,
    text: jlong,
    len: jlong,
) {
    type Log = unsafe extern "C" fn(*mut c_void, u32, *const u8, u64);
    let (context, text) = (context as usize, text as usize);
    // SAFETY: `Services::log` and its context; the driver has written the text.
    unsafe {
        function::<Log>(address)(
            std::ptr::with_exposed_provenance_mut(context),
            level as u32,
            std::ptr::with_exposed_provenance(text),
            len as u64,
        );
    }
}

unsafe extern "system" fn fetch(
    _: *mut JNIEnv,
    _: jobject,
    places: jlong,
    count: jlong,
    base: jlong,
    bytes: jint,
) {
    let places = std::ptr::with_exposed_provenance::<u32>(places as usize);
    for index in 0..count as usize {
        // SAFETY: the driver has looked that the frame has so many of them.
        let place = unsafe { places.add(index).read() } as usize;
        let at = (base as usize).wrapping_add(place.wrapping_mul(bytes as usize));
        prefetch(std::ptr::with_exposed_provenance::<u8>(at));
    }
}

unsafe extern "system" fn complete(_: *mut JNIEnv, _: jobject, address: jlong, frame: jlong, status: jint) {
    type Complete = unsafe extern "C" fn(*mut FrameHead, Status);
    // SAFETY: `FrameHead::complete` of this frame, which the driver had answered with PENDING; called once.
    unsafe {
        function::<Complete>(address)(std::ptr::with_exposed_provenance_mut(frame as usize), Status(status))
    }
}
