//! Reductions of slices and columns: sums, means, least and greatest, searches, comparisons.
//!
//! They are written for the vector registers of the machine (SSE2, AVX2, AVX-512, NEON) and choose among them
//! once, when the program runs; [`Instructions`] says which. A result does not depend on that choice, to the
//! bit.
//!
//! ```
//! use upcall_soa::reduce;
//!
//! let heights = [1.5_f32, -2.0, 8.25, 0.0];
//! assert_eq!(reduce::sum(&heights), 7.75);
//! assert_eq!(reduce::max(&heights), Some(8.25));
//! assert_eq!(reduce::index_of(&heights, -2.0), Some(1));
//! assert_eq!(reduce::checked_sum(&[i32::MAX, 1]), None);
//! ```
//!
//! # The rules
//!
#![doc = include_str!("rules.md")]

mod far;
mod instructions;
mod kernels;
#[cfg(target_arch = "aarch64")]
mod neon;
mod number;
mod portable;
mod table;
#[cfg(test)]
mod tests;
mod vector;
mod vectors;
#[cfg(target_arch = "x86_64")]
mod x86;

use instructions::Present;

pub use instructions::Instructions;
pub use number::Number;

/// Slices below this length are reduced inline: they would not fill a vector.
const SHORT: usize = 16;

/// The sum. Integers wrap; floats are added in lanes.
#[inline]
pub fn sum<T: Number>(values: &[T]) -> T {
    if values.len() < SHORT {
        return sum_in_order(values);
    }
    // SAFETY: this machine has the instructions.
    unsafe { (T::kernels(Present::best()).sum)(values) }
}

/// The sum with an error that grows with the logarithm of the length; see [the rules](self#the-rules). For integers
/// the same as [`sum`].
///
/// ```
/// use upcall_soa::reduce;
///
/// let tenths = vec![0.1_f32; 10_000_000];
/// assert!((reduce::sum_pairwise(&tenths) - 1_000_000.0).abs() < 0.2);
/// assert!((reduce::sum_in_order(&tenths) - 1_000_000.0).abs() > 80_000.0);
/// ```
#[inline]
pub fn sum_pairwise<T: Number>(values: &[T]) -> T {
    // SAFETY: this machine has the instructions.
    unsafe { (T::kernels(Present::best()).pairwise)(values) }
}

/// The sum, bit for bit what a plain loop gives that begins with zero. For integers the same as [`sum`]. Each
/// addition waits for the one before: a float takes some thirty times as long as in [`sum`].
#[inline]
pub fn sum_in_order<T: Number>(values: &[T]) -> T {
    values.iter().fold(T::ZERO, |sum, value| sum.plus(*value))
}

/// The sum as `i64`, `u64` or `f64`. It wraps if even that is too narrow.
#[inline]
pub fn sum_long<T: Number>(values: &[T]) -> T::Long {
    T::long(values, Present::best())
}

/// The sum, unless the type cannot hold it; for floats, unless it is not finite. What overflows on the way and
/// comes back does no harm.
#[inline]
pub fn checked_sum<T: Number>(values: &[T]) -> Option<T> {
    T::checked(values, Present::best())
}

/// The arithmetic mean; `None` for an empty slice. It does not overflow.
#[inline]
pub fn mean<T: Number>(values: &[T]) -> Option<f64> {
    (!values.is_empty()).then(|| T::mean(values, Present::best()))
}

/// The least value; NaN if there is one, `None` for an empty slice.
#[inline]
pub fn min<T: Number>(values: &[T]) -> Option<T> {
    let (least, nan) = least(values);
    ends(values, least, least, nan).map(|(least, _)| least)
}

/// The greatest value; NaN if there is one, `None` for an empty slice.
#[inline]
pub fn max<T: Number>(values: &[T]) -> Option<T> {
    let (greatest, nan) = greatest(values);
    ends(values, greatest, greatest, nan).map(|(greatest, _)| greatest)
}

/// The least value and the greatest, read once; both NaN if there is one, `None` for an empty slice.
#[inline]
pub fn min_max<T: Number>(values: &[T]) -> Option<(T, T)> {
    let (least, greatest, nan) = least_and_greatest(values);
    ends(values, least, greatest, nan)
}

/// The least number: NaN only if all are, `None` for an empty slice.
#[inline]
pub fn min_number<T: Number>(values: &[T]) -> Option<T> {
    let (least, nan) = least(values);
    let nan = nan && least == T::TOP && !contains(values, T::TOP);
    ends(values, least, least, nan).map(|(least, _)| least)
}

/// The greatest number: NaN only if all are, `None` for an empty slice.
#[inline]
pub fn max_number<T: Number>(values: &[T]) -> Option<T> {
    let (greatest, nan) = greatest(values);
    let nan = nan && greatest == T::BOTTOM && !contains(values, T::BOTTOM);
    ends(values, greatest, greatest, nan).map(|(greatest, _)| greatest)
}

/// The least number and the greatest, read once: NaN only if all are, `None` for an empty slice.
#[inline]
pub fn min_max_number<T: Number>(values: &[T]) -> Option<(T, T)> {
    let (least, greatest, nan) = least_and_greatest(values);
    // Without a number the two are where they began, the wrong way round.
    ends(values, least, greatest, nan && least > greatest)
}

/// Whether a value equals `wanted`. NaN equals nothing.
#[inline]
pub fn contains<T: Number>(values: &[T], wanted: T) -> bool {
    index_of(values, wanted).is_some()
}

/// The index of the first value that equals `wanted`. NaN equals nothing.
#[inline]
pub fn index_of<T: Number>(values: &[T], wanted: T) -> Option<usize> {
    if values.len() < SHORT {
        return values.iter().position(|value| *value == wanted);
    }
    // SAFETY: this machine has the instructions.
    unsafe { (T::kernels(Present::best()).find)(values, wanted) }
}

/// How many values equal `wanted`. NaN equals nothing.
#[inline]
pub fn count_equal<T: Number>(values: &[T], wanted: T) -> usize {
    if values.len() < SHORT {
        return values.iter().filter(|value| **value == wanted).count();
    }
    // SAFETY: this machine has the instructions.
    unsafe { (T::kernels(Present::best()).count)(values, wanted) }
}

/// Whether both have the same length and equal values in the same places. NaN equals nothing, itself included.
#[inline]
pub fn equal<T: Number>(one: &[T], other: &[T]) -> bool {
    if one.len() != other.len() || one.len() < SHORT {
        return one == other;
    }
    // SAFETY: this machine has the instructions, and the lengths are the same.
    unsafe { (T::kernels(Present::best()).equal)(one, other) }
}

/// What the kernel finds, or a plain loop.
#[inline]
fn least<T: Number>(values: &[T]) -> (T, bool) {
    if values.len() < SHORT {
        let (least, _, nan) = in_order(values);
        return (least, nan);
    }
    // SAFETY: this machine has the instructions.
    unsafe { (T::kernels(Present::best()).min)(values) }
}

#[inline]
fn greatest<T: Number>(values: &[T]) -> (T, bool) {
    if values.len() < SHORT {
        let (_, greatest, nan) = in_order(values);
        return (greatest, nan);
    }
    // SAFETY: this machine has the instructions.
    unsafe { (T::kernels(Present::best()).max)(values) }
}

#[inline]
fn least_and_greatest<T: Number>(values: &[T]) -> (T, T, bool) {
    if values.len() < SHORT {
        return in_order(values);
    }
    // SAFETY: this machine has the instructions.
    unsafe { (T::kernels(Present::best()).min_max)(values) }
}

#[inline]
fn in_order<T: Number>(values: &[T]) -> (T, T, bool) {
    let (mut least, mut greatest, mut nan) = (T::TOP, T::BOTTOM, false);
    for value in values {
        nan |= value.is_nan();
        least = if *value < least { *value } else { least };
        greatest = if *value > greatest { *value } else { greatest };
    }
    (least, greatest, nan)
}

/// What a caller sees.
#[inline]
fn ends<T: Number>(values: &[T], least: T, greatest: T, nan: bool) -> Option<(T, T)> {
    match (values, nan) {
        ([], _) => None,
        (_, true) => Some((T::NAN, T::NAN)),
        (_, false) => Some((least.unsigned_zero(), greatest.unsigned_zero())),
    }
}
