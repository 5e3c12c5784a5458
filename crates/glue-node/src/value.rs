//! Between JavaScript's values and the mirror's: how a function runs, and its errors about arguments.

use std::ffi::CString;
use std::ptr;

pub use super::give::*;
pub use super::take::*;
pub use napi_sys::*;

/// An exception is set in the environment.
pub struct Thrown;

/// The result of converting a value.
pub type Outcome<T> = Result<T, Thrown>;

/// The names of a function and of its arguments, for messages.
pub struct Info {
    /// The function's.
    pub name: &'static str,
    /// Those of the arguments, in order.
    pub params: &'static [&'static str],
}

/// One argument of a function.
#[derive(Clone, Copy)]
pub struct At(pub &'static Info, pub usize);

impl At {
    /// Which argument of what.
    pub fn subject(self) -> String {
        match self.0.params.get(self.1) {
            Some(param) => format!("{}: argument {param}", self.0.name),
            None => format!("{}: the result", self.0.name),
        }
    }

    /// A `TypeError` that says what the argument must be.
    #[cold]
    pub unsafe fn wrong_type(self, env: napi_env, wanted: &str) -> Thrown {
        // SAFETY: the caller's environment.
        unsafe { type_error(env, &format!("{} must be {wanted}", self.subject())) }
    }

    /// A `RangeError`.
    #[cold]
    pub unsafe fn out_of_range(self, env: napi_env, what: &str) -> Thrown {
        // SAFETY: the caller's environment.
        unsafe { range_error(env, &format!("{} {what}", self.subject())) }
    }
}

/// Functions that set an error with a message.
macro_rules! errors {
    ($($(#[$docs:meta])* $name:ident = $throw:ident;)*) => {$(
        $(#[$docs])*
        #[cold]
        pub unsafe fn $name(env: napi_env, message: &str) -> Thrown {
            let message = CString::new(message.replace('\0', "")).unwrap_or_default();
            // SAFETY: the caller's environment.
            unsafe { $throw(env, ptr::null(), message.as_ptr()) };
            Thrown
        }
    )*};
}

errors! {
    /// Sets a `TypeError`.
    type_error = napi_throw_type_error;
    /// Sets a `RangeError`.
    range_error = napi_throw_range_error;
    /// Sets an `Error`.
    error = napi_throw_error;
}

/// Runs a function's body with its arguments; missing ones are `undefined`.
#[inline(always)]
pub unsafe fn run<const N: usize>(
    env: napi_env,
    info: napi_callback_info,
    body: impl FnOnce([napi_value; N]) -> Outcome<napi_value>,
) -> napi_value {
    let mut given = [ptr::null_mut(); N];
    let mut count = N;
    // SAFETY: called by JavaScript with these.
    unsafe {
        if N > 0 {
            napi_get_cb_info(env, info, &mut count, given.as_mut_ptr(), ptr::null_mut(), ptr::null_mut());
        }
    }
    body(given).unwrap_or(ptr::null_mut())
}

/// The largest integer up to which a number holds all integers exactly.
pub const SAFE: f64 = 9007199254740991.0;
