//! Options that are none, or are in the wrong place.
#![allow(unused)]

#[upcall::export(nmae = "add")]
fn misspelled() {}

#[upcall::export(name = "add numbers")]
fn spaced() {}

#[upcall::export(name = "1st")]
fn numbered() {}

#[upcall::export(skip)]
fn skipped() {}

#[upcall::export(extend)]
fn extended() {}

fn main() {}
