//! Python functions that native code keeps: it says when it forgets one, so it needs no number.
//!
//! What native code passes back is the callable itself, of which it has a reference. That goes back on any thread, which
//! must not wait for the GIL there, as whoever holds it may be waiting for the thread; nor may the callable end there,
//! as what ends with it may call the library that is just letting it go. So it is put into a queue, which Python empties.

use super::callback::{self, Inside, Waiting};
use super::ffi::*;
use std::ffi::{c_int, c_void};
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};
use std::{mem, ptr};

/// Callables that were released and still have their reference.
static RELEASED: Mutex<Vec<usize>> = Mutex::new(Vec::new());
/// Whether there are any.
static ANY: AtomicBool = AtomicBool::new(false);

/// A callable on its way to native code.
pub struct Kept(Obj);

impl Kept {
    /// The context that native code passes back. It has the reference from here on.
    #[inline(always)]
    pub fn context(self) -> *mut c_void {
        ManuallyDrop::new(self).0.cast()
    }
}

impl Drop for Kept {
    /// Without the call that it was for.
    fn drop(&mut self) {
        callback::live(-1);
        // SAFETY: the GIL is held, and the reference was not given away.
        unsafe { decref(self.0) };
    }
}

/// A callable that native code is about to be given. From now on calls release the GIL, as other threads may call it.
#[inline(always)]
pub unsafe fn take(object: Obj, at: &'static At) -> Outcome<Kept> {
    // SAFETY: the object is alive.
    unsafe {
        if PyCallable_Check(object) == 0 {
            return Err(at.wrong_type(c"a callable", object));
        }
        incref(object);
    }
    callback::live(1);
    Ok(Kept(object))
}

/// Takes a callable back from native code, on any thread.
pub unsafe extern "C" fn release(context: *mut c_void) {
    // Where Python is about to end, or has ended, nothing of it is touched.
    if let Some(_waiting) = Waiting::begin() {
        let mut released = RELEASED.lock().unwrap_or_else(PoisonError::into_inner);
        released.push(context as usize);
        drop(released);
        // One that has no room in Python's own queue is found at the end of the next call.
        if !ANY.swap(true, SeqCst) {
            // SAFETY: any thread may do this while Python runs, which does not end while one waits.
            unsafe { Py_AddPendingCall(Some(empty), ptr::null_mut()) };
        }
    }
    callback::live(-1);
}

/// Lets go of what was released.
extern "C" fn empty(_: *mut c_void) -> c_int {
    // SAFETY: Python calls it with the GIL, between two instructions.
    unsafe { forget() };
    0
}

/// Whether something is to be let go of.
#[inline(always)]
pub fn any() -> bool {
    ANY.load(SeqCst)
}

/// Lets go of what was released, where the GIL is held and no native call is waited for.
#[cold]
pub unsafe fn forget() {
    ANY.store(false, SeqCst);
    let released = mem::take(&mut *RELEASED.lock().unwrap_or_else(PoisonError::into_inner));
    for callable in released {
        // SAFETY: the reference that native code had.
        unsafe { decref(callable as Obj) };
    }
}

/// Runs a callable as [`callback::call`] does, but for what it raises, which nobody is there to catch: that goes to
/// `sys.unraisablehook`.
#[inline(always)]
pub unsafe fn call<const N: usize, R: Copy>(
    context: usize,
    other: R,
    lends: bool,
    give: impl FnOnce(&mut [Obj; N]) -> Outcome<()>,
    take: impl FnOnce(Obj) -> Outcome<R>,
) -> R {
    let Some(_waiting) = Waiting::begin() else { return other };
    let now = callback::here();
    let next = if now == Inside::No { Inside::No } else { Inside::Calling };
    // SAFETY: Python is running; if this thread does not hold the GIL, it takes it. Native code has a reference.
    unsafe {
        let taken = (now != Inside::Attached).then(|| PyGILState_Ensure());
        let before = callback::inside(next);
        let callable = Ref::to(context as Obj);
        let result = callback::run(&callable, lends, give, take).unwrap_or_else(|Raised| {
            PyErr_WriteUnraisable(callable.0);
            other
        });
        drop(callable);
        before.restore();
        if let Some(state) = taken {
            PyGILState_Release(state);
        }
        result
    }
}
