//! What is neither a function nor an impl block.
#![allow(unused)]

#[upcall::export]
struct Point;

#[upcall::export]
enum Turn {
    Left,
}

#[upcall::export]
trait Shape {}

#[upcall::export]
const ONE: u8 = 1;

fn main() {}
