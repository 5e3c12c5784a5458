//! The macros: what they make, and what they refuse.

mod field_table;
mod refusals;
mod shapes;
