//! What kind of function cannot be exported.
#![allow(unused)]

#[upcall::export]
fn generic<T: Copy>(value: T) {}

#[upcall::export]
fn sized<const N: usize>(values: &[[f32; N]]) {}

#[upcall::export]
async fn later() {}

#[upcall::export]
extern "C" fn already(value: i32) -> i32 {
    value
}

#[upcall::export]
fn conditional(#[cfg(unix)] value: i32) {}

fn main() {}
