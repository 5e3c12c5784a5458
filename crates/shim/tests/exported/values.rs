use std::fmt;
use upcall::{Blit, Code, Enum};

#[derive(Clone, Copy, Blit)]
#[repr(C)]
struct Point {
    x: f32,
    y: f64,
}

#[derive(Clone, Copy, Enum)]
#[repr(i16)]
enum Turn {
    Left = -300,
    Straight = 0,
    Right = 1 << 9,
}

#[upcall::export]
fn add(a: i32, b: i32) -> i32 {
    a.checked_add(b).expect("the sum is too large")
}

#[upcall::export(name = "toggled")]
fn toggle(value: bool) -> bool {
    !value
}

#[upcall::export]
fn next_char(value: char) -> Result<char, &'static str> {
    char::from_u32(value as u32 + 1).ok_or("there is none")
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
fn moved(mut point: Point, by: &Point) -> Point {
    point.x += by.x;
    point.y += by.y;
    point
}

#[upcall::export]
fn move_in_place(point: &mut Point, by: Option<&Point>) -> bool {
    if let Some(by) = by {
        point.x += by.x;
        point.y += by.y;
    }
    by.is_some()
}

#[upcall::export]
fn wide(a: u128, size: usize) -> i128 {
    -((a + size as u128) as i128)
}

#[upcall::export]
fn greet(name: &str) -> String {
    format!("hello, {name}")
}

#[upcall::export(crate = crate::elsewhere, name = "length")]
fn len(text: &str) -> Result<usize, String> {
    if text.is_empty() { Err("there is no text".into()) } else { Ok(text.len()) }
}

#[upcall::export]
fn version() -> &'static str {
    "1.2"
}

#[upcall::export]
fn sum(values: &[f32]) -> f32 {
    values.iter().sum()
}

#[upcall::export]
fn add_to(values: &mut [f32], others: &[f32]) {
    for (value, other) in values.iter_mut().zip(others) {
        *value += other;
    }
}

#[upcall::export]
fn points(count: u32) -> Vec<Point> {
    (0..count).map(|index| Point { x: index as f32, y: 0.5 }).collect()
}

#[derive(Debug)]
enum ParseError {
    Empty,
    NotANumber(String),
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseError::Empty => f.write_str("the text is empty"),
            ParseError::NotANumber(text) => write!(f, "`{text}` is no number"),
        }
    }
}

impl Code for ParseError {
    fn code(&self) -> i32 {
        match self {
            ParseError::Empty => 10,
            ParseError::NotANumber(_) => 11,
        }
    }
}

#[upcall::export]
fn parse(text: &str) -> Result<i64, ParseError> {
    if text.is_empty() {
        return Err(ParseError::Empty);
    }
    text.parse().map_err(|_| ParseError::NotANumber(text.to_owned()))
}

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

#[upcall::export]
fn first_line(text: &str) -> Result<String, Box<dyn std::error::Error>> {
    fn inner(text: &str) -> Outcome<String> {
        Ok(text.lines().next().ok_or("no line")?.to_owned())
    }
    inner(text)
}

#[upcall::export]
fn nothing(fail: bool) -> Result<(), String> {
    if fail { Err("as asked".into()) } else { Ok(()) }
}

struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

#[upcall::export]
fn panic_with(kind: u8) {
    match kind {
        0 => panic!("plain"),
        1 => panic!("formatted {}", kind),
        2 => std::panic::panic_any(7),
        _ => std::panic::panic_any(Bomb),
    }
}

/// # Safety
/// `at` must be the address of a number.
#[upcall::export]
unsafe fn read_number(at: *const u32) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { *at }
}

/// Keeps the names in scope from clashing with those that the shim uses.
#[upcall::export]
fn awkward(failure: u8, scope: u8, raw0: u8, r#type: u8, _: u8, argument0: u8) -> u8 {
    failure + scope + raw0 + r#type + argument0
}
