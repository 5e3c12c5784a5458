//! What programs in other languages do their worst with.

mod kept;
mod operations;

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::Duration;
static LIVE: AtomicUsize = AtomicUsize::new(0);
/// How many Counters live.
#[upcall::export]
pub fn live() -> u64 {
    LIVE.load(SeqCst) as u64
}
pub struct Counter {
    value: i64,
    tail: [i64; 32],
}
#[upcall::export]
impl Counter {
    pub fn new(start: i64) -> Counter {
        LIVE.fetch_add(1, SeqCst);
        Counter { value: start, tail: [7; 32] }
    }
    pub fn add(&mut self, by: i64) -> i64 {
        self.value += by;
        self.value
    }
    pub fn get(&self) -> i64 {
        assert_eq!(self.tail[31], 7);
        self.value
    }
    /// Sleeps, then looks.
    pub fn slow(&self, millis: u64) -> i64 {
        thread::sleep(Duration::from_millis(millis));
        assert_eq!(self.tail[31], 7);
        self.value
    }
    pub fn each(&self, times: u32, f: &dyn Fn(u32) -> i32) -> i64 {
        let mut s = 0;
        for i in 0..times {
            s += f(i) as i64;
            assert_eq!(self.tail[31], 7);
        }
        s + self.value
    }
    pub fn merge(&mut self, other: &Counter) -> i64 {
        self.value += other.value;
        self.value
    }
    pub fn child(&self, f: &dyn Fn(i32) -> i32) -> Counter {
        f(1);
        LIVE.fetch_add(1, SeqCst);
        Counter { value: self.value, tail: [7; 32] }
    }
}
impl Drop for Counter {
    fn drop(&mut self) {
        LIVE.fetch_sub(1, SeqCst);
        self.tail = [0; 32];
    }
}
pub struct Names {
    list: Vec<String>,
}
#[upcall::export]
impl Names {
    pub fn new() -> Names {
        Names { list: Vec::new() }
    }
    pub fn push(&mut self, name: &str) -> u64 {
        self.list.push(name.into());
        self.list.len() as u64
    }
    pub fn get(&self, at: u64) -> Result<String, String> {
        self.list.get(at as usize).cloned().ok_or_else(|| format!("none at {at}"))
    }
    pub fn count_like(&self, counter: &Counter) -> i64 {
        counter.get() + self.list.len() as i64
    }
}
#[derive(Clone, Copy, upcall::Blit)]
#[repr(C)]
pub struct Point {
    pub x: f32,
    pub y: f64,
}
#[derive(Clone, Copy, Debug, PartialEq, upcall::Enum)]
#[repr(u8)]
pub enum Color {
    Red = 1,
    Green = 2,
    Blue = 5,
}
#[upcall::export]
pub fn next_color(color: Color) -> Color {
    match color {
        Color::Red => Color::Green,
        Color::Green => Color::Blue,
        Color::Blue => Color::Red,
    }
}
#[upcall::export]
pub fn ask_color(f: &dyn Fn(u32) -> Color) -> Color {
    f(3)
}
#[upcall::export]
pub fn ask_char(f: &dyn Fn(u32) -> char) -> char {
    f(3)
}
#[upcall::export]
pub fn ask_bool(f: &dyn Fn(bool) -> bool) -> bool {
    f(true)
}
#[upcall::export]
pub fn flip(on: bool, c: char) -> bool {
    !on && c != 'x'
}
#[upcall::export]
pub fn sum(values: &[f32]) -> f64 {
    values.iter().map(|v| *v as f64).sum()
}
#[upcall::export]
pub fn sum_u64(values: &[u64]) -> u64 {
    values.iter().fold(0, |a, b| a.wrapping_add(*b))
}
#[upcall::export]
pub fn fill(values: &mut [i32], with: i32) -> u64 {
    values.fill(with);
    values.len() as u64
}
#[upcall::export]
pub fn sum_points(points: &[Point]) -> f64 {
    points.iter().map(|p| p.x as f64 + p.y).sum()
}
#[upcall::export]
pub fn scale(points: &mut [Point], by: f64) {
    for p in points {
        p.x *= by as f32;
        p.y *= by;
    }
}
#[upcall::export]
pub fn bump(point: &mut Point) -> f64 {
    point.x += 1.0;
    point.y += 1.0;
    point.y
}
#[upcall::export]
pub fn bump_maybe(point: Option<&Point>) -> f64 {
    point.map_or(-1.0, |p| p.y)
}
#[upcall::export]
pub fn make_points(count: u64) -> Vec<Point> {
    (0..count).map(|i| Point { x: i as f32, y: 2.0 * i as f64 }).collect()
}
#[upcall::export]
pub fn make_floats(count: u64) -> Vec<f32> {
    (0..count).map(|i| i as f32).collect()
}
#[upcall::export]
pub fn shout(text: &str) -> String {
    text.to_uppercase()
}
#[upcall::export]
pub fn text_len(text: &str) -> u64 {
    text.len() as u64
}
#[upcall::export]
pub fn nothing_text() -> String {
    String::new()
}
#[upcall::export]
pub fn fails(code: i32) -> Result<i32, String> {
    if code == 0 { Ok(1) } else { Err(format!("code {code}")) }
}
#[upcall::export]
pub fn panics(text: &str) -> i32 {
    panic!("{text}")
}
#[upcall::export]
pub fn echo_i8(v: i8) -> i8 {
    v
}
#[upcall::export]
pub fn echo_u32(v: u32) -> u32 {
    v
}
#[upcall::export]
pub fn echo_u64(v: u64) -> u64 {
    v
}
#[upcall::export]
pub fn echo_i64(v: i64) -> i64 {
    v
}
#[upcall::export]
pub fn echo_f32(v: f32) -> f32 {
    v
}
#[upcall::export]
pub fn echo_usize(v: usize) -> usize {
    v
}
/// Calls back, and returns what is owned.
#[upcall::export]
pub fn text_of(f: &dyn Fn(i32) -> i32) -> String {
    let n = f(1);
    format!("{n}{}", " ".repeat(100000))
}
#[upcall::export]
pub fn floats_of(f: &dyn Fn(i32) -> i32) -> Vec<f32> {
    f(1);
    vec![1.0; 100000]
}
#[upcall::export]
pub fn fails_after(f: &dyn Fn(i32) -> i32) -> Result<i32, String> {
    let got = f(1);
    if got == 0 { Err("x".repeat(100000)) } else { Ok(got) }
}
#[upcall::export]
pub fn apply(f: &dyn Fn(i32) -> i32, v: i32) -> i32 {
    f(v)
}
#[upcall::export]
pub fn apply_many(f: &dyn Fn(i32) -> i32, times: i32) -> i64 {
    (0..times).map(|i| f(i) as i64).sum()
}
/// From another thread, while the caller waits.
#[upcall::export]
pub fn apply_elsewhere(f: extern "C" fn(*mut c_void, i32) -> i32, context: *mut c_void, v: i32) -> i32 {
    let context = context as usize;
    thread::spawn(move || f(context as *mut c_void, v)).join().unwrap()
}
#[upcall::export]
pub fn show_text(f: &dyn Fn(&str) -> i32) -> i32 {
    let text = String::from("temporary");
    f(&text)
}
#[upcall::export]
pub fn show_slice(f: &dyn Fn(&[f32]) -> i32) -> i32 {
    let v = vec![2.5f32; 64];
    f(&v)
}
#[upcall::export]
pub fn show_point(f: &dyn Fn(&Point) -> i32) -> i32 {
    let p = Box::new(Point { x: 1.0, y: 2.0 });
    f(&p)
}

/// Bytes of memory that the process has.
#[upcall::export]
pub fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0u64) * 4096
}
