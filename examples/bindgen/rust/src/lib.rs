//! Means and running sums: what `upcall bindgen` shows in C#, Python, TypeScript, Java and C.

use std::fmt;
use upcall::Blit;

/// What a list of numbers comes to.
#[derive(Clone, Copy, Blit)]
#[repr(C)]
pub struct Summary {
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// How many there are.
    pub count: u32,
}

/// The library's version: a plain C function needs no attribute but its own.
#[unsafe(no_mangle)]
pub extern "C" fn statistics_version() -> u32 {
    1
}

/// There is nothing to take the mean of.
#[derive(Debug)]
pub struct Empty;

impl fmt::Display for Empty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is nothing to take the mean of")
    }
}

/// The arithmetic mean.
#[upcall::export]
pub fn mean(values: &[f64]) -> Result<f64, Empty> {
    if values.is_empty() { Err(Empty) } else { Ok(values.iter().sum::<f64>() / values.len() as f64) }
}

/// Smallest and largest; zeroes of an empty list.
#[upcall::export]
pub fn summarize(values: &[f64]) -> Summary {
    let min = values.iter().copied().reduce(f64::min).unwrap_or(0.0);
    let max = values.iter().copied().reduce(f64::max).unwrap_or(0.0);
    Summary { min, max, count: values.len() as u32 }
}

/// How many of the values the caller wants to keep.
#[upcall::export]
pub fn count_if(values: &[f64], keep: &dyn Fn(f64) -> bool) -> u32 {
    values.iter().filter(|value| keep(**value)).count() as u32
}

/// A greeting.
#[upcall::export]
pub fn greet(name: &str) -> String {
    format!("hello, {name}")
}

/// A sum that remembers.
pub struct Sum(f64);

#[upcall::export]
impl Sum {
    /// A sum that begins here.
    pub fn new(start: f64) -> Sum {
        Sum(start)
    }

    /// Adds and tells the sum.
    pub fn add(&mut self, value: f64) -> f64 {
        self.0 += value;
        self.0
    }
}
