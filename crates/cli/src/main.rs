//! The upcall command.
fn main() {}
