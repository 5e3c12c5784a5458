//! Numbers to try, and slices that begin at any address.

use std::fmt::Debug;

use crate::reduce::far::tested;
use crate::reduce::instructions::Present;
use crate::reduce::number::{Lanes, Number};

/// A number that tests can make and compare to the bit.
pub trait Sample: Number<Long: Into<Bits>> + Lanes<Wide: Debug> + Debug + Into<Bits> {
    /// One of many values: small ones, the ends of the type, and in between.
    fn sample(random: u64) -> Self;
    /// What is not a number: quiet and signaling, of either sign.
    const NANS: &'static [Self];
    /// As wide as an exact sum.
    fn exact(self) -> i128;
}

/// A number as text to the bit: two NaN are the same, two zeros are not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bits {
    Integer(i128),
    Float(u64),
}

macro_rules! integers {
    ($($number:ident),*) => { $(
        impl From<$number> for Bits {
            fn from(value: $number) -> Bits {
                Bits::Integer(value.into())
            }
        }

        impl Sample for $number {
            const NANS: &'static [Self] = &[];

            fn sample(random: u64) -> Self {
                match random % 8 {
                    0 => $number::MAX,
                    1 => $number::MIN,
                    2..5 => (random >> 32) as $number,
                    _ => (random >> 32) as $number % 5,
                }
            }

            fn exact(self) -> i128 {
                self.into()
            }
        }
    )* };
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! floats {
    ($($number:ident),*) => { $(
        impl From<$number> for Bits {
            fn from(value: $number) -> Bits {
                Bits::Float(if value.is_nan() { f64::NAN } else { value.into() }.to_bits())
            }
        }

        impl Sample for $number {
            const NANS: &'static [Self] = &[
                $number::NAN,
                -$number::NAN,
                $number::from_bits($number::INFINITY.to_bits() + 1),
                $number::from_bits($number::NEG_INFINITY.to_bits() + 1),
            ];

            /// Of very different sizes, so that another order of a sum shows.
            fn sample(random: u64) -> Self {
                match random % 16 {
                    0 => 0.0,
                    1 => -0.0,
                    2 => 1e30,
                    3 => -1e30,
                    _ => ((random >> 40) as $number - 8e6) / ((random >> 30) as u8 as $number + 1.0),
                }
            }

            fn exact(self) -> i128 {
                0
            }
        }
    )* };
}

floats!(f32, f64);

/// The same numbers every time, from a linear congruence.
pub fn samples<T: Sample>(len: usize, seed: u64) -> Vec<T> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        T::sample(state ^ state >> 29)
    };
    std::iter::repeat_with(next).take(len).collect()
}

/// Calls `check` with the values at every address that the type may have within 64 bytes.
pub fn at_every_address<T: Sample>(values: &[T], mut check: impl FnMut(&[T])) {
    let places = 64 / size_of::<T>();
    for place in 0..places {
        // As long as it must be, so that a sanitizer sees what is read beyond the end.
        let mut memory: Vec<T> = Vec::with_capacity(values.len() + 2 * places);
        let before = (place + places - memory.as_ptr().addr() / size_of::<T>() % places) % places;
        memory.extend(std::iter::repeat_n(T::TOP, before));
        memory.extend_from_slice(values);
        assert_eq!(memory[before..].as_ptr().addr() % 64, place * size_of::<T>());
        check(&memory[before..]);
    }
    check(&values.to_vec().into_boxed_slice());
}

/// What this machine has; twice, with slices that are read as near memory and as far.
pub fn isas() -> impl Iterator<Item = Present> {
    [usize::MAX, 0].into_iter().flat_map(|far| {
        tested::FAR.set(far);
        Present::all()
    })
}

/// Runs a generic test for all ten types.
macro_rules! for_all_numbers {
    ($($test:ident),* $(,)?) => { $(
        #[test]
        fn $test() {
            super::$test::<i8>();
            super::$test::<i16>();
            super::$test::<i32>();
            super::$test::<i64>();
            super::$test::<u8>();
            super::$test::<u16>();
            super::$test::<u32>();
            super::$test::<u64>();
            super::$test::<f32>();
            super::$test::<f64>();
        }
    )* };
}

pub(super) use for_all_numbers;
