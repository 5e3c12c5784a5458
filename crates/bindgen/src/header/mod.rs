//! The C header back end.

pub(crate) mod spell;
