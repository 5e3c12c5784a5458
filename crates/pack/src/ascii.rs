//! Short text, copied and looked at in one pass: a call of `memcpy` and one of `is_ascii` cost more than the
//! text's own bytes.

/// Bytes above ASCII have this bit.
const BEYOND: u64 = 0x8080_8080_8080_8080;
/// Longer text is better copied by `memcpy`.
pub(crate) const SHORT: usize = 64;

/// Copies 1 to [`SHORT`] bytes, and says whether all of them are ASCII.
///
/// # Safety
/// `len` must be 1 to [`SHORT`], `from` must be valid for reads of `len` bytes, `to` for writes, and the two must not overlap.
#[inline(always)]
pub(crate) unsafe fn copy(from: *const u8, to: *mut u8, len: usize) -> bool {
    // SAFETY: each arm copies pieces that lie within `len`, of which the last may overlap the one before.
    unsafe {
        if len >= 16 {
            // Every length up to 32, and every one up to 64, takes the same path: nothing to mispredict.
            let mut seen = pair(from, to) | pair(from.add(len - 16), to.add(len - 16));
            if len > 32 {
                seen |= pair(from.add(16), to.add(16)) | pair(from.add(len - 32), to.add(len - 32));
            }
            seen & BEYOND == 0
        } else if len >= 8 {
            let (first, second) = (word(from), word(from.add(len - 8)));
            to.cast::<u64>().write_unaligned(first);
            to.add(len - 8).cast::<u64>().write_unaligned(second);
            (first | second) & BEYOND == 0
        } else if len >= 4 {
            let first = from.cast::<u32>().read_unaligned();
            let second = from.add(len - 4).cast::<u32>().read_unaligned();
            to.cast::<u32>().write_unaligned(first);
            to.add(len - 4).cast::<u32>().write_unaligned(second);
            u64::from(first | second) & BEYOND == 0
        } else {
            let (first, middle, last) = (*from, *from.add(len / 2), *from.add(len - 1));
            *to = first;
            *to.add(len / 2) = middle;
            *to.add(len - 1) = last;
            (first | middle | last).is_ascii()
        }
    }
}

/// Copies 16 bytes and returns them, one half over the other.
///
/// # Safety
/// As [`copy`], with 16 for the length.
#[inline(always)]
unsafe fn pair(from: *const u8, to: *mut u8) -> u64 {
    // SAFETY: the caller's promise.
    unsafe {
        let (low, high) = (word(from), word(from.add(8)));
        to.cast::<u64>().write_unaligned(low);
        to.add(8).cast::<u64>().write_unaligned(high);
        low | high
    }
}

/// # Safety
/// `from` must be valid for reads of eight bytes.
#[inline(always)]
unsafe fn word(from: *const u8) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { from.cast::<u64>().read_unaligned() }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_length_is_copied_and_one_byte_beyond_ascii_is_seen_anywhere() {
        for len in 1..=super::SHORT {
            let text: Vec<u8> = (0..len).map(|index| (index % 128) as u8).collect();
            let check = |text: &[u8], expected: bool| {
                let mut to = vec![0xEE; len + 2];
                // SAFETY: `to` has two bytes more than `text`.
                let ascii = unsafe { super::copy(text.as_ptr(), to.as_mut_ptr().add(1), len) };
                assert_eq!((ascii, &to[1..=len], to[0], to[len + 1]), (expected, text, 0xEE, 0xEE));
            };
            check(&text, true);
            for index in 0..len {
                let mut text = text.clone();
                text[index] |= 0x80;
                check(&text, false);
            }
        }
    }
}
