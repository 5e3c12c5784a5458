//! The kernels of each number on each kind of CPU: the only place that says which vector is used where.

use super::instructions::{Instructions, Present};
use super::kernels::Kernels;
use super::portable::Portable;
#[cfg(target_arch = "x86_64")]
use super::x86;

/// A module with all kernels compiled for some instructions, and tables of them.
macro_rules! instantiate {
    ($isa:ident $(, #[$features:meta])?) => {
        mod $isa {
            use crate::reduce::far::{Far, is_far};
            use crate::reduce::kernels::{self, Kernels};
            use crate::reduce::number::{Integer, Lanes};
            use crate::reduce::vector::{LoadFrom, Vector, Widen};

            $(#[$features])?
            unsafe fn sum<V: Vector>(values: &[V::Item]) -> V::Item {
                // SAFETY: the caller answers for the CPU, here and in all of the following.
                unsafe {
                    if is_far(values) { kernels::sum::<Far<V>>(values) } else { kernels::sum::<V>(values) }
                }
            }

            $(#[$features])?
            unsafe fn wide<V: Widen<Item: Integer>>(values: &[V::Item]) -> (u64, u64) {
                // SAFETY: as above.
                unsafe {
                    if is_far(values) { kernels::wide::<Far<V>>(values) } else { kernels::wide::<V>(values) }
                }
            }

            $(#[$features])?
            unsafe fn stripes<V: LoadFrom<T, Item: From<T>>, T: Copy>(values: &[T]) -> V::Item {
                // SAFETY: as above.
                unsafe {
                    if is_far(values) {
                        kernels::stripes::<Far<V>, T>(values)
                    } else {
                        kernels::stripes::<V, T>(values)
                    }
                }
            }

            $(#[$features])?
            unsafe fn pairwise<V: Vector>(values: &[V::Item]) -> V::Item {
                // SAFETY: as above.
                unsafe {
                    if is_far(values) {
                        kernels::pairwise::<Far<V>>(values)
                    } else {
                        kernels::pairwise::<V>(values)
                    }
                }
            }

            $(#[$features])?
            unsafe fn min<V: Vector>(values: &[V::Item]) -> (V::Item, bool) {
                // SAFETY: as above.
                unsafe {
                    if is_far(values) { kernels::min::<Far<V>>(values) } else { kernels::min::<V>(values) }
                }
            }

            $(#[$features])?
            unsafe fn max<V: Vector>(values: &[V::Item]) -> (V::Item, bool) {
                // SAFETY: as above.
                unsafe {
                    if is_far(values) { kernels::max::<Far<V>>(values) } else { kernels::max::<V>(values) }
                }
            }

            $(#[$features])?
            unsafe fn min_max<V: Vector>(values: &[V::Item]) -> (V::Item, V::Item, bool) {
                // SAFETY: as above.
                unsafe {
                    if is_far(values) {
                        kernels::min_max::<Far<V>>(values)
                    } else {
                        kernels::min_max::<V>(values)
                    }
                }
            }

            $(#[$features])?
            unsafe fn find<V: Vector>(values: &[V::Item], wanted: V::Item) -> Option<usize> {
                // SAFETY: as above.
                unsafe {
                    if is_far(values) {
                        kernels::find::<Far<V>>(values, wanted)
                    } else {
                        kernels::find::<V>(values, wanted)
                    }
                }
            }

            $(#[$features])?
            unsafe fn count<V: Vector>(values: &[V::Item], wanted: V::Item) -> usize {
                // SAFETY: as above.
                unsafe {
                    if is_far(values) {
                        kernels::count::<Far<V>>(values, wanted)
                    } else {
                        kernels::count::<V>(values, wanted)
                    }
                }
            }

            $(#[$features])?
            unsafe fn equal<V: Vector>(one: &[V::Item], other: &[V::Item]) -> bool {
                // SAFETY: as above.
                unsafe {
                    if is_far(one) {
                        kernels::equal::<Far<V>>(one, other)
                    } else {
                        kernels::equal::<V>(one, other)
                    }
                }
            }

            /// Of integers.
            pub const fn integers<T: Integer, V: Widen<Item = T>>() -> Kernels<T> {
                Kernels {
                    sum: sum::<V>,
                    pairwise: sum::<V>,
                    wide: wide::<V>,
                    min: min::<V>,
                    max: max::<V>,
                    min_max: min_max::<V>,
                    find: find::<V>,
                    count: count::<V>,
                    equal: equal::<V>,
                }
            }

            /// Of floats in `V`; their long sums are gathered in `D`.
            pub const fn floats<T, V, D>() -> Kernels<T>
            where
                T: Lanes<Wide = f64>,
                V: LoadFrom<T, Item = T>,
                D: LoadFrom<T, Item = f64>,
                f64: From<T>,
            {
                Kernels {
                    sum: stripes::<V, T>,
                    pairwise: pairwise::<V>,
                    wide: stripes::<D, T>,
                    min: min::<V>,
                    max: max::<V>,
                    min_max: min_max::<V>,
                    find: find::<V>,
                    count: count::<V>,
                    equal: equal::<V>,
                }
            }
        }
    };
}

instantiate!(portable);
#[cfg(target_arch = "x86_64")]
instantiate!(sse2, #[target_feature(enable = "sse2")]);
#[cfg(target_arch = "x86_64")]
instantiate!(avx2, #[target_feature(enable = "avx2,popcnt")]);
#[cfg(target_arch = "x86_64")]
instantiate!(avx512, #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt")]);
#[cfg(target_arch = "aarch64")]
instantiate!(neon, #[target_feature(enable = "neon")]);

/// For each number, which vector it has where.
macro_rules! choose {
    ($($number:ident: $of:ident, $vector:ident $(+ $double:ident)?, $lanes:literal;)*) => { $(
        pub fn $number(present: Present) -> &'static Kernels<$number> {
            match present.which() {
                #[cfg(target_arch = "x86_64")]
                Instructions::Sse2 => {
                    const { &sse2::$of::<$number, x86::sse2::$vector $(, x86::sse2::$double)?>() }
                }
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx2 => {
                    const { &avx2::$of::<$number, x86::avx2::$vector $(, x86::avx2::$double)?>() }
                }
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx512 => {
                    const { &avx512::$of::<$number, x86::avx512::$vector $(, x86::avx512::$double)?>() }
                }
                #[cfg(target_arch = "aarch64")]
                Instructions::Neon => {
                    const { &neon::$of::<$number, super::neon::$vector $(, super::neon::$double)?>() }
                }
                _ => const { &portable::$of::<$number, Portable<$number, $lanes> $(, portable_f64!($double))?>() },
            }
        }
    )* };
}

macro_rules! portable_f64 {
    ($double:ident) => { Portable<f64, 2> };
}

choose! {
    i8: integers, I8, 16;
    i16: integers, I16, 8;
    i32: integers, I32, 4;
    i64: integers, I64, 2;
    u8: integers, U8, 16;
    u16: integers, U16, 8;
    u32: integers, U32, 4;
    u64: integers, U64, 2;
    f32: floats, F32 + F64, 4;
    f64: floats, F64 + F64, 2;
}
