//! The library of `tests/exported`, built and opened, and its functions called as C calls them.

use std::path::PathBuf;
use std::process::Command;
use std::ptr::null_mut;
use std::sync::OnceLock;
use upcall_abi::{FAILURE_RELEASE_SYMBOL, Failure};

/// The address of an exported function. What it is used as is the caller's promise.
#[track_caller]
pub fn symbol<F: Copy>(name: &str) -> F {
    static LIBRARY: OnceLock<libloading::Library> = OnceLock::new();
    // SAFETY: nothing runs when it is opened.
    let library = LIBRARY.get_or_init(|| unsafe { libloading::Library::new(built()).unwrap() });
    // SAFETY: the tests give each symbol the type that its shim has.
    *unsafe { library.get::<F>(name) }.unwrap()
}

fn built() -> PathBuf {
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    let output = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--package", "upcall-test-exported", "--message-format", "json"])
        .args(["--profile", profile])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let messages = String::from_utf8(output.stdout).unwrap();
    let ends = [".so\"", ".dylib\"", ".dll\""];
    let mut names = messages.split_inclusive('"').filter(|text| ends.iter().any(|end| text.ends_with(end)));
    let path = names.rfind(|text| text.contains("exported")).expect("cargo names what it has built");
    path.trim_end_matches('"').into()
}

/// What a call failed with.
#[derive(Debug, PartialEq)]
pub struct Failed {
    pub code: i32,
    pub message: String,
}

/// Calls with a place for the failure, and reads and releases what is put there.
pub fn call<R>(body: impl FnOnce(*mut *mut Failure) -> R) -> Result<R, (Failed, R)> {
    let mut failure = null_mut();
    let result = body(&mut failure);
    if failure.is_null() {
        return Ok(result);
    }
    let release: unsafe extern "C" fn(*mut Failure) = symbol(FAILURE_RELEASE_SYMBOL);
    // SAFETY: a shim has put it there, and it is released once.
    let failed = unsafe {
        let message = (*failure).message.as_str().unwrap().to_owned();
        let failed = Failed { code: (*failure).code, message };
        release(failure);
        failed
    };
    Err((failed, result))
}

/// That it fails with this code and message, and that its result is zeroes.
#[track_caller]
pub fn fails<R: Default + PartialEq + std::fmt::Debug>(
    code: i32,
    message: &str,
    body: impl FnOnce(*mut *mut Failure) -> R,
) {
    let failed = (Failed { code, message: message.to_owned() }, R::default());
    assert_eq!(call(body), Err(failed));
}

/// Calls an exported function by its symbol: `exported!("add" as fn(i32, i32) -> i32, 1, 2)`.
macro_rules! exported {
    ($name:literal as fn($($ty:ty),*) $(-> $ret:ty)?; $($argument:expr),*) => {
        move |failure: *mut *mut upcall_abi::Failure| {
            let function: unsafe extern "C" fn($($ty,)* *mut *mut upcall_abi::Failure) $(-> $ret)? =
                crate::library::symbol($name);
            // SAFETY: the type is that of the shim, and each test passes what it may, or what is refused.
            unsafe { function($($argument,)* failure) }
        }
    };
}
pub(crate) use exported;
