//! Functions of every kind that can be exported: those that the generators of bindings are tried on, and here
//! what only the shims themselves are asked for. The tests call them as C would.

#[path = "../../../bindgen/tests/awkward/src/exports/mod.rs"]
mod exports;

#[path = "../../../bindgen/tests/kept/src/lib.rs"]
mod kept;

use std::panic::panic_any;
use upcall::{Code, Enum, export};

/// Where a crate has `upcall` that does not depend on it by this name.
mod elsewhere {
    pub use upcall::{abi, shim};
}

#[upcall::export(crate = crate::elsewhere, name = "length")]
fn len(text: &str) -> Result<usize, String> {
    if text.is_empty() { Err("there is no text".into()) } else { Ok(text.len()) }
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
        2 => panic_any(7),
        _ => panic_any(Bomb),
    }
}

/// Names that the shim could use for arguments without one.
#[upcall::export]
fn unnamed(raw0: u8, _: u8, argument0: u8) -> u8 {
    raw0 + argument0
}

/// A handle whose symbols begin otherwise.
pub struct Fragile {
    value: u64,
}

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(self.value != 13, "an unlucky destructor");
    }
}

#[upcall::export(name = "nil")]
impl Fragile {
    /// Anything but 13.
    pub fn new(value: u64) -> Fragile {
        Fragile { value }
    }

    /// The value.
    pub fn get(&self) -> u64 {
        self.value
    }

    /// Another value.
    pub fn update(&mut self, update: &dyn Fn(u64) -> u64) {
        self.value = update(self.value);
    }

    #[cfg(any())]
    pub fn not_there(&self) -> Nowhere {}
}

/// Why something did not open. Its numbers are what callers see.
#[derive(Enum)]
#[repr(i16)]
enum Refused {
    NotFound = 404,
    Below = -7,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("refused")
    }
}

/// An error that says its number itself, although its variants have some.
#[derive(Enum)]
#[repr(u8)]
enum Chosen {
    Only = 1,
}

impl std::fmt::Display for Chosen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("chosen")
    }
}

impl Code for Chosen {
    fn code(&self) -> i32 {
        77
    }
}

#[export]
fn refuse(how: u8) -> Result<u8, Refused> {
    Err(if how == 0 { Refused::NotFound } else { Refused::Below })
}

#[export]
fn choose() -> Result<u8, Chosen> {
    Err(Chosen::Only)
}
