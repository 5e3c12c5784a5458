//! The accurate sum: as its rule says on all instructions, and within its bound.

use super::sample::{Bits, Sample, at_every_address, for_all_numbers, isas, samples};
use crate::reduce::{sum, sum_in_order, sum_pairwise};

/// Ends of lanes, of stripes, of blocks, and of pairs of them on several levels.
fn lengths() -> impl Iterator<Item = usize> {
    let ends =
        [256, 512, 1024, 1536, 2048, 4096, 7 * 512, 8 * 512, 31 * 512].map(|end| [end - 1, end, end + 1]);
    (0..=130).chain(ends.into_iter().flatten()).chain([300, 5000, 20_000])
}

/// What the rules say, by recursion.
fn rule<T: Sample>(values: &[T]) -> T {
    if !T::FLOAT {
        return values.iter().fold(T::ZERO, |sum, value| sum.plus(*value));
    }
    let width = 256 / size_of::<T>();
    let blocks = values.len() / (8 * width);
    let mut parts = Vec::new();
    let mut rest = values;
    // The largest power of two of blocks, then that of what is left.
    for level in (0..usize::BITS).rev().filter(|level| blocks >> level & 1 == 1) {
        let (part, behind) = rest.split_at((8 * width) << level);
        parts.push(pairs(part, width));
        rest = behind;
    }
    let mut lanes = in_lanes(rest, width);
    while let Some(part) = parts.pop() {
        lanes = added(part, &lanes);
    }
    while lanes.len() > 1 {
        let upper = lanes.split_off(lanes.len() / 2);
        lanes = added(lanes, &upper);
    }
    lanes[0]
}

fn pairs<T: Sample>(values: &[T], width: usize) -> Vec<T> {
    if values.len() == 8 * width {
        return in_lanes(values, width);
    }
    let (one, other) = values.split_at(values.len() / 2);
    added(pairs(one, width), &pairs(other, width))
}

fn in_lanes<T: Sample>(values: &[T], width: usize) -> Vec<T> {
    let mut lanes = vec![T::ZERO; width];
    for (index, value) in values.iter().enumerate() {
        lanes[index % width] = lanes[index % width].plus(*value);
    }
    lanes
}

fn added<T: Sample>(mut one: Vec<T>, other: &[T]) -> Vec<T> {
    one.iter_mut().zip(other).for_each(|(one, other)| *one = one.plus(*other));
    one
}

fn are_those_of_the_rule<T: Sample>() {
    for isa in isas() {
        for len in lengths() {
            let values = samples::<T>(len, len as u64);
            let expected: Bits = rule(&values).into();
            at_every_address(&values, |values| {
                // SAFETY: the machine has it.
                let found: Bits = unsafe { (T::kernels(isa).pairwise)(values) }.into();
                assert_eq!(found, expected, "{isa:?}, {len} values");
            });
        }
    }
}

mod all {
    super::for_all_numbers! { are_those_of_the_rule }
}

/// A sum and what rounding took from it.
fn exact(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0_f64, 0.0);
    for value in values {
        let next = sum + value;
        let of_value = next - sum;
        lost += (sum - (next - of_value)) + (value - of_value);
        sum = next;
    }
    sum + lost
}

/// Numbers of many sizes and both signs.
fn number(seed: &mut u64) -> f64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    let size = [1.0, 1e-3, 1e3, 7e-6][(*seed >> 60) as usize % 4];
    (*seed as i32 as f64) / 2e9 * size + 0.1
}

#[test]
fn the_error_stays_within_the_bound_that_is_documented() {
    let mut seed = 0x2545_F491_4F6C_DD1D;
    for len in [1, 2, 15, 16, 100, 513, 1000, 4097, 33_333, 1_000_000] {
        let wide: Vec<f64> = (0..len).map(|_| number(&mut seed)).collect();
        let narrow: Vec<f32> = wide.iter().map(|value| *value as f32).collect();
        let depth = 5.0 + (len as f64).log2();
        let within = |found: f64, right: f64, most: f64| {
            assert!((found - right).abs() <= most, "{len} values: {found} for {right}, within {most}");
        };
        let size: f64 = wide.iter().map(|value| value.abs()).sum();
        within(sum_pairwise(&wide), exact(wide.iter().copied()), depth * 2_f64.powi(-53) * size);
        let right = exact(narrow.iter().map(|value| f64::from(*value)));
        within(sum_pairwise(&narrow).into(), right, depth * 2_f64.powi(-24) * size);
    }
}

#[test]
fn it_is_nearer_than_the_fast_sum_and_the_sum_in_order() {
    let tenths = vec![0.1_f32; 10_000_000];
    let right = f64::from(0.1_f32) * 1e7;
    let [in_order, fast, pairwise] = [sum_in_order(&tenths), sum(&tenths), sum_pairwise(&tenths)]
        .map(|found| (f64::from(found) - right).abs());
    assert!(pairwise < 0.2 && pairwise < fast && fast < in_order, "{pairwise}, {fast}, {in_order}");
}

#[test]
fn nothing_has_the_sum_zero_and_nan_and_infinities_reach_it() {
    assert_eq!(sum_pairwise::<f32>(&[]).to_bits(), 0);
    assert_eq!(sum_pairwise(&[-0.0_f64; 700]).to_bits(), 0);
    assert_eq!(sum_pairwise(&[i32::MAX, 1]), i32::MIN);
    for len in [1, 20, 600, 5000] {
        for at in (0..len).step_by(37) {
            let mut values = vec![1.0_f32; len];
            values[at] = f32::NAN;
            assert!(sum_pairwise(&values).is_nan());
            values[at] = f32::NEG_INFINITY;
            assert_eq!(sum_pairwise(&values), f32::NEG_INFINITY);
        }
    }
}
