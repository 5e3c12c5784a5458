//! Slices of numbers.

use polars_arrow::array::PrimitiveArray;
use polars_compute::float_sum::{sum_arr_as_f32, sum_arr_as_f64};
use polars_compute::min_max::MinMaxKernel;
use polars_compute::sum::wrapping_sum_arr;
use upcall_soa::reduce;

use crate::limit;
use crate::turns::{print, way};

macro_rules! types {
    ($($number:ident, $sum:expr, $iterated:expr, $least:expr, $most:expr;)*) => {
        /// All functions, of each type.
        pub fn all(elements: usize) {
            $( {
                let values: Vec<$number> = numbers(elements, |n| (n * 7919 % 97) as $number);
                let other = values.clone();
                let array = PrimitiveArray::from_slice(&values);
                let name = stringify!($number);
                print("sum", name, elements, vec![
                    way("upcall", &values[..], reduce::sum),
                    way("iterator", &values[..], $iterated),
                    way("polars", &array, $sum),
                ]);
                print("max", name, elements, vec![
                    way("upcall", &values[..], reduce::max),
                    way("upcall, numbers", &values[..], reduce::max_number),
                    way("iterator", &values[..], |v| v.iter().copied().reduce($most)),
                    way("polars", &array, |a| a.max_ignore_nan_kernel()),
                ]);
                print("min_max", name, elements, vec![
                    way("upcall", &values[..], reduce::min_max),
                    way("iterator", &values[..], |v| {
                        v.iter().fold((v[0], v[0]), |(a, b), x| ($least(a, *x), $most(b, *x)))
                    }),
                    way("polars", &array, |a| a.min_max_ignore_nan_kernel()),
                ]);
                print("contains", name, elements, vec![
                    way("upcall", &values[..], |v| reduce::contains(v, 120 as $number)),
                    way("iterator", &values[..], |v| v.contains(&(120 as $number))),
                ]);
                print("equal", name, elements, vec![
                    way("upcall", &(&values[..], &other[..]), |(a, b)| reduce::equal(a, b)),
                    way("iterator", &(&values[..], &other[..]), |(a, b)| a == b),
                ]);
                print("sum_long", name, elements, vec![way("upcall", &values[..], reduce::sum_long)]);
                print("mean", name, elements, vec![way("upcall", &values[..], reduce::mean)]);
                print("count_equal", name, elements, vec![
                    way("upcall", &values[..], |v| reduce::count_equal(v, 5 as $number)),
                    way("iterator", &values[..], |v| v.iter().filter(|x| **x == 5 as $number).count()),
                ]);
            } )*
        }

        /// Those that memory decides, beside loops that only read it.
        pub fn large(bytes: usize) {
            $( {
                let elements = bytes / size_of::<$number>();
                let values: Vec<$number> = numbers(elements, |n| (n % 97) as $number);
                let array = PrimitiveArray::from_slice(&values);
                let name = stringify!($number);
                let print = |function, mut ways: Vec<_>| {
                    ways.extend(limit::ways(memory(&values)));
                    print(function, name, elements, ways);
                };
                print("sum", vec![
                    way("upcall", &values[..], reduce::sum),
                    way("iterator", &values[..], $iterated),
                    way("polars", &array, $sum),
                ]);
                print("max", vec![
                    way("upcall", &values[..], reduce::max),
                    way("iterator", &values[..], |v| v.iter().copied().reduce($most)),
                    way("polars", &array, |a| a.max_ignore_nan_kernel()),
                ]);
                print("min_max", vec![
                    way("upcall", &values[..], reduce::min_max),
                    way("polars", &array, |a| a.min_max_ignore_nan_kernel()),
                ]);
                print("contains", vec![
                    way("upcall", &values[..], |v| reduce::contains(v, 120 as $number)),
                    way("iterator", &values[..], |v| v.contains(&(120 as $number))),
                ]);
                print("mean", vec![way("upcall", &values[..], reduce::mean)]);
                print("count_equal", vec![
                    way("upcall", &values[..], |v| reduce::count_equal(v, 5 as $number)),
                    way("iterator", &values[..], |v| v.iter().filter(|x| **x == 5 as $number).count()),
                ]);
            } )*
        }
    };
}

types! {
    i8, wrapping_sum_arr, |v| v.iter().fold(0_i8, |a, b| a.wrapping_add(*b)), i8::min, i8::max;
    i16, wrapping_sum_arr, |v| v.iter().fold(0_i16, |a, b| a.wrapping_add(*b)), i16::min, i16::max;
    i32, wrapping_sum_arr, |v| v.iter().fold(0_i32, |a, b| a.wrapping_add(*b)), i32::min, i32::max;
    i64, wrapping_sum_arr, |v| v.iter().fold(0_i64, |a, b| a.wrapping_add(*b)), i64::min, i64::max;
    u8, wrapping_sum_arr, |v| v.iter().fold(0_u8, |a, b| a.wrapping_add(*b)), u8::min, u8::max;
    u16, wrapping_sum_arr, |v| v.iter().fold(0_u16, |a, b| a.wrapping_add(*b)), u16::min, u16::max;
    u32, wrapping_sum_arr, |v| v.iter().fold(0_u32, |a, b| a.wrapping_add(*b)), u32::min, u32::max;
    u64, wrapping_sum_arr, |v| v.iter().fold(0_u64, |a, b| a.wrapping_add(*b)), u64::min, u64::max;
    f32, sum_arr_as_f32, |v| v.iter().sum::<f32>(), f32::min, f32::max;
    f64, sum_arr_as_f64, |v| v.iter().sum::<f64>(), f64::min, f64::max;
}

/// In a vector whose memory is not aligned more than its type asks for.
fn numbers<T>(elements: usize, number: impl Fn(usize) -> T) -> Vec<T> {
    (0..elements).map(number).collect()
}

/// What the numbers are made of.
fn memory<T>(numbers: &[T]) -> &[u8] {
    // SAFETY: the ten types have no padding, and any byte is a `u8`.
    unsafe { std::slice::from_raw_parts(numbers.as_ptr().cast(), size_of_val(numbers)) }
}
