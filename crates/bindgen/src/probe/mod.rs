//! Layouts and constants, measured by the compiler.
