use std::ffi::c_void;
use upcall::Blit;

#[derive(Clone, Copy, Blit)]
#[repr(C)]
struct Pair {
    key: u32,
    value: u32,
}

#[upcall::export]
fn count_if(values: &[i32], keep: &dyn Fn(i32) -> bool) -> u32 {
    values.iter().filter(|value| keep(**value)).count() as u32
}

#[upcall::export]
fn each_word(text: &str, visit: &mut dyn FnMut(&str, u32)) {
    for (index, word) in text.split(' ').enumerate() {
        visit(word, index as u32);
    }
}

#[upcall::export]
fn each_row(rows: &[[f32; 2]], visit: impl Fn(&[f32]) -> f32) -> f32 {
    rows.iter().map(|row| visit(row)).sum()
}

#[upcall::export]
fn fill(count: u32, make: &dyn Fn(&mut Pair)) -> Vec<Pair> {
    let mut pairs = vec![Pair { key: 0, value: 0 }; count as usize];
    pairs.iter_mut().zip(0..).for_each(|(pair, key)| {
        pair.key = key;
        make(pair);
    });
    pairs
}

#[upcall::export]
fn apply(
    call: extern "C" fn(*mut c_void, i32) -> i32,
    context: *mut c_void,
    otherwise: Option<extern "C" fn(i32) -> i32>,
) -> i32 {
    call(context, otherwise.map_or(1, |otherwise| otherwise(2)))
}
