//! What a kept callback is called with, and its end.

use std::ffi::c_void;

/// What takes a context back.
pub type Release = Option<unsafe extern "C" fn(*mut c_void)>;

/// The context of a kept callback, given back when this is dropped.
pub struct Owned {
    context: *mut c_void,
    release: Release,
}

// SAFETY: whoever passes a kept callback promises that it may be called, and its context released, on any thread.
unsafe impl Send for Owned {}
// SAFETY: as above, and that it may be called on several threads at once. Nothing here is changed until the end.
unsafe impl Sync for Owned {}

impl Owned {
    /// Takes the context over.
    ///
    /// # Safety
    /// It belongs to nobody else: `release` may be called with it, once and on any thread, and until then whatever
    /// the context was passed with, on any threads.
    #[inline]
    #[must_use]
    pub unsafe fn new(context: *mut c_void, release: Release) -> Owned {
        Owned { context, release }
    }

    /// The context.
    #[inline]
    #[must_use]
    pub fn context(&self) -> *mut c_void {
        self.context
    }
}

impl Drop for Owned {
    #[inline]
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it is this one's alone, and this is its end.
            unsafe { release(self.context) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    static RELEASED: AtomicUsize = AtomicUsize::new(0);

    unsafe extern "C" fn release(context: *mut c_void) {
        // SAFETY: the test's, once.
        drop(unsafe { Box::from_raw(context.cast::<u64>()) });
        RELEASED.fetch_add(1, Ordering::Relaxed);
    }

    #[test]
    fn the_last_thread_that_has_it_releases_it_once() {
        let context = Box::into_raw(Box::new(7_u64));
        // SAFETY: the box is given away here.
        let owned = Arc::new(unsafe { Owned::new(context.cast(), Some(release)) });
        thread::scope(|scope| {
            for _ in 0..4 {
                let owned = Arc::clone(&owned);
                // SAFETY: it is there until the last of them has dropped it.
                scope.spawn(move || assert_eq!(unsafe { *owned.context().cast::<u64>() }, 7));
            }
            drop(owned);
        });
        assert_eq!(RELEASED.load(Ordering::Relaxed), 1);
        // SAFETY: nothing is to be released.
        drop(unsafe { Owned::new(context.cast(), None) });
        assert_eq!(RELEASED.load(Ordering::Relaxed), 1);
    }
}
