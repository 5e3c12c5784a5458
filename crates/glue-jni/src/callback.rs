//! Java's functions that native code calls.
//!
//! Native code knows a callback by a slot of a pool of trampolines. The slot's number is a reference to a cell of Java's,
//! which holds the function while it is open, and is used again for others: slots are never released. A function that
//! native code keeps, and says when it forgets it, has a number of Java's instead, which native code passes back.

use super::machine::{environment, thrown};
use super::slots::Signature;
use jni_sys::{JNIEnv, jclass, jmethodID, jobject, jstring, jvalue};
use std::ffi::{CStr, c_char, c_void};
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

impl Target {
    /// Finds a static method of a class, which stays loaded from now on.
    unsafe fn find(
        &self,
        env: *mut JNIEnv,
        class: jclass,
        name: &CStr,
        signature: *const c_char,
    ) -> Option<()> {
        // SAFETY: Java's environment and class; the method is there, as it is generated with this.
        unsafe {
            let method = (**env).GetStaticMethodID?(env, class, name.as_ptr(), signature);
            let class = (**env).NewGlobalRef?(env, class);
            self.class.store(class.cast(), Ordering::Release);
            self.method.store(method.cast(), Ordering::Release);
        }
        Some(())
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
            let found = target.find(env, class, c"upcall", text);
            (**env).ReleaseStringUTFChars?(env, signature, text);
            found?;
        }
        // One serves all that are kept.
        if let Some(trampoline) = callback.signature.shared() {
            return Some(trampoline.0 as usize);
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

/// What takes a kept function back: the method `release` of the class that keeps them.
static RELEASE: Target = Target::new();

/// The address of what native code calls to release a function of this class's.
pub unsafe fn release(env: *mut JNIEnv, class: jclass) -> usize {
    // SAFETY: Java's arguments.
    match unsafe { RELEASE.find(env, class, c"release", c"(J)V".as_ptr()) } {
        Some(()) => released as *const () as usize,
        None => 0,
    }
}

/// Tells Java, on any thread, that native code has forgotten a function.
unsafe extern "C" fn released(context: *mut c_void) {
    // SAFETY: the method was found before any function was passed.
    unsafe {
        upcall(&RELEASE, 0, |env, class, method, _| {
            let arguments = [jvalue { j: context as i64 }];
            if let Some(call) = (**env).CallStaticVoidMethodA {
                call(env, class, method, arguments.as_ptr());
                thrown(env);
            }
        });
    }
}
