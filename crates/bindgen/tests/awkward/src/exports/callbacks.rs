//! Closures as parameters.

use super::values::Sample;
use std::ffi::c_void;

#[upcall::export]
fn count_if(values: &[i32], keep: &dyn Fn(i32) -> bool) -> u32 {
    values.iter().filter(|value| keep(**value)).count() as u32
}

#[upcall::export]
fn each_word(text: &str, visit: &mut dyn FnMut(&str, u32)) {
    for (word, index) in text.split(' ').zip(0..) {
        visit(word, index);
    }
}

#[upcall::export]
fn each_row(rows: &[[f32; 2]], visit: impl Fn(&[f32]) -> f32) -> f32 {
    rows.iter().map(|row| visit(row)).sum()
}

#[upcall::export]
fn sampled(count: u32, sample: &dyn Fn(&mut Sample)) -> Vec<Sample> {
    let mut samples = vec![Sample { at: 0, value: 0.0 }; count as usize];
    for (each, at) in samples.iter_mut().zip(0..) {
        each.at = at;
        sample(each);
    }
    samples
}

#[upcall::export]
fn apply(
    call: extern "C" fn(*mut c_void, i32) -> i32,
    context: *mut c_void,
    otherwise: Option<extern "C" fn(i32) -> i32>,
) -> i32 {
    call(context, otherwise.map_or(1, |otherwise| otherwise(2)))
}
