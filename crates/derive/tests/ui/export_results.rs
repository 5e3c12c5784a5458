//! What result cannot be returned.
#![allow(unused)]

#[upcall::export]
fn maybe() -> Option<u32> {
    None
}

#[upcall::export]
fn borrowed(text: &str) -> &str {
    text
}

#[upcall::export]
fn part(list: &[u8]) -> &[u8] {
    list
}

#[upcall::export]
fn pair() -> (i32, i32) {
    (1, 2)
}

#[upcall::export]
fn numbers() -> [f32; 3] {
    [1.0; 3]
}

#[upcall::export]
fn iterator() -> impl Iterator<Item = u8> {
    std::iter::empty()
}

#[upcall::export]
fn boxed() -> Box<u8> {
    Box::new(1)
}

#[upcall::export]
fn twice() -> Result<Result<u8, String>, String> {
    Ok(Ok(1))
}

#[upcall::export]
fn never() -> ! {
    loop {}
}

fn main() {}
