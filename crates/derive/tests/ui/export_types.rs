//! Types that the compiler finds unfit.
#![allow(unused)]

struct Plain {
    x: f32,
}

enum Turn {
    Left,
}

struct Counter;

#[upcall::export]
impl Counter {}

#[upcall::export]
fn by_value(plain: Plain) {}

#[upcall::export]
fn by_reference(plain: &Plain) {}

#[upcall::export]
fn an_enum(turn: Turn) {}

#[upcall::export]
fn a_handle(counter: Counter) {}

#[upcall::export]
fn flags(flags: &[bool]) {}

#[upcall::export]
fn returned() -> Plain {
    Plain { x: 1.0 }
}

#[upcall::export]
fn listed() -> Vec<String> {
    Vec::new()
}

fn main() {}
