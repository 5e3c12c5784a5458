//! What extension modules are compiled from: mirrors of the types in Rust, and the table of functions.
