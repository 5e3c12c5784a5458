//! A struct that crosses by value has no address to hold it by.
#![allow(unused)]

use upcall::Blit;

#[derive(Clone, Copy, Blit)]
#[repr(C)]
struct Point {
    x: f32,
}

#[upcall::export]
impl Point {}

fn main() {}
