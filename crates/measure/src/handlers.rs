//! The measured handlers in Rust: part of the program, and of a module of WebAssembly (`../wasm`).

use std::hint::black_box;
use upcall_handler::{Batch, BatchHandler, Emit, Failure, Handler, Object};

/// Does nothing.
pub(crate) fn empty(_: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
    Ok(())
}

/// Adds element by element.
pub(crate) fn add(from: &[f64], into: &mut [f64]) {
    for (into, from) in into.iter_mut().zip(from) {
        *into += from;
    }
}

/// Length and first byte of key and value, so that both are really read.
#[inline]
fn look(object: &Object<'_>) -> u64 {
    let (key, value) = (object.key(), object.value());
    key.len() as u64 + key[0] as u64 + value.len() as u64 + value[0] as u64
}

#[derive(Default)]
pub(crate) struct Reading(u64);

impl Handler for Reading {
    fn on_object(&mut self, object: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
        self.0 = black_box(self.0 + look(&object));
        Ok(())
    }
}

#[derive(Default)]
pub(crate) struct Emitting(u64);

impl Handler for Emitting {
    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        self.0 = black_box(self.0 + look(&object));
        emit.put(object.key(), &object.value()[..16]);
        Ok(())
    }
}

#[derive(Default)]
pub(crate) struct BatchReading(u64);

impl BatchHandler for BatchReading {
    fn on_batch(&mut self, batch: &mut Batch<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
        self.0 = black_box(self.0 + batch.iter().map(|object| look(&object)).sum::<u64>());
        Ok(())
    }
}
