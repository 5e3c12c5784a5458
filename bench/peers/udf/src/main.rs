//! What a row function costs in arrow-udf's runtimes, in Extism, and in Java by hand, on batches of the size that is given.
//!
//! `upcall-bench-udf ROWS ARROW.wasm EXTISM.wasm LIBJVM CLASSES` prints one JSON object per line: who, and nanoseconds of CPU
//! per row, the least of many. `cargo xtask bench boundary` runs it.

mod clock;
mod java;
mod plugin;
mod rows;
mod runtimes;

use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};

/// A runtime that has the function.
type Touch = Box<dyn Fn(&RecordBatch) -> Result<RecordBatch>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rows, arrow, extism, library, classes] = &arguments[..] else {
        bail!("usage: upcall-bench-udf ROWS ARROW.wasm EXTISM.wasm LIBJVM CLASSES");
    };
    let rows: usize = rows.parse().with_context(|| format!("reading how many rows: found {rows:?}"))?;
    let batch = batch(rows)?;
    let mut peers = runtimes::all(arrow)?;
    peers.extend(plugin::all(extism)?);
    peers.extend(java::all(library, classes)?);
    for (who, touch) in peers {
        check(&touch(&batch)?, rows).with_context(|| format!("checking what {who} returned"))?;
        let mut failed = None;
        let nanos = clock::nanos(|| {
            if let Err(error) = touch(&batch) {
                failed = Some(error);
            }
        });
        if let Some(error) = failed {
            return Err(error.context(format!("measuring {who}")));
        }
        println!("{}", serde_json::json!({ "who": who, "nanos": nanos / rows as f64 }));
    }
    Ok(())
}

/// Numbers, and texts of ten bytes, as the keys of our own batches are.
fn batch(rows: usize) -> Result<RecordBatch> {
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(0..rows as i64));
    let texts: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..rows).map(|row| format!("key-{row:06}"))));
    Ok(RecordBatch::try_from_iter([("number", numbers), ("text", texts)])?)
}

/// Whether each row is its number and the length of its text.
fn check(batch: &RecordBatch, rows: usize) -> Result<()> {
    let found = batch.column(0).as_any().downcast_ref::<Int64Array>();
    let found = found.context("no column of 64-bit integers came back")?;
    ensure!(found.len() == rows, "{} rows of {rows} came back", found.len());
    for row in 0..rows {
        ensure!(found.value(row) == row as i64 + 10, "row {row} is {}", found.value(row));
    }
    Ok(())
}
