//! A callback in JavaScript for each item, as an addon written with napi-rs has it. `callbacks.mjs` measures it.

mod thread;

use std::hint::black_box;
use std::time::Instant;

use napi::Result;
use napi::bindgen_prelude::{Buffer, FnArgs, Function};
use napi_derive::napi;

/// Calls `callback` with an index for each of so many items. Returns the nanoseconds that took.
#[napi]
pub fn empty(items: u32, callback: Function<u32, ()>) -> Result<f64> {
    let start = Instant::now();
    for index in 0..items {
        callback.call(index)?;
    }
    Ok(start.elapsed().as_nanos() as f64)
}

/// Calls `callback` with key and value of each of so many items, and copies out what it returns. Returns the nanoseconds
/// that took.
#[napi]
pub fn reads_and_emits(items: u32, callback: Function<FnArgs<(String, Buffer)>, Buffer>) -> Result<f64> {
    let keys: Vec<String> = (0..items).map(|index| format!("key{index:07}")).collect();
    let value = [b'v'; 64];
    let mut emitted = Vec::with_capacity(16 * items as usize);
    let start = Instant::now();
    for key in &keys {
        let answer = callback.call((key.clone(), Buffer::from(&value[..])).into())?;
        emitted.extend_from_slice(&answer);
    }
    let nanos = start.elapsed().as_nanos() as f64;
    black_box(emitted);
    Ok(nanos)
}
