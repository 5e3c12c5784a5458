//! What the user has chosen. A generated crate has its own.

/// Whether 64-bit integers are returned as numbers if those hold them exactly.
pub const NUMBERS: bool = true;

/// Whether the last values of a `usize` are errors, which are negative numbers.
pub const MARKED_SIZES: bool = true;
