//! A library that changes: each feature is one change that a newer version may make.

mod shapes;

use shapes::{Color, Line, OpenError, Point};

/// What the bindings call where nothing has changed.
#[upcall::export]
pub fn same(value: i32) -> i32 {
    value + 1
}

#[cfg(not(feature = "retyped"))]
#[upcall::export]
pub fn scale(by: u32) -> u32 {
    by * 2
}

#[cfg(feature = "retyped")]
#[upcall::export]
pub fn scale(by: f32) -> u32 {
    by as u32
}

#[upcall::export]
pub fn total(points: &[Point]) -> f32 {
    points.iter().map(|point| point.x).sum()
}

#[upcall::export]
pub fn length(line: &Line) -> f32 {
    line.to.x - line.from.x
}

#[upcall::export]
pub fn paint(color: Color) -> u8 {
    color as u8
}

#[upcall::export]
pub fn unlock(path: &str) -> Result<u32, OpenError> {
    match path {
        "" => Err(OpenError::first()),
        _ => Err(OpenError::Locked),
    }
}

#[cfg(not(feature = "removed"))]
#[upcall::export]
pub fn gone() {}

#[cfg(feature = "added")]
#[upcall::export]
pub fn added(point: &Point) -> f32 {
    point.x
}

pub struct Counter(i64);

#[upcall::export]
impl Counter {
    pub fn new() -> Counter {
        Counter(0)
    }

    pub fn add(&mut self, by: i64) -> i64 {
        self.0 += by;
        self.0
    }

    pub fn each<'a>(&'a self, visit: &dyn Fn(i64) -> bool) -> bool {
        visit(self.0)
    }
}
