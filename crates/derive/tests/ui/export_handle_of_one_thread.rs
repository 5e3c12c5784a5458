//! A handle may come back on any thread.
#![allow(unused)]

use std::cell::Cell;
use std::rc::Rc;

struct Shared(Rc<u8>);

#[upcall::export]
impl Shared {}

struct Counter(Cell<u8>);

#[upcall::export]
impl Counter {}

fn main() {}
