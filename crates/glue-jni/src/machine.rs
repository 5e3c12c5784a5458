//! The virtual machine, as each thread sees it.

use jni_sys::{JNI_EDETACHED, JNI_OK, JNI_VERSION_1_8, JNIEnv, JavaVM, jint};
use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

static VM: AtomicPtr<JavaVM> = AtomicPtr::new(ptr::null_mut());

/// Remembers the machine that has loaded this library. Returns the version of JNI that is needed.
pub unsafe fn loaded(vm: *mut JavaVM) -> jint {
    VM.store(vm, Ordering::Release);
    JNI_VERSION_1_8
}

/// A value as another type of the same size.
#[inline(always)]
pub unsafe fn take<F, T>(from: F) -> T {
    const { assert!(size_of::<F>() == size_of::<T>()) };
    // SAFETY: of one size, and the generated code says what the bytes are.
    unsafe { std::mem::transmute_copy(&from) }
}

/// Detaches a thread that was not Java's when it ends.
struct Attached;

impl Drop for Attached {
    fn drop(&mut self) {
        let vm = VM.load(Ordering::Acquire);
        // SAFETY: this thread was attached, and runs no Java now.
        unsafe {
            if let Some(detach) = (**vm).DetachCurrentThread {
                detach(vm);
            }
        }
    }
}

thread_local!(static ATTACHED: RefCell<Option<Attached>> = const { RefCell::new(None) });

/// This thread's environment: one that is not Java's is attached until it ends.
pub unsafe fn environment() -> Option<*mut JNIEnv> {
    let vm = VM.load(Ordering::Acquire);
    let mut env: *mut c_void = ptr::null_mut();
    // SAFETY: the machine that has loaded this library.
    unsafe {
        match (**vm).GetEnv?(vm, &mut env, JNI_VERSION_1_8) {
            JNI_OK => Some(env.cast()),
            JNI_EDETACHED => {
                if (**vm).AttachCurrentThreadAsDaemon?(vm, &mut env, ptr::null_mut()) != JNI_OK {
                    return None;
                }
                ATTACHED.with(|attached| *attached.borrow_mut() = Some(Attached));
                Some(env.cast())
            }
            _ => None,
        }
    }
}

/// Whether Java has thrown; it is forgotten.
#[inline(always)]
pub unsafe fn thrown(env: *mut JNIEnv) -> bool {
    // SAFETY: the environment of this thread.
    unsafe {
        let thrown = (**env).ExceptionCheck.is_some_and(|check| check(env) != 0);
        if thrown && let Some(clear) = (**env).ExceptionClear {
            clear(env);
        }
        thrown
    }
}
