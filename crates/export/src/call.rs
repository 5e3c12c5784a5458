use crate::Scope;
use std::fmt::Display;
use std::mem::MaybeUninit;
use upcall_abi::caught::caught;
use upcall_abi::{Failure, Invalid};

/// Why a call has no result.
pub struct Fault {
    code: i32,
    message: String,
}

impl Fault {
    /// The function's own error.
    #[cold]
    pub fn of(error: &impl Display, code: i32) -> Fault {
        Fault { code, message: error.to_string() }
    }

    /// An argument that is not a value of its type.
    #[cold]
    pub(super) fn invalid(argument: &str, why: Invalid) -> Fault {
        Fault { code: Failure::INVALID_ARGUMENT, message: format!("argument `{argument}`: {why}") }
    }

    /// Two arguments that may not share their bytes.
    #[cold]
    pub(super) fn overlap(first: &str, second: &str) -> Fault {
        let message =
            format!("arguments `{first}` and `{second}` overlap, and the function writes to one of them");
        Fault { code: Failure::INVALID_ARGUMENT, message }
    }

    /// A handle that another call excludes.
    #[cold]
    pub(super) fn in_use(message: &str) -> Fault {
        Fault { code: Failure::IN_USE, message: message.to_owned() }
    }
}

/// Runs a shim's body. It is the one barrier between exported functions and their callers: nothing unwinds
/// out of it.
///
/// # Safety
/// - `failure` must be null or the address of a pointer that may be written.
/// - Any bytes of its size must be an `R`.
#[inline]
pub unsafe fn call<R>(failure: *mut *mut Failure, body: impl FnOnce(&Scope) -> Result<R, Fault>) -> R {
    let fault = match caught(|| body(&Scope::new())) {
        Ok(Ok(value)) => return value,
        Ok(Err(fault)) => fault,
        Err(message) => Fault { code: Failure::PANICKED, message },
    };
    // SAFETY: the caller's promise.
    unsafe { report(failure, fault) };
    // SAFETY: zeroes are an `R`, the caller says.
    unsafe { MaybeUninit::zeroed().assume_init() }
}

/// # Safety
/// `failure` must be null or the address of a pointer that may be written.
#[cold]
unsafe fn report(failure: *mut *mut Failure, fault: Fault) {
    if !failure.is_null() {
        // SAFETY: the caller's promise.
        unsafe { failure.write(Failure::boxed(fault.code, fault.message)) };
    }
}

/// Frees a failure and its message. Every library that exports functions has this symbol.
///
/// # Safety
/// `failure` must be null or come from a function of this library, and not have been released before.
// SAFETY: the name is Upcall's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn upcall_failure_release(failure: *mut Failure) {
    // SAFETY: the caller's promise.
    unsafe { Failure::release(failure) }
}
