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
fn for_one_thread(call: Box<dyn Fn(i32) + Send>) {}

#[upcall::export]
fn changing(call: Box<dyn FnMut(i32) + Send + Sync>) {}

#[upcall::export]
fn borrowing<'a>(call: Box<dyn Fn(i32) + Send + Sync + 'a>) {}

#[upcall::export]
fn counted(call: std::sync::Arc<dyn Fn(i32) + Send + Sync>) {}

#[upcall::export]
fn no_function(call: Box<dyn std::fmt::Debug + Send + Sync>) {}

#[upcall::export]
fn perhaps(call: Option<Box<dyn Fn(i32) + Send + Sync>>) {}

#[upcall::export]
fn nested_kept(call: Box<dyn Fn(Box<dyn Fn() + Send + Sync>) + Send + Sync>) {}

#[upcall::export]
fn shared(call: &dyn FnMut(i32)) {}

#[upcall::export]
fn nested(call: &dyn Fn(&dyn Fn(i32))) {}

#[upcall::export]
fn text(call: &dyn Fn() -> String) {}

fn main() {}
