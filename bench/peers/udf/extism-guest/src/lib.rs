//! The row function as a plugin of Extism: rows as bytes in, numbers as bytes out.

use extism_pdk::{FnResult, plugin_fn};

/// A row is a number, the length of a text and the text.
#[plugin_fn]
pub fn touch(rows: Vec<u8>) -> FnResult<Vec<u8>> {
    let mut answers = Vec::with_capacity(rows.len() / 2);
    let mut rest = &rows[..];
    while let Some((number, text)) = rest.split_first_chunk::<8>() {
        let (len, text) =
            text.split_first_chunk::<4>().ok_or_else(|| extism_pdk::Error::msg("a row that is cut off"))?;
        let len = u32::from_le_bytes(*len);
        let answer = i64::from_le_bytes(*number).wrapping_add(len.into());
        answers.extend_from_slice(&answer.to_le_bytes());
        rest = &text[len as usize..];
    }
    Ok(answers)
}
