//! What the table in the module's documentation says.

use crate::reduce::*;

#[test]
fn nothing_has_a_sum_of_zero_and_neither_ends_nor_a_mean() {
    let none: [f32; 0] = [];
    assert_eq!(
        (sum(&none), sum_in_order(&none), sum_long(&none), checked_sum(&none)),
        (0.0, 0.0, 0.0, Some(0.0))
    );
    assert_eq!((mean(&none), min(&none), max(&none), min_max(&none)), (None, None, None, None));
    assert_eq!((min_number(&none), max_number(&none), min_max_number(&none)), (None, None, None));
    assert_eq!((contains(&none, 0.0), index_of(&none, 0.0), count_equal(&none, 0.0)), (false, None, 0));
    assert!(equal(&none, &none));
}

#[test]
fn a_sum_of_integers_wraps_a_long_one_does_not() {
    for len in [2, 20, 200] {
        let values = vec![i32::MAX; len];
        assert_eq!(sum(&values), (0..len).fold(0_i32, |sum, _| sum.wrapping_add(i32::MAX)));
        assert_eq!(sum_long(&values), i64::from(i32::MAX) * len as i64);
        assert_eq!(sum_long(&vec![u64::MAX; len]), (len as u64).wrapping_neg());
    }
}

#[test]
fn a_checked_sum_fails_only_if_the_exact_sum_does_not_fit() {
    for rest in [0, 50] {
        let mut values = vec![i64::MAX, i64::MAX, i64::MIN, i64::MIN, 7];
        values.resize(5 + rest, 0);
        assert_eq!(checked_sum(&values), Some(5));
        values.push(i64::MAX);
        assert_eq!(checked_sum(&values), None);
        let mut values = vec![u64::MAX];
        values.resize(1 + rest, 0);
        assert_eq!(checked_sum(&values), Some(u64::MAX));
        values.push(1);
        assert_eq!(checked_sum(&values), None);
        let mut values = vec![i8::MIN];
        values.resize(1 + rest, 0);
        assert_eq!(checked_sum(&values), Some(-128));
        values.push(-1);
        assert_eq!(checked_sum(&values), None);
    }
    assert_eq!(checked_sum(&[f32::MAX; 2]), None);
    assert_eq!(checked_sum(&[1.0, f64::NAN]), None);
    assert_eq!(checked_sum(&[1.5_f64; 100]), Some(150.0));
}

#[test]
fn a_mean_does_not_overflow() {
    for len in [3, 300] {
        assert_eq!(mean(&vec![i64::MIN; len]), Some(i64::MIN as f64));
        assert_eq!(mean(&vec![u64::MAX; len]), Some(u64::MAX as f64));
        assert_eq!(mean(&vec![f32::MAX; len]), Some(f64::from(f32::MAX)));
        assert_eq!(mean(&vec![-3_i8; len]), Some(-3.0));
    }
    assert_eq!(mean(&[1_u8, 2]), Some(1.5));
}

#[test]
fn an_ordered_sum_is_that_of_a_loop_to_the_bit() {
    let values: Vec<f32> = (0..1000).map(|n| (n as f32 * 0.37).sin() * 10_f32.powi(n % 20 - 10)).collect();
    let mut expected = 0.0;
    for value in &values {
        expected += value;
    }
    assert_eq!(sum_in_order(&values).to_bits(), expected.to_bits());
    assert_ne!(sum(&values).to_bits(), expected.to_bits(), "the lanes have another order");
}

#[test]
fn a_sum_is_never_negative_zero() {
    for len in 0..=130 {
        assert_eq!(sum(&vec![-0.0_f32; len]).to_bits(), 0);
        assert_eq!(sum_in_order(&vec![-0.0_f64; len]).to_bits(), 0);
        assert_eq!(sum_long(&vec![-0.0_f32; len]).to_bits(), 0);
    }
}

#[test]
fn a_checked_and_a_long_sum_add_in_the_order_of_a_sum() {
    fn agree<T: Number<Long = f64> + Into<f64>>(values: &[T]) {
        let plain: f64 = sum(values).into();
        let checked = checked_sum(values).map(Into::into);
        assert_eq!(checked.map(f64::to_bits), plain.is_finite().then_some(plain.to_bits()));
        if size_of::<T>() == 8 {
            assert_eq!(sum_long(values).to_bits(), plain.to_bits());
            assert_eq!(mean(values).unwrap().to_bits(), (plain / values.len() as f64).to_bits());
        }
    }
    agree(&[1e16_f64, 1.0, -1e16]);
    agree(&[f32::MAX, f32::MAX, -f32::MAX]);
    for len in 1..=130 {
        let values: Vec<f64> = (0..len).map(|n| (n as f64 * 0.37).sin() * 10_f64.powi(n % 40 - 20)).collect();
        agree(&values);
        agree(&values.iter().map(|value| *value as f32).collect::<Vec<_>>());
    }
}

#[test]
fn infinities_are_numbers_and_their_difference_is_not() {
    for len in [2, 130] {
        let mut values = vec![1.0_f64; len];
        values[0] = f64::INFINITY;
        assert_eq!((sum(&values), min_max(&values)), (f64::INFINITY, Some((1.0, f64::INFINITY))));
        values[len - 1] = f64::NEG_INFINITY;
        assert!(sum(&values).is_nan());
        assert_eq!(min_max(&values), Some((f64::NEG_INFINITY, f64::INFINITY)));
    }
}

#[test]
fn nan_decides_the_ends_wherever_it_is_unless_numbers_are_asked_for() {
    for len in 1..=130 {
        for at in 0..len {
            let mut values = vec![2.0_f32; len];
            values[at] = f32::NAN;
            let (least, greatest) = min_max(&values).unwrap();
            assert!(least.is_nan() && greatest.is_nan());
            assert!(min(&values).unwrap().is_nan() && max(&values).unwrap().is_nan());
            let numbers =
                [min_number(&values), max_number(&values), min_max_number(&values).map(|both| both.0)];
            for found in numbers.map(Option::unwrap) {
                assert!(if len == 1 { found.is_nan() } else { found == 2.0 }, "{found} of {len}");
            }
        }
        let nan = vec![f64::NAN; len];
        assert!(min_number(&nan).unwrap().is_nan() && max_number(&nan).unwrap().is_nan());
        assert!(min_max_number(&nan).unwrap().0.is_nan());
    }
}

#[test]
fn an_infinity_beside_nan_is_a_number() {
    for len in [2, 40] {
        let mut values = vec![f64::NAN; len];
        values[len / 2] = f64::INFINITY;
        assert_eq!((min_number(&values), max_number(&values)), (Some(f64::INFINITY), Some(f64::INFINITY)));
        assert_eq!(min_max_number(&values), Some((f64::INFINITY, f64::INFINITY)));
        values[len / 2] = f64::NEG_INFINITY;
        assert_eq!(max_number(&values), Some(f64::NEG_INFINITY));
        assert_eq!(min_max_number(&values), Some((f64::NEG_INFINITY, f64::NEG_INFINITY)));
    }
}

#[test]
fn zeros_of_either_sign_are_one_number() {
    for len in 1..=130 {
        let mut values = vec![0.0_f64; len];
        for at in 0..len {
            values[at] = -0.0;
            assert_eq!(min(&values).unwrap().to_bits(), 0);
            assert_eq!(max(&values).unwrap().to_bits(), 0);
            assert_eq!(min_max(&values).map(|(a, b)| (a.to_bits(), b.to_bits())), Some((0, 0)));
        }
        assert_eq!((index_of(&values, 0.0), count_equal(&values, 0.0)), (Some(0), len));
        assert!(equal(&values, &vec![0.0; len]));
    }
}

#[test]
fn nan_equals_nothing() {
    for len in [1, 15, 16, 100] {
        let values = vec![f32::NAN; len];
        assert!(
            !contains(&values, f32::NAN) && count_equal(&values, f32::NAN) == 0 && !equal(&values, &values)
        );
    }
}

#[test]
fn slices_of_different_lengths_differ() {
    assert!(!equal(&[1_u8; 40], &[1; 41]) && !equal(&[1_u8; 3], &[1; 2]) && equal(&[1_u8; 41], &[1; 41]));
}

#[test]
fn the_current_instructions_are_there_and_have_a_name() {
    assert!(Instructions::current().is_available() && Instructions::Portable.is_available());
    assert_eq!(Instructions::current(), Instructions::current());
    assert_eq!(Instructions::Avx512.name(), "avx512");
}
