//! What an argument refers to is there for the length of the call.
#![allow(unused)]

type Text = &'static str;

trait Kept {}
impl Kept for &'static [u8] {}

#[upcall::export]
fn keep<'a>(bytes: &'a [u8])
where
    &'a [u8]: Kept,
{
}

#[upcall::export]
fn alias(text: Text) {}

fn main() {}
