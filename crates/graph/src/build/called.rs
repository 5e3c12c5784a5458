//! What vertices are called in lists, as numbers and as names.

use super::table::Table;
use crate::file::Wide;
use crate::read::{Called, Fault, shown};

/// The number that a vertex is called by.
#[inline]
pub(crate) fn number(called: Called<'_>) -> Result<u64, Fault> {
    let text = match called {
        Called::Number(number) => return Ok(number),
        Called::Text(text) => text,
    };
    // A field between commas may have spaces.
    let text = text.trim_ascii();
    if text.is_empty() {
        return Err(no_number(text));
    }
    let mut number = 0u64;
    for byte in text {
        let digit = byte.wrapping_sub(b'0');
        let more = number.checked_mul(10).and_then(|number| number.checked_add(digit.into()));
        match more.filter(|_| digit <= 9) {
            Some(more) => number = more,
            None => return Err(no_number(text)),
        }
    }
    Ok(number)
}

#[cold]
fn no_number(text: &[u8]) -> Fault {
    let why = match text.iter().all(u8::is_ascii_digit) && !text.is_empty() {
        true => "is larger than 18446744073709551615: let vertices have names",
        false => "is no vertex's number: let vertices have names, or mend the list",
    };
    Fault::Input(format!("{} {why}", shown(text)))
}

/// There is no such vertex, as there are so many.
#[cold]
pub(crate) fn beyond(number: u64, end: u64) -> Fault {
    Fault::Input(match end {
        Wide::MAX => format!(
            "vertex {number} is larger than {}: let the numbers be placed densely, as those of vertices that are",
            Wide::MAX - 1
        ),
        _ => format!("there is no vertex {number}, as there are {end}, from 0"),
    })
}

/// The place of a vertex in the table of names.
pub(crate) fn named(table: &mut Table, called: Called<'_>) -> Result<u64, Fault> {
    let mut digits = itoa::Buffer::new();
    let name = match called {
        Called::Text(name) => name,
        Called::Number(number) => digits.format(number).as_bytes(),
    };
    table.place(name, || match std::str::from_utf8(name) {
        Ok(_) => Ok(()),
        Err(_) => Err(Fault::Input(format!("the name {} is not UTF-8", shown(name)))),
    })
}
