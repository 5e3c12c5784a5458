//! What travels between the handlers, described once. `bindgen.toml` says what becomes of it in C# and Python.

use upcall::Blit;
use upcall::pack::Pack;

/// A line of an order.
#[derive(Pack)]
pub struct Line<'a> {
    /// What is ordered.
    pub item: &'a str,
    /// How many of it.
    pub count: u32,
    /// What one costs.
    pub cents: u64,
}

/// What a customer orders.
#[derive(Pack)]
pub struct Order<'a> {
    /// Who orders.
    pub customer: &'a str,
    /// What.
    pub lines: Vec<Line<'a>>,
}

/// What a customer pays.
#[derive(Pack)]
pub struct Bill<'a> {
    /// Who pays.
    pub customer: &'a str,
    /// How many items it is for.
    pub items: u32,
    /// What they cost together, after the discount.
    pub cents: u64,
}

/// A sum of bills: the same 16 bytes in memory in every language.
#[derive(Blit, Pack, Clone, Copy)]
#[pack(raw)]
#[repr(C)]
pub struct Total {
    /// How many items.
    pub items: u64,
    /// What they cost.
    pub cents: u64,
}
