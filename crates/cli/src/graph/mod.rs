//! `upcall graph`: graphs' files, and programs over them.

mod run;

pub(crate) use run::run;
