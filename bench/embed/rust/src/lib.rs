//! Measures handlers that a running program gives, and functions that it passes by hand: `bench/embed` has a program for each
//! language, which loads this library.

mod node;

use std::ffi::{CStr, c_char, c_void};
use std::hint::black_box;
use upcall_abi::GuestTable;
use upcall_host::embedded::Embedded;
use upcall_host::{Error, Host, Threads};
use upcall_measure::{Driven, Objects, VALUES, nanos};

/// Nanoseconds per object of a handler that the program has made, called with so many at a time; NaN where it fails, with the
/// reason on the standard error.
///
/// # Safety
/// `guest` is a text that ends with a zero, `table` that of the guest's SDK in this process, and `module` one of its modules,
/// which is given away. No other thread calls the handler.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn upcall_bench_given(
    guest: *const c_char,
    table: *const GuestTable,
    module: *mut c_void,
    batch: u32,
) -> f64 {
    // SAFETY: the caller's promise.
    let guest = unsafe { CStr::from_ptr(guest) }.to_string_lossy();
    let measure = || -> Result<f64, Error> {
        // SAFETY: the caller's promise.
        let host = unsafe { Embedded::new(&guest, table, Threads::One) }?;
        // SAFETY: the caller's promise.
        let module = unsafe { host.module(module, "measured") };
        let objects = Objects::alike(batch as usize, VALUES[0]);
        let mut outcome = Ok(f64::NAN);
        host.worker(&mut || {
            outcome =
                module.instantiate().and_then(Driven::open).and_then(|mut driven| driven.nanos(&objects));
        });
        Ok(outcome? / f64::from(batch))
    };
    measure().unwrap_or_else(|error| {
        eprintln!("measuring a handler of {guest}: {error}");
        f64::NAN
    })
}

/// Nanoseconds per call of a function by hand, with a context, and key and value of an object.
///
/// # Safety
/// The function may be called with this context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn upcall_bench_by_hand(
    function: unsafe extern "C" fn(*mut c_void, *const u8, usize, *const u8, usize) -> i32,
    context: *mut c_void,
) -> f64 {
    let (key, value) = (black_box(*b"key-000000"), black_box(vec![7; VALUES[0]]));
    nanos(|| {
        // SAFETY: the caller's promise; key and value live until it returns.
        black_box(unsafe { function(context, key.as_ptr(), key.len(), value.as_ptr(), value.len()) });
    })
}

/// The same as [`upcall_bench_given`], for the class `Embed` in `bench/embed/java`.
///
/// # Safety
/// As of [`upcall_bench_given`].
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_Embed_given(
    _env: *mut c_void,
    _class: *mut c_void,
    table: i64,
    module: i64,
    batch: i32,
) -> f64 {
    let (table, module) = (table as usize as *const GuestTable, module as usize as *mut c_void);
    // SAFETY: the caller's promise.
    unsafe { upcall_bench_given(c"java".as_ptr(), table, module, batch as u32) }
}
