//! The smaller and the larger of unsigned numbers, compared here: MPICH 4.0.2 compares all of them, and Open MPI 4.1.4
//! `MPI_UNSIGNED_LONG`, as if they had a sign (with 1 and 2^63 the smaller is 2^63).

use crate::error::Error;
use crate::library::Library;
use crate::shim::{Constant, Function, Handle};
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicI64, Ordering};

#[derive(Clone, Copy)]
pub(super) enum End {
    Smaller,
    Larger,
}

/// The width of an unsigned number: an index of what follows.
pub(super) fn unsigned(of: Constant) -> Option<usize> {
    match of {
        Constant::Uint8 => Some(0),
        Constant::Uint16 => Some(1),
        Constant::Uint32 => Some(2),
        Constant::Uint64 => Some(3),
        _ => None,
    }
}

static FUNCTIONS: [[Function; 2]; 4] = [
    [smaller::<u8>, larger::<u8>],
    [smaller::<u16>, larger::<u16>],
    [smaller::<u32>, larger::<u32>],
    [smaller::<u64>, larger::<u64>],
];

/// MPI's operations over them; 0 where one was not made yet.
static MADE: [[AtomicI64; 2]; 4] = [const { [const { AtomicI64::new(0) }; 2] }; 4];

#[inline]
pub(super) fn op(library: &Library, width: usize, end: End) -> Result<Handle, Error> {
    made(library, FUNCTIONS[width][end as usize], &MADE[width][end as usize])
}

/// MPI's operation over a function, which is made once.
#[inline]
pub(super) fn made(library: &Library, function: Function, kept: &AtomicI64) -> Result<Handle, Error> {
    match kept.load(Ordering::Acquire) {
        0 => {
            let mut op = 0;
            library.call(
                // SAFETY: the function is one of the program's, for good.
                |table| unsafe { (table.op_create)(function, 1, &mut op) },
                || "make an operation".to_owned(),
            )?;
            kept.store(op, Ordering::Release);
            Ok(op)
        }
        op => Ok(op),
    }
}

unsafe extern "C" fn smaller<T: Ord + Copy>(
    from: *mut c_void,
    into: *mut c_void,
    count: *mut c_int,
    _: *mut c_void,
) {
    // SAFETY: the caller's promise.
    unsafe { ends(from, into, count, T::min) }
}

unsafe extern "C" fn larger<T: Ord + Copy>(
    from: *mut c_void,
    into: *mut c_void,
    count: *mut c_int,
    _: *mut c_void,
) {
    // SAFETY: the caller's promise.
    unsafe { ends(from, into, count, T::max) }
}

/// # Safety
/// As MPI calls an operation: two arrays of so many numbers, apart from each other.
#[inline(always)]
unsafe fn ends<T: Copy>(from: *mut c_void, into: *mut c_void, count: *mut c_int, end: impl Fn(T, T) -> T) {
    // SAFETY: the caller's promise.
    let (from, into) = unsafe {
        let count = usize::try_from(*count).unwrap_or(0);
        let into = std::slice::from_raw_parts_mut(into.cast::<T>(), count);
        (std::slice::from_raw_parts(from.cast::<T>(), count), into)
    };
    for (into, from) in into.iter_mut().zip(from) {
        *into = end(*into, *from);
    }
}
