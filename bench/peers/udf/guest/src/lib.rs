//! The row function, by arrow-udf's macro: `touch_rows` takes and returns a `RecordBatch`, and what the macro exports is
//! what arrow-udf's WebAssembly runtime calls.

use arrow_udf::function;

/// A number and the length of a text: next to nothing, but both are looked at.
#[function("touch(bigint, string) -> bigint", output = "touch_rows", visibility = "pub")]
fn touch(number: i64, text: &str) -> i64 {
    number.wrapping_add(text.len() as i64)
}
