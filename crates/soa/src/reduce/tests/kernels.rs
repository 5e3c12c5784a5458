//! The kernels as they are in the tables, for all lengths and places.

use super::sample::{Bits, Sample, at_every_address, for_all_numbers, isas, samples};
use crate::reduce::SHORT;
use crate::reduce::instructions::Present;
use crate::reduce::number::Lanes;

/// All up to 130, and some with several blocks of the widest vectors.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=130).chain([255, 256, 257, 300, 513, 640])
}

mod all {
    super::for_all_numbers! {
        sums_are_those_of_a_plain_loop,
        least_and_greatest_are_those_of_a_plain_loop,
        a_search_finds_the_first_at_every_position,
        equal_numbers_are_counted,
        one_difference_is_found_at_every_position,
        equal_slices_may_begin_at_any_two_addresses,
    }
}

/// All of them, and every seventh of a long slice.
fn positions(len: usize) -> impl Iterator<Item = usize> {
    (0..len).step_by(if len <= 130 { 1 } else { 7 })
}

/// What the rules say of a sum: lanes for floats.
fn sum<T: Sample>(values: &[T]) -> T {
    let width = 256 / size_of::<T>();
    if !T::FLOAT {
        return values.iter().fold(T::ZERO, |sum, value| sum.plus(*value));
    }
    let mut lanes = vec![T::ZERO; width];
    for (index, value) in values.iter().enumerate() {
        lanes[index % width] = lanes[index % width].plus(*value);
    }
    while lanes.len() > 1 {
        let upper = lanes.split_off(lanes.len() / 2);
        lanes.iter_mut().zip(upper).for_each(|(low, high)| *low = low.plus(high));
    }
    lanes[0]
}

fn sums_are_those_of_a_plain_loop<T: Sample>() {
    for isa in isas() {
        for len in lengths() {
            let values = samples::<T>(len, len as u64);
            let expected: Bits = sum(&values).into();
            let exact: i128 = values.iter().map(|value| value.exact()).sum();
            at_every_address(&values, |values| {
                // SAFETY: the machine has it; this goes for all of this file.
                let found: Bits = unsafe { (T::kernels(isa).sum)(values) }.into();
                assert_eq!(found, expected, "{isa:?}, {len} values");
                let long: Bits = T::long(values, isa).into();
                if let Bits::Integer(long) = long {
                    assert_eq!(long as u64, exact as u64, "{isa:?}, {len} values");
                    let fits = (T::BOTTOM.exact()..=T::TOP.exact()).contains(&exact);
                    let checked = fits.then_some(Bits::Integer(exact));
                    assert_eq!(T::checked(values, isa).map(Into::into), checked, "{isa:?}, {len} values");
                    let mean = Bits::from(exact as f64 / len as f64);
                    assert_eq!(Bits::from(T::mean(values, isa)), mean, "{isa:?}, {len} values");
                }
            });
        }
    }
}

#[test]
fn infinities_nan_and_zeros_reach_a_sum_from_every_position() {
    fn one_type<T: Sample + Into<f64> + From<f32>>() {
        let (above, below, zero) = (T::TOP, T::BOTTOM, T::from(-0.0));
        let mut pairs = vec![(above, zero), (below, zero), (zero, zero), (above, below), (above, above)];
        pairs.extend(T::NANS.iter().map(|nan| (*nan, zero)));
        for len in lengths() {
            let finite = samples::<T>(len, len as u64);
            // Over the lengths, each is at each position.
            for at in positions(len) {
                let (one, other) = pairs[(at + len) % pairs.len()];
                let mut values = finite.clone();
                values[(at * 7 + 1) % len] = other;
                values[at] = one;
                sums_of_floats(&values);
            }
            sums_of_floats(&vec![zero; len]);
        }
    }
    one_type::<f32>();
    one_type::<f64>();
}

/// All that is made of a sum, on all instructions, beside plain loops.
fn sums_of_floats<T: Sample + Into<f64>>(values: &[T]) {
    fn rule<T: Sample>(values: &[T]) -> T {
        if values.len() < SHORT {
            values.iter().fold(T::ZERO, |sum, value| sum.plus(*value))
        } else {
            sum(values)
        }
    }
    let wide: Vec<f64> = values.iter().map(|value| (*value).into()).collect();
    let mean = rule(&wide) / wide.len() as f64;
    let plain = rule(values);
    let checked: Option<Bits> = Into::<f64>::into(plain).is_finite().then(|| plain.into());
    for isa in isas() {
        // SAFETY: as above.
        let found: Bits = unsafe { (T::kernels(isa).sum)(values) }.into();
        assert_eq!(found, sum(values).into(), "{isa:?}, the sum of {values:?}");
        assert_eq!(T::long(values, isa).into(), rule(&wide).into(), "{isa:?}, the long sum of {values:?}");
        assert_eq!(Bits::from(T::mean(values, isa)), mean.into(), "{isa:?}, the mean of {values:?}");
        let found: Option<Bits> = T::checked(values, isa).map(Into::into);
        assert_eq!(found, checked, "{isa:?}, the checked sum of {values:?}");
    }
}

#[test]
fn a_long_sum_of_floats_is_that_of_the_same_values_as_f64() {
    for isa in isas() {
        for len in lengths() {
            let values = samples::<f32>(len, len as u64);
            let wide: Vec<f64> = values.iter().map(|value| f64::from(*value)).collect();
            let few = || wide.iter().fold(0.0, |sum, value| sum + value);
            let expected: Bits = if len < SHORT { few() } else { sum(&wide) }.into();
            at_every_address(&values, |values| {
                assert_eq!(Bits::from(f32::long(values, isa)), expected, "{isa:?}, {len} values");
            });
            assert_eq!(Bits::from(f64::long(&wide, isa)), expected);
        }
    }
}

#[test]
fn a_sum_of_many_narrow_integers_overflows_nothing_on_the_way() {
    for isa in isas() {
        assert_eq!(i8::long(&[i8::MIN; 70_001], isa), -128 * 70_001);
        assert_eq!(u8::long(&[u8::MAX; 70_001], isa), 255 * 70_001);
        assert_eq!(i16::long(&[i16::MIN; 70_001], isa), -32_768 * 70_001);
        assert_eq!(u16::long(&[u16::MAX; 70_001], isa), 65_535 * 70_001);
        assert_eq!(u32::long(&[u32::MAX; 70_001], isa), u64::from(u32::MAX) * 70_001);
    }
}

fn least_and_greatest_are_those_of_a_plain_loop<T: Sample>() {
    for isa in isas() {
        for len in lengths() {
            let values = samples::<T>(len, len as u64);
            let least = values.iter().fold(T::TOP, |m, v| if *v < m { *v } else { m });
            let most = values.iter().fold(T::BOTTOM, |m, v| if *v > m { *v } else { m });
            at_every_address(&values, |values| both_ends(values, isa, least, most, false));
            // Each end at each position, and NaN beside them.
            for at in positions(len) {
                let mut values = vec![T::ZERO; len];
                values[at] = T::BOTTOM;
                both_ends(&values, isa, T::BOTTOM, if len == 1 { T::BOTTOM } else { T::ZERO }, false);
                values[at] = T::TOP;
                both_ends(&values, isa, if len == 1 { T::TOP } else { T::ZERO }, T::TOP, false);
                for nan in T::NANS {
                    values[at] = *nan;
                    let (least, most) = if len == 1 { (T::TOP, T::BOTTOM) } else { (T::ZERO, T::ZERO) };
                    both_ends(&values, isa, least, most, true);
                }
            }
        }
    }
}

fn both_ends<T: Sample>(values: &[T], isa: Present, least: T, most: T, nan: bool) {
    let kernels = T::kernels(isa);
    // SAFETY: as above.
    let found = unsafe { ((kernels.min)(values), (kernels.max)(values), (kernels.min_max)(values)) };
    assert!(found.0.0 == least && found.0.1 == nan, "{isa:?}, least {:?} of {values:?}", found.0);
    assert!(found.1.0 == most && found.1.1 == nan, "{isa:?}, greatest {:?} of {values:?}", found.1);
    assert!(found.2 == (least, most, nan), "{isa:?}, both {:?} of {values:?}", found.2);
}

fn a_search_finds_the_first_at_every_position<T: Sample>() {
    for isa in isas() {
        // SAFETY: as above.
        let find = |values: &[T], wanted| unsafe { (T::kernels(isa).find)(values, wanted) };
        for len in lengths() {
            at_every_address(&vec![T::ZERO; len], |values| assert_eq!(find(values, T::TOP), None));
            for at in positions(len) {
                let mut values = vec![T::ZERO; len];
                values[at] = T::TOP;
                assert_eq!(find(&values, T::TOP), Some(at), "{isa:?}, {len} values");
                values[len - 1] = T::TOP;
                assert_eq!(find(&values, T::TOP), Some(at), "{isa:?}, {len} values");
            }
        }
    }
}

fn equal_numbers_are_counted<T: Sample>() {
    for isa in isas() {
        for len in lengths() {
            let values = samples::<T>(len, len as u64);
            for wanted in [T::ZERO, T::TOP, T::BOTTOM, T::NAN] {
                let expected = values.iter().filter(|value| **value == wanted).count();
                at_every_address(&values, |values| {
                    // SAFETY: as above.
                    let found = unsafe { (T::kernels(isa).count)(values, wanted) };
                    assert_eq!(found, expected, "{isa:?}, {wanted:?} in {values:?}");
                });
            }
        }
    }
}

fn one_difference_is_found_at_every_position<T: Sample>() {
    for isa in isas() {
        // SAFETY: as above; the lengths are the same.
        let equal = |one: &[T], other: &[T]| unsafe { (T::kernels(isa).equal)(one, other) };
        for len in lengths() {
            let values: Vec<T> = samples(len, len as u64);
            at_every_address(&values, |other| assert!(equal(&values, other), "{isa:?}, {len} values"));
            for at in positions(len) {
                let mut other = values.clone();
                other[at] = if other[at] == T::TOP { T::BOTTOM } else { T::TOP };
                assert!(!equal(&values, &other), "{isa:?}, {len} values, different at {at}");
                if T::FLOAT {
                    let mut nan = values.clone();
                    nan[at] = T::NAN;
                    assert!(!equal(&nan, &nan.clone()), "{isa:?}, {len} values, NaN at {at}");
                }
            }
        }
    }
}

fn equal_slices_may_begin_at_any_two_addresses<T: Sample>() {
    for len in [0, 1, 15, 16, 17, 64, 130] {
        let values: Vec<T> = samples(len, len as u64);
        let mut different = values.clone();
        if let Some(last) = different.last_mut() {
            *last = if *last == T::TOP { T::BOTTOM } else { T::TOP };
        }
        at_every_address(&values, |one| {
            for (other, same) in [(&values, true), (&different, len == 0)] {
                at_every_address(other, |other| {
                    for isa in isas() {
                        // SAFETY: as above; the lengths are the same.
                        let found = unsafe { (T::kernels(isa).equal)(one, other) };
                        assert_eq!(found, same, "{isa:?}, {len} values at {one:p} and {other:p}");
                    }
                });
            }
        });
    }
}
