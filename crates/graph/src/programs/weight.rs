//! What edges count for.

use crate::program::EdgeValue;

/// An edge's value as a weight; `()` weighs 1.
pub trait Weight: EdgeValue {
    /// The same number, or the nearest that f64 has.
    fn weight(self) -> f64;
}

impl Weight for () {
    #[inline(always)]
    fn weight(self) -> f64 {
        1.0
    }
}

macro_rules! numbers {
    ($($number:ident)*) => {$(
        impl Weight for $number {
            #[inline(always)]
            fn weight(self) -> f64 {
                self as f64
            }
        }
    )*};
}
numbers!(f32 f64 i32 i64 u32 u64);
