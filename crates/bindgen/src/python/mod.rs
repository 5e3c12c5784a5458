//! The Python back end.
