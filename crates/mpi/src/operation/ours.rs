//! What the MPIs' own operations get wrong, done here. MPICH 4.0.2 compares all unsigned numbers, and Open MPI 4.1.4
//! `MPI_UNSIGNED_LONG`, as if they had a sign (with 1 and 2^63 the smaller is 2^63); with AVX, sums of Open MPI 4.1.4's stop at
//! the ends of numbers of 8 and 16 bits instead of going round.

use crate::error::Error;
use crate::library::Library;
use crate::shim::{Constant, Function, Handle};
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicI64, Ordering};

macro_rules! ours {
    ($($operator:ident of $number:ident = $name:ident, $type:ty, $combine:expr;)*) => {
        $(
            unsafe extern "C" fn $name(from: *mut c_void, into: *mut c_void, count: *mut c_int, _: *mut c_void) {
                // SAFETY: MPI calls an operation so.
                unsafe { each::<$type>(from, into, count, $combine) }
            }
        )*

        /// Whether there is an MPI that gets the operator wrong for these numbers.
        pub(crate) const fn is_suspect(operator: Constant, of: Constant) -> bool {
            matches!((operator, of), $((Constant::$operator, Constant::$number))|*)
        }

        /// MPI's operation over the function that is ours; `None` where MPI's own is right.
        #[inline]
        pub(super) fn op(library: &Library, operator: Constant, of: Constant) -> Option<Result<Handle, Error>> {
            match (operator, of) {
                $((Constant::$operator, Constant::$number) => {
                    static MADE: AtomicI64 = AtomicI64::new(0);
                    Some(made(library, $name, &MADE))
                })*
                _ => None,
            }
        }
    };
}

ours! {
    Min of Uint8 = smaller_u8, u8, u8::min;
    Min of Uint16 = smaller_u16, u16, u16::min;
    Min of Uint32 = smaller_u32, u32, u32::min;
    Min of Uint64 = smaller_u64, u64, u64::min;
    Max of Uint8 = larger_u8, u8, u8::max;
    Max of Uint16 = larger_u16, u16, u16::max;
    Max of Uint32 = larger_u32, u32, u32::max;
    Max of Uint64 = larger_u64, u64, u64::max;
    Sum of Int8 = sum_i8, i8, i8::wrapping_add;
    Sum of Int16 = sum_i16, i16, i16::wrapping_add;
    Sum of Uint8 = sum_u8, u8, u8::wrapping_add;
    Sum of Uint16 = sum_u16, u16, u16::wrapping_add;
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

/// # Safety
/// As MPI calls an operation: two arrays of so many numbers, apart from each other. Of [`Named`](super::Named) operations they are
/// the caller's bytes, wherever these lie.
#[inline(always)]
unsafe fn each<T: Copy>(
    from: *mut c_void,
    into: *mut c_void,
    count: *mut c_int,
    combine: impl Fn(T, T) -> T,
) {
    let (from, into) = (from.cast::<T>(), into.cast::<T>());
    // SAFETY: the caller's promise.
    let count = usize::try_from(unsafe { *count }).unwrap_or(0);
    for at in 0..count {
        // SAFETY: as above; nothing is said of where numbers lie.
        unsafe {
            let into = into.add(at);
            into.write_unaligned(combine(into.read_unaligned(), from.add(at).read_unaligned()));
        }
    }
}
