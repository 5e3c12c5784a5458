//! `warm` of a handler: the object that it handles before the flow takes any.

use crate::fields::Fields;
use crate::keys::Section;
use crate::mistake::Mistake;
use upcall_flow::{Sample, ValueType};

/// The key of a sample that has none: that of an input's first line.
const KEY: &str = "1";

/// Reads the table, if there is one. `of` is the type of the pool that the handler watches.
pub(crate) fn read(fields: &Fields<'_, '_>, of: &ValueType) -> Option<Sample> {
    let warm = Fields::new(fields.table("warm")?, Section::Warm, |_| None, fields.mistakes());
    let key = warm.text("key").unwrap_or(KEY).to_owned();
    let (text, hex) = (warm.text("value"), warm.text("hex"));
    let value = match (warm.span("value"), warm.span("hex")) {
        (Some(span), None) => {
            let mut value = Vec::new();
            match of.read_text(text?.as_bytes(), &mut value) {
                Ok(()) => value,
                Err(what) => {
                    let help =
                        format!("write a {of}, as the pool that is watched holds it, or its bytes as `hex`");
                    warm.add(Mistake::new(span, format!("`value` of the sample: {what}")).help(help));
                    return None;
                }
            }
        }
        (None, Some(span)) => {
            let bytes = bytes(hex?);
            if bytes.is_none() {
                let mistake = Mistake::new(span, "`hex` of the sample is not hexadecimal");
                warm.add(
                    mistake
                        .help("write each byte in two digits, as `--dump … --as hex` does: hex = \"00ff\""),
                );
            }
            bytes?
        }
        (Some(_), Some(span)) => {
            let mistake = Mistake::new(span, "the sample has both a `value` and a `hex`");
            warm.add(mistake.help("keep one of the two"));
            return None;
        }
        (None, None) => {
            if !warm.has_near("value") && !warm.has_near("hex") {
                let span = fields.span("warm").unwrap_or_default();
                let help = "give it a text, value = \"…\", or bytes, hex = \"…\"";
                warm.add(Mistake::new(span, "the sample has no value").help(help));
            }
            return None;
        }
    };
    Some(Sample { key, value })
}

/// Bytes of two digits each, with any white space between them.
fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> =
        hex.chars().filter(|c| !c.is_ascii_whitespace()).map(|c| c.to_digit(16)).collect::<Option<_>>()?;
    digits.len().is_multiple_of(2).then(|| digits.chunks(2).map(|two| (two[0] * 16 + two[1]) as u8).collect())
}
