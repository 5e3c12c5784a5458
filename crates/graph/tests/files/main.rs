//! Graphs' files: how they are made from lists of every format, checked when they are damaged, and written as lists again.

mod build;
mod compressed;
mod damage;
mod export;
mod forged;
mod read;
mod support;
