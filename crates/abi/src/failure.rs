use crate::Text;

/// What an exported function reports instead of a result, always behind a pointer.
///
/// The function's last parameter is the address of such a pointer, which is null before the call. When it is
/// not null afterwards the call has failed and its result is all zeroes. The caller reads message and
/// code, and releases the failure with the symbol [`FAILURE_RELEASE_SYMBOL`] of the library it came from.
#[repr(C)]
#[derive(Debug)]
pub struct Failure {
    /// What went wrong. It is released with the failure, not by itself.
    pub message: Text,
    /// The error's own number, or one of the constants here.
    pub code: i32,
}

crate::layout::layout!(local Failure: 40, 8 { message: 0, code: 32 });

/// The symbol of the function that releases a failure: it takes a `*mut Failure`, which may be null.
///
/// Each library that exports functions has its own.
pub const FAILURE_RELEASE_SYMBOL: &str = "upcall_failure_release";

impl Failure {
    /// An error that has no number of its own.
    pub const FAILED: i32 = 1;
    /// The function panicked.
    pub const PANICKED: i32 = -1;
    /// An argument is not a value of its type.
    pub const INVALID_ARGUMENT: i32 = -2;
    /// A handle is in use by a call that excludes this one.
    pub const IN_USE: i32 = -3;

    /// A failure on the heap, to be released with [`Failure::release`].
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn boxed(code: i32, message: alloc::string::String) -> *mut Failure {
        alloc::boxed::Box::into_raw(alloc::boxed::Box::new(Failure { message: message.into(), code }))
    }

    /// Frees what [`Failure::boxed`] made, message and all.
    ///
    /// # Safety
    /// `failure` must be null or come from [`Failure::boxed`] of the same library, and not have been released
    /// before.
    #[cfg(feature = "alloc")]
    pub unsafe fn release(failure: *mut Failure) {
        if !failure.is_null() {
            // SAFETY: the caller's promise.
            unsafe { alloc::boxed::Box::from_raw(failure).message.free() }
        }
    }
}
