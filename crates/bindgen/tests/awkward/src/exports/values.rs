//! Text, slices, owned buffers, results and values that are checked when they come in.

use std::fmt;
use upcall::{Blit, Code, Enum, export};

#[derive(Clone, Copy, Blit)]
#[repr(C)]
pub struct Sample {
    pub at: u32,
    pub value: f64,
}

/// Which way.
#[derive(Clone, Copy, Enum)]
#[repr(i16)]
pub enum Turn {
    Left = -300,
    Straight,
    Right = 1 << 9,
}

/// Adds, and panics where it cannot.
#[upcall::export]
fn checked_add(left: i32, right: i32) -> i32 {
    left.checked_add(right).expect("the sum is too large")
}

#[upcall::export(name = "toggled")]
fn toggle(value: bool) -> bool {
    !value
}

#[upcall::export]
fn opposite(turn: Turn) -> Turn {
    match turn {
        Turn::Left => Turn::Right,
        Turn::Straight => Turn::Straight,
        Turn::Right => Turn::Left,
    }
}

#[upcall::export]
fn char_after(value: char) -> Result<char, &'static str> {
    char::from_u32(value as u32 + 1).ok_or("there is none")
}

#[upcall::export]
fn wide_sum(left: u128, right: i128) -> i128 {
    right.wrapping_add_unsigned(left)
}

/// Greets.
///
/// With a comma.
#[export]
fn greet(name: &str) -> String {
    format!("hello, {name}")
}

#[deprecated(note = "ask the library's own version")]
#[export]
fn edition() -> &'static str {
    "2024"
}

#[export]
fn sum(values: &[f32]) -> f32 {
    values.iter().sum()
}

#[export]
fn add_to(values: &mut [f32], others: &[f32]) {
    for (value, other) in values.iter_mut().zip(others) {
        *value += other;
    }
}

#[export]
fn rows_sum(rows: &[[i16; 2]]) -> i32 {
    rows.iter().flatten().map(|value| i32::from(*value)).sum()
}

#[export]
fn samples(count: u32) -> Vec<Sample> {
    (0..count).map(|at| Sample { at, value: f64::from(at) / 2.0 }).collect()
}

#[export]
fn moved(mut sample: Sample, by: &Sample) -> Sample {
    sample.at += by.at;
    sample.value += by.value;
    sample
}

/// Whether there was anything to move by.
#[export]
fn move_in_place(sample: &mut Sample, by: Option<&Sample>) -> bool {
    if let Some(by) = by {
        *sample = moved(*sample, by);
    }
    by.is_some()
}

/// Why a text is not a number.
pub enum NotANumber {
    Empty,
    Other(String),
}

impl fmt::Display for NotANumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotANumber::Empty => f.write_str("the text is empty"),
            NotANumber::Other(text) => write!(f, "`{text}` is not a number"),
        }
    }
}

impl Code for NotANumber {
    fn code(&self) -> i32 {
        match self {
            NotANumber::Empty => 10,
            NotANumber::Other(_) => 11,
        }
    }
}

#[export]
fn parse(text: &str) -> Result<i64, NotANumber> {
    if text.is_empty() {
        return Err(NotANumber::Empty);
    }
    text.parse().map_err(|_| NotANumber::Other(text.to_owned()))
}

#[export]
fn words(text: &str) -> Result<Vec<u32>, Box<dyn std::error::Error>> {
    Ok(text.split_whitespace().map(|word| word.parse()).collect::<Result<_, _>>()?)
}

#[export]
fn nothing(fail: bool) -> Result<(), String> {
    if fail { Err("as asked".into()) } else { Ok(()) }
}

/// # Safety
/// `at` must be the address of a number.
#[export]
unsafe fn read_number(at: *const u32) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { *at }
}

/// Names that the shim itself uses.
#[export]
fn shadows(failure: u8, scope: u8, r#type: u8, _: u8) -> u8 {
    failure + scope + r#type
}
