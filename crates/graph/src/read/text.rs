//! Lines of two vertices and a value, between spaces.

use super::lines::{Lines, word};
use super::open::Opened;
use super::{Called, Fault, Place, Sink, shown};
use crate::error::Error;

pub(super) fn read(input: Opened<'_>, place: &Place<'_>, sink: &mut impl Sink) -> Result<(), Error> {
    let mut lines = Lines::new(input, place);
    loop {
        let Some(line) = lines.next(sink)? else { return Ok(()) };
        if let Err(fault) = edge(line, sink) {
            return Err(place.line(lines.number, fault));
        }
    }
}

#[inline]
fn edge(mut line: &[u8], sink: &mut impl Sink) -> Result<(), Fault> {
    let Some(from) = word(&mut line) else { return Ok(()) };
    if from[0] == b'#' || from[0] == b'%' {
        return Ok(());
    }
    let Some(to) = word(&mut line) else {
        return Err(Fault::Input(format!(
            "{} is all of it, and an edge has two vertices, between spaces",
            shown(from)
        )));
    };
    let value = match (sink.values(), word(&mut line)) {
        (Some(value), Some(text)) => value_of(value, text)?,
        (Some(value), None) => {
            return Err(Fault::Input(format!(
                "there is no value behind the two vertices, and {value} was asked for"
            )));
        }
        (None, Some(_)) => {
            sink.ignored();
            0
        }
        (None, None) => 0,
    };
    sink.edge(Called::Text(from), Called::Text(to), value)
}

/// A value from its text.
#[inline]
pub(super) fn value_of(value: crate::value::ValueType, text: &[u8]) -> Result<crate::value::Bits, Fault> {
    value.parse(text).ok_or_else(|| Fault::Input(format!("the value {} is no {value}", shown(text))))
}
