//! Handles: types whose values live on the heap and are known by their addresses.

use std::sync::atomic::{AtomicI32, Ordering};

static LIVE: AtomicI32 = AtomicI32::new(0);

/// Counts words.
pub struct WordCounter {
    count: u64,
}

impl Drop for WordCounter {
    fn drop(&mut self) {
        LIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

#[upcall::export]
impl WordCounter {
    /// The largest count.
    pub const MOST: u64 = 1000;

    /// One that starts there.
    pub fn new(start: u64) -> Self {
        LIVE.fetch_add(1, Ordering::Relaxed);
        WordCounter { count: start }
    }

    pub fn parse(text: &str) -> Result<WordCounter, std::num::ParseIntError> {
        Ok(Self::new(text.parse()?))
    }

    /// The count after it.
    pub fn add(&mut self, by: u64) -> Result<u64, String> {
        if self.count + by > Self::MOST {
            return Err(format!("{} and {by} are more than {}", self.count, Self::MOST));
        }
        self.count += by;
        Ok(self.count)
    }

    pub fn get(&self) -> u64 {
        self.count
    }

    /// How many counters there are.
    #[upcall::export(name = "counters_alive")]
    pub fn live() -> i32 {
        LIVE.load(Ordering::Relaxed)
    }

    pub fn visit(&self, visitor: &dyn Fn(u64)) -> u64 {
        visitor(self.count);
        self.count
    }

    #[upcall::export(skip)]
    pub fn generic<T: Into<u64>>(&mut self, value: T) {
        self.count = value.into() + self.hidden();
    }

    fn hidden(&self) -> u64 {
        0
    }
}

#[upcall::export(extend)]
impl WordCounter {
    pub fn fork(&self) -> Self {
        WordCounter::new(self.count)
    }
}

#[upcall::export]
fn swap_counts(left: &mut WordCounter, right: &mut WordCounter) {
    std::mem::swap(&mut left.count, &mut right.count);
}

#[upcall::export]
fn total(counter: &WordCounter, other: Option<&WordCounter>) -> u64 {
    counter.count + other.map_or(0, |other| other.count)
}

#[upcall::export]
fn counter_of(text: &str) -> WordCounter {
    let mut counter = WordCounter::new(0);
    counter.generic(text.split_whitespace().count() as u32);
    counter
}
