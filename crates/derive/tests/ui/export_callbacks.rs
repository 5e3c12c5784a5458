//! What callback cannot be taken.
#![allow(unused)]

#[upcall::export]
fn in_rust(call: fn(i32) -> i32) {}

#[upcall::export]
fn elsewhere(call: &(dyn Fn(i32) + Send)) {}

#[upcall::export]
fn kept(call: impl Fn(i32) + 'static) {}

#[upcall::export]
fn boxed(call: Box<dyn Fn(i32)>) {}

#[upcall::export]
fn shared(call: &dyn FnMut(i32)) {}

#[upcall::export]
fn nested(call: &dyn Fn(&dyn Fn(i32))) {}

#[upcall::export]
fn text(call: &dyn Fn() -> String) {}

fn main() {}
