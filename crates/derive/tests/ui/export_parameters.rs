//! What parameter cannot be taken.
#![allow(unused)]

use std::fmt::Display;

#[upcall::export]
fn owned(text: String, list: Vec<u8>, boxed: Box<u8>) {}

#[upcall::export]
fn referred(text: &String, list: &Vec<u8>, grown: &mut Vec<u8>, written: &mut str) {}

#[upcall::export]
fn aggregates(pair: (i32, i32), numbers: [f32; 3]) {}

#[upcall::export]
fn optional(number: Option<u32>, text: Option<&str>) {}

#[upcall::export]
fn forever(text: &'static str) {}

#[upcall::export]
fn twice(text: &&str, result: Result<u8, u8>) {}

#[upcall::export]
fn traits(shown: &dyn Display, iterated: impl Iterator<Item = u8>) {}

fn main() {}
