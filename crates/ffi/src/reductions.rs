//! The reductions of `upcall-soa`, once for each number. Its documentation has the rules.

use std::fmt;
use upcall::{Blit, Code};
use upcall_soa::reduce;

/// The failure's code where an empty slice has no least value, no greatest and no mean.
pub const UPCALL_NO_ELEMENTS: i32 = 2;
/// The failure's code where the type of the elements cannot hold their sum.
pub const UPCALL_NO_SUM: i32 = 3;

/// Why a reduction has no result.
pub enum Missing {
    /// There are no elements.
    Elements,
    /// The sum does not fit into this type.
    Sum(&'static str),
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Elements => f.write_str("reducing: there are no elements"),
            Missing::Sum(number) => write!(f, "adding: the sum does not fit into {number}"),
        }
    }
}

impl Code for Missing {
    fn code(&self) -> i32 {
        match self {
            Missing::Elements => UPCALL_NO_ELEMENTS,
            Missing::Sum(_) => UPCALL_NO_SUM,
        }
    }
}

macro_rules! reductions {
    ($($number:ident, $ends:ident, $long:ident;)*) => { $( pastey::paste! {
        #[doc = "The least and the greatest of some `" $number "`."]
        #[derive(Clone, Copy, Blit)]
        #[repr(C)]
        pub struct $ends {
            /// The least value.
            pub min: $number,
            /// The greatest value.
            pub max: $number,
        }

        /// The sum. Integers wrap; floats are added in lanes.
        #[upcall::export]
        pub fn [<upcall_sum_ $number>](values: &[$number]) -> $number {
            reduce::sum(values)
        }

        /// The sum, one after the other.
        #[upcall::export]
        pub fn [<upcall_sum_in_order_ $number>](values: &[$number]) -> $number {
            reduce::sum_in_order(values)
        }

        /// The sum, with an error that grows with the logarithm of the length.
        #[upcall::export]
        pub fn [<upcall_sum_pairwise_ $number>](values: &[$number]) -> $number {
            reduce::sum_pairwise(values)
        }

        /// The sum in 64 bits.
        #[upcall::export]
        pub fn [<upcall_sum_long_ $number>](values: &[$number]) -> $long {
            reduce::sum_long(values)
        }

        /// The sum, if the type can hold it.
        #[upcall::export]
        pub fn [<upcall_checked_sum_ $number>](values: &[$number]) -> Result<$number, Missing> {
            reduce::checked_sum(values).ok_or(Missing::Sum(stringify!($number)))
        }

        /// The arithmetic mean.
        #[upcall::export]
        pub fn [<upcall_mean_ $number>](values: &[$number]) -> Result<f64, Missing> {
            reduce::mean(values).ok_or(Missing::Elements)
        }

        /// The least value; NaN if there is one.
        #[upcall::export]
        pub fn [<upcall_min_ $number>](values: &[$number]) -> Result<$number, Missing> {
            reduce::min(values).ok_or(Missing::Elements)
        }

        /// The greatest value; NaN if there is one.
        #[upcall::export]
        pub fn [<upcall_max_ $number>](values: &[$number]) -> Result<$number, Missing> {
            reduce::max(values).ok_or(Missing::Elements)
        }

        /// The least value and the greatest; NaN if there is one.
        #[upcall::export]
        pub fn [<upcall_min_max_ $number>](values: &[$number]) -> Result<$ends, Missing> {
            reduce::min_max(values).map(|(min, max)| $ends { min, max }).ok_or(Missing::Elements)
        }

        /// The least number; NaN if all are.
        #[upcall::export]
        pub fn [<upcall_min_number_ $number>](values: &[$number]) -> Result<$number, Missing> {
            reduce::min_number(values).ok_or(Missing::Elements)
        }

        /// The greatest number; NaN if all are.
        #[upcall::export]
        pub fn [<upcall_max_number_ $number>](values: &[$number]) -> Result<$number, Missing> {
            reduce::max_number(values).ok_or(Missing::Elements)
        }

        /// The least number and the greatest; NaN if all are.
        #[upcall::export]
        pub fn [<upcall_min_max_number_ $number>](values: &[$number]) -> Result<$ends, Missing> {
            reduce::min_max_number(values).map(|(min, max)| $ends { min, max }).ok_or(Missing::Elements)
        }

        /// The index of the first value that equals `wanted`; -1 if there is none.
        #[upcall::export]
        pub fn [<upcall_index_of_ $number>](values: &[$number], wanted: $number) -> isize {
            reduce::index_of(values, wanted).map_or(-1, |index| index as isize)
        }

        /// How many values equal `wanted`.
        #[upcall::export]
        pub fn [<upcall_count_equal_ $number>](values: &[$number], wanted: $number) -> usize {
            reduce::count_equal(values, wanted)
        }

        /// Whether both have equal values in the same places.
        #[upcall::export]
        pub fn [<upcall_equal_ $number>](one: &[$number], other: &[$number]) -> bool {
            reduce::equal(one, other)
        }
    } )* };
}

reductions! {
    i8, EndsI8, i64;
    i16, EndsI16, i64;
    i32, EndsI32, i64;
    i64, EndsI64, i64;
    u8, EndsU8, u64;
    u16, EndsU16, u64;
    u32, EndsU32, u64;
    u64, EndsU64, u64;
    f32, EndsF32, f64;
    f64, EndsF64, f64;
}
