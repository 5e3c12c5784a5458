//! Rows as bytes, for peers that take no columns: a number, the length of a text and the text; answers are numbers.

use std::sync::Arc;

use anyhow::{Context, Result};
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};

/// Bytes of a row beside its text.
pub const HEAD: usize = 12;

/// Each row of a batch.
pub fn each(batch: &RecordBatch) -> Result<impl Iterator<Item = (i64, &str)>> {
    let numbers = batch.column(0).as_any().downcast_ref::<Int64Array>().context("numbers come first")?;
    let texts = batch.column(1).as_any().downcast_ref::<StringArray>().context("texts come second")?;
    Ok(numbers.values().iter().copied().zip((0..texts.len()).map(|row| texts.value(row))))
}

/// Writes a row behind others.
pub fn write(to: &mut Vec<u8>, number: i64, text: &str) {
    to.extend_from_slice(&number.to_le_bytes());
    to.extend_from_slice(&(text.len() as u32).to_le_bytes());
    to.extend_from_slice(text.as_bytes());
}

/// The answers as a column.
pub fn answers(bytes: &[u8]) -> Result<RecordBatch> {
    let answer = |bytes: &[u8]| i64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    column(bytes.chunks_exact(8).map(answer).collect())
}

/// The answers as a column.
pub fn column(answers: Vec<i64>) -> Result<RecordBatch> {
    let answers: ArrayRef = Arc::new(Int64Array::from(answers));
    Ok(RecordBatch::try_from_iter([("answer", answers)])?)
}
