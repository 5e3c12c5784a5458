//! A second block of a handle says so.
#![allow(unused)]

struct Counter;

#[upcall::export]
impl Counter {}

#[upcall::export]
impl Counter {}

fn main() {}
