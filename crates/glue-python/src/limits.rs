//! What must be in the places of a value where Rust's enums lie: any other number would be undefined behaviour.

use super::ffi::*;

/// A place in a value, and what must be there.
pub struct Limit {
    /// The field; empty for the value itself.
    pub path: &'static str,
    /// From the beginning of the value.
    pub offset: usize,
    /// What must be there.
    pub rule: Rule,
}

/// What must be in a place.
pub enum Rule {
    /// An integer of that many bytes, signed or not: one of these numbers, and what they are called. With each come
    /// the limits of that variant's data.
    Numbers(usize, bool, &'static str, &'static [(i128, &'static [Limit])]),
    /// So many values, so many bytes from one to the next.
    Each(usize, usize, &'static [Limit]),
}

/// Raises `ValueError` if the bytes are not a value.
pub unsafe fn check(place: *const u8, limits: &'static [Limit], at: &At) -> Outcome<()> {
    // SAFETY: the caller's promise: a whole value lies at `place`.
    unsafe {
        find(place, limits).map_err(|Wrong { path, number, what }| {
            let held =
                if path.is_empty() { format!("is {number}") } else { format!("holds {number} in {path}") };
            at.invalid(&format!("{held}, which is not {what}"))
        })
    }
}

/// A number that is none of those that its place may hold.
struct Wrong {
    path: String,
    number: i128,
    what: &'static str,
}

impl Wrong {
    fn under(mut self, before: &str) -> Wrong {
        let dot =
            if before.is_empty() || self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{before}{dot}{}", self.path);
        self
    }
}

unsafe fn find(place: *const u8, limits: &'static [Limit]) -> Result<(), Wrong> {
    for limit in limits {
        // SAFETY: the place lies within the value.
        unsafe {
            let place = place.add(limit.offset);
            match &limit.rule {
                Rule::Each(count, stride, limits) => {
                    for index in 0..*count {
                        find(place.add(index * stride), limits)
                            .map_err(|wrong| wrong.under(&format!("[{index}]")).under(limit.path))?;
                    }
                }
                Rule::Numbers(size, signed, what, numbers) => {
                    let number = integer(place, *size, *signed);
                    match numbers.binary_search_by_key(&number, |(known, _)| *known) {
                        Ok(index) => {
                            find(place, numbers[index].1).map_err(|wrong| wrong.under(limit.path))?
                        }
                        Err(_) => return Err(Wrong { path: limit.path.to_owned(), number, what }),
                    }
                }
            }
        }
    }
    Ok(())
}

/// An integer of that many bytes.
pub unsafe fn integer(place: *const u8, size: usize, signed: bool) -> i128 {
    // SAFETY: the caller's promise.
    unsafe {
        match (size, signed) {
            (1, true) => place.cast::<i8>().read().into(),
            (1, false) => place.read().into(),
            (2, true) => place.cast::<i16>().read_unaligned().into(),
            (2, false) => place.cast::<u16>().read_unaligned().into(),
            (4, true) => place.cast::<i32>().read_unaligned().into(),
            (4, false) => place.cast::<u32>().read_unaligned().into(),
            (8, true) => place.cast::<i64>().read_unaligned().into(),
            (8, false) => place.cast::<u64>().read_unaligned().into(),
            _ => place.cast::<i128>().read_unaligned(),
        }
    }
}
