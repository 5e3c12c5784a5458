//! The same function in each of arrow-udf's runtimes.

use std::fs;

use anyhow::{Context, Result, anyhow};
use arrow_array::RecordBatch;
use arrow_schema::DataType;
use arrow_udf_runtime::javascript::{self, FunctionOptions};
use arrow_udf_runtime::wasm;
#[cfg(feature = "python")]
use arrow_udf_runtime::{CallMode, python};
use futures_executor::block_on;

use crate::Touch;

#[cfg(feature = "python")]
const PYTHON: &str = "def touch(number, text):\n    return number + len(text)\n";
const JAVASCRIPT: &str = "export function touch(number, text) { return number + text.length; }";

/// All of them.
pub fn all(guest: &str) -> Result<Vec<(&'static str, Touch)>> {
    Ok(vec![
        ("arrow-udf, Rust", Box::new(rust) as Touch),
        #[cfg(feature = "python")]
        ("arrow-udf, Python", in_python()?),
        ("arrow-udf, JavaScript", in_javascript()?),
        ("arrow-udf, WebAssembly", in_webassembly(guest)?),
    ])
}

fn rust(batch: &RecordBatch) -> Result<RecordBatch> {
    upcall_bench_udf_guest::touch_rows(batch).map_err(|error| anyhow!("{error}"))
}

#[cfg(feature = "python")]
fn in_python() -> Result<Touch> {
    let mut runtime = python::Runtime::new()?;
    runtime.add_function("touch", DataType::Int64, CallMode::ReturnNullOnNullInput, PYTHON)?;
    Ok(Box::new(move |batch| runtime.call("touch", batch)))
}

fn in_javascript() -> Result<Touch> {
    let mut runtime = block_on(javascript::Runtime::new())?;
    let options = FunctionOptions::default().return_null_on_null_input();
    block_on(runtime.add_function("touch", DataType::Int64, JAVASCRIPT, options))?;
    Ok(Box::new(move |batch| block_on(runtime.call("touch", batch))))
}

fn in_webassembly(guest: &str) -> Result<Touch> {
    let binary = fs::read(guest).with_context(|| format!("reading the guest {guest}"))?;
    let runtime = wasm::Runtime::new(&binary)?;
    let touch = runtime.find_function("touch", vec![DataType::Int64, DataType::Utf8], DataType::Int64)?;
    Ok(Box::new(move |batch| runtime.call(&touch, batch)))
}
