//! Java's functions that native code calls.
//!
//! Native code knows a callback by a slot of a pool of trampolines. The slot's number is a reference to a cell of Java's,
//! which holds the function while it is open, and is used again for others: slots are never released.

use super::machine::environment;
use super::slots::Signature;
use jni_sys::{JNIEnv, jclass, jmethodID, jobject, jstring};
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// One kind of callback.
pub struct Callback {
    /// Its trampolines.
    pub signature: &'static Signature,
    /// What these call.
    pub target: &'static Target,
}

/// A static method of Java.
pub struct Target {
    class: AtomicPtr<c_void>,
    method: AtomicPtr<c_void>,
}

impl Target {
    /// One that is found when it is needed first.
    #[must_use]
    pub const fn new() -> Target {
        Target { class: AtomicPtr::new(ptr::null_mut()), method: AtomicPtr::new(ptr::null_mut()) }
    }
}

impl Default for Target {
    fn default() -> Target {
        Target::new()
    }
}

/// Calls Java for a trampoline. Java catches what is thrown; what is thrown even so is dropped.
#[inline(always)]
pub unsafe fn upcall(
    target: &Target,
    number: usize,
    call: impl FnOnce(*mut JNIEnv, jclass, jmethodID, jobject),
) {
    // SAFETY: the slot was taken, so the number is its cell, and the class and the method are set.
    unsafe {
        let Some(env) = environment() else { return };
        let (class, method) = (target.class.load(Ordering::Acquire), target.method.load(Ordering::Acquire));
        call(env, class.cast(), method.cast(), number as jobject);
    }
}

/// The address of a trampoline that calls the class's method `upcall` with this cell, if a slot is free.
pub unsafe fn stub(
    env: *mut JNIEnv,
    callback: &Callback,
    cell: jobject,
    class: jclass,
    signature: jstring,
) -> Option<usize> {
    // SAFETY: Java's arguments; the method is there, as it is generated with this.
    unsafe {
        let target = callback.target;
        if target.method.load(Ordering::Acquire).is_null() {
            let text = (**env).GetStringUTFChars?(env, signature, ptr::null_mut());
            let method = (**env).GetStaticMethodID?(env, class, c"upcall".as_ptr(), text);
            (**env).ReleaseStringUTFChars?(env, signature, text);
            let class = (**env).NewGlobalRef?(env, class);
            target.class.store(class.cast(), Ordering::Release);
            target.method.store(method.cast(), Ordering::Release);
        }
        let cell = (**env).NewGlobalRef?(env, cell);
        match callback.signature.take(cell as usize) {
            Some(slot) => Some(callback.signature.at(slot).0 as usize),
            None => {
                (**env).DeleteGlobalRef?(env, cell);
                None
            }
        }
    }
}
