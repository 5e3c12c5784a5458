//! The ten types that can be reduced.

use super::SHORT;
use super::instructions::Present;
use super::kernels::Kernels;
use super::table;

/// A number whose slices can be reduced: `i8` to `i64`, `u8` to `u64`, `f32`, `f64`.
///
/// Nothing else can be: the kernels are written for these.
pub trait Number: Copy + PartialOrd + Lanes {
    /// What [`sum_long`](super::sum_long) gives: `i64`, `u64` or `f64`.
    type Long: Copy;
}

/// What the kernels need to know of a number; it seals [`Number`].
pub trait Lanes: Copy + PartialOrd + 'static {
    /// What a long sum is gathered in: two halves of an exact sum, or an `f64`.
    type Wide;
    /// Nothing.
    const ZERO: Self;
    /// No value is above it.
    const TOP: Self;
    /// No value is below it.
    const BOTTOM: Self;
    /// Whether there are values that are unordered.
    const FLOAT: bool;
    /// A value that is unordered; zero for integers, which have none.
    const NAN: Self;

    /// The sum; integers wrap.
    fn plus(self, other: Self) -> Self;
    /// The kernels that use these instructions.
    fn kernels(isa: Present) -> &'static Kernels<Self>;
    /// A sum that overflows nothing, as the caller of [`sum_long`](super::sum_long) sees it.
    fn long(values: &[Self], isa: Present) -> <Self as Number>::Long
    where
        Self: Number;
    /// The sum, if `Self` can hold it.
    fn checked(values: &[Self], isa: Present) -> Option<Self>;
    /// The mean of at least one value.
    fn mean(values: &[Self], isa: Present) -> f64;
    /// Whether it is unordered.
    fn is_nan(self) -> bool;
    /// Zeros of either sign become `0.0`.
    fn unsigned_zero(self) -> Self;
}

/// An integer: how the halves of its exact sum fit together.
pub trait Integer: Lanes<Wide = (u64, u64)> {
    /// Flips the sign: what is added to a value so that it is not negative.
    const BIAS: i128;
    /// What one in the second half counts for.
    const SECOND: i128;
    /// The value whose only bit is the sign; zero if there is none.
    const SIGN: Self;
}

/// Elements whose halves are gathered at once; their sums stay below 2^63.
const EXACT: usize = 1 << 30;

/// The sum, exactly.
fn exact<T: Integer>(values: &[T], isa: Present) -> i128 {
    let mut sum = 0;
    for part in values.chunks(EXACT) {
        // SAFETY: this machine has the instructions.
        let (first, second) = unsafe { (T::kernels(isa).wide)(part) };
        sum += i128::from(first) + i128::from(second) * T::SECOND - part.len() as i128 * T::BIAS;
    }
    sum
}

macro_rules! integers {
    ($($number:ident, $long:ident, $sign:expr, $second:expr;)*) => { $(
        impl Number for $number {
            type Long = $long;
        }

        impl Integer for $number {
            const BIAS: i128 = ($sign as $number as i128).abs();
            const SECOND: i128 = $second;
            const SIGN: Self = $sign;
        }

        impl Lanes for $number {
            type Wide = (u64, u64);
            const ZERO: Self = 0;
            const TOP: Self = $number::MAX;
            const BOTTOM: Self = $number::MIN;
            const FLOAT: bool = false;
            const NAN: Self = 0;

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            fn kernels(isa: Present) -> &'static Kernels<Self> {
                table::$number(isa)
            }

            fn long(values: &[Self], isa: Present) -> $long {
                exact(values, isa) as $long
            }

            fn checked(values: &[Self], isa: Present) -> Option<Self> {
                Self::try_from(exact(values, isa)).ok()
            }

            fn mean(values: &[Self], isa: Present) -> f64 {
                exact(values, isa) as f64 / values.len() as f64
            }

            #[inline(always)]
            fn is_nan(self) -> bool {
                false
            }

            #[inline(always)]
            fn unsigned_zero(self) -> Self {
                self
            }
        }
    )* };
}

// The second half: nothing of bytes, the high bytes of 16 bits, every other 32 bits, the high 32 bits of 64.
integers! {
    i8, i64, i8::MIN, 0;
    i16, i64, i16::MIN, 1 << 8;
    i32, i64, i32::MIN, 1;
    i64, i64, i64::MIN, 1 << 32;
    u8, u64, 0, 0;
    u16, u64, 0, 1 << 8;
    u32, u64, 0, 1;
    u64, u64, 0, 1 << 32;
}

macro_rules! floats {
    ($($number:ident),*) => { $(
        impl Number for $number {
            type Long = f64;
        }

        impl Lanes for $number {
            type Wide = f64;
            const ZERO: Self = 0.0;
            const TOP: Self = $number::INFINITY;
            const BOTTOM: Self = $number::NEG_INFINITY;
            const FLOAT: bool = true;
            const NAN: Self = $number::NAN;

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            fn kernels(isa: Present) -> &'static Kernels<Self> {
                table::$number(isa)
            }

            fn long(values: &[Self], isa: Present) -> f64 {
                if values.len() < SHORT {
                    return values.iter().fold(0.0, |sum, value| sum + f64::from(*value));
                }
                // SAFETY: this machine has the instructions.
                unsafe { (Self::kernels(isa).wide)(values) }
            }

            fn checked(values: &[Self], isa: Present) -> Option<Self> {
                let sum = if values.len() < SHORT {
                    super::sum_in_order(values)
                } else {
                    // SAFETY: this machine has the instructions.
                    unsafe { (Self::kernels(isa).sum)(values) }
                };
                sum.is_finite().then_some(sum)
            }

            fn mean(values: &[Self], isa: Present) -> f64 {
                Self::long(values, isa) / values.len() as f64
            }

            #[inline(always)]
            fn is_nan(self) -> bool {
                $number::is_nan(self)
            }

            #[inline(always)]
            fn unsigned_zero(self) -> Self {
                // -0.0 + 0.0 is 0.0, and nothing else changes.
                self + 0.0
            }
        }
    )* };
}

floats!(f32, f64);
