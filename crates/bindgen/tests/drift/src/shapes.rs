//! The types, in a module of their own.

use std::fmt;

#[cfg(not(feature = "swapped"))]
#[derive(Clone, Copy, upcall::Blit)]
#[repr(C)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

#[cfg(feature = "swapped")]
#[derive(Clone, Copy, upcall::Blit)]
#[repr(C)]
pub struct Point {
    pub y: f32,
    pub x: f32,
}

#[derive(Clone, Copy, upcall::Blit)]
#[repr(C)]
pub struct Line {
    pub from: Point,
    pub to: Point,
}

#[derive(Clone, Copy, upcall::Enum)]
#[repr(u8)]
pub enum Color {
    Red,
    Green,
    #[cfg(feature = "grown")]
    Blue,
}

#[derive(Debug, upcall::Enum)]
#[repr(i32)]
pub enum OpenError {
    #[cfg(not(feature = "renamed"))]
    NotFound = 2,
    #[cfg(feature = "renamed")]
    Missing = 2,
    Locked = 3,
}

impl OpenError {
    pub fn first() -> OpenError {
        #[cfg(not(feature = "renamed"))]
        return OpenError::NotFound;
        #[cfg(feature = "renamed")]
        return OpenError::Missing;
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}
