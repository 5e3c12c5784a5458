//! What travels between the typed handlers: a union, and a type with a parameter.

use upcall::pack::Pack;

/// One of two.
#[derive(Pack)]
#[pack(union)]
pub enum Shape {
    /// Round.
    Circle(Circle),
    /// Not round.
    Box(Pair<i32>),
}

/// Round.
#[derive(Pack)]
pub struct Circle {
    /// From the middle.
    pub radius: f64,
}

/// Two of a kind.
#[derive(Pack)]
pub struct Pair<T> {
    /// The one.
    pub one: T,
    /// The other.
    pub other: T,
}
