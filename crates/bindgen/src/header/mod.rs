//! The C header back end.
