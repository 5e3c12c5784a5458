/// Copies bytes, of which there are mostly few: keys, and small values. Up to 128 are copied in line, without the call of
/// `memcpy`, which takes longer than they do; a WebAssembly module's leaves the module.
///
/// # Safety
/// As [`core::ptr::copy_nonoverlapping`].
#[inline(always)]
pub unsafe fn copy_short(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        // As few comparisons as there can be, for all lengths.
        if len > 16 {
            if len > 64 {
                if len > 128 {
                    core::ptr::copy_nonoverlapping(from, to, len)
                } else {
                    ends::<64>(from, to, len)
                }
            } else if len > 32 {
                ends::<32>(from, to, len);
            } else {
                ends::<16>(from, to, len);
            }
        } else if len >= 8 {
            ends::<8>(from, to, len);
        } else if len >= 4 {
            ends::<4>(from, to, len);
        } else if len > 0 {
            for at in [0, len / 2, len - 1] {
                core::ptr::copy_nonoverlapping(from.add(at), to.add(at), 1);
            }
        }
    }
}

/// Copies the first `N` bytes and the last `N`, which meet or overlap.
///
/// # Safety
/// As [`copy_short`], for `N` to twice as many bytes.
#[inline(always)]
unsafe fn ends<const N: usize>(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        for at in [0, len - N] {
            core::ptr::copy_nonoverlapping(from.add(at).cast::<[u8; N]>(), to.add(at).cast::<[u8; N]>(), 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::copy_short;

    #[test]
    fn each_length_is_copied_and_nothing_beside_it() {
        let from: [u8; 200] = core::array::from_fn(|index| index as u8 + 1);
        for len in 0..=130 {
            for start in 0..8 {
                let mut to = [0u8; 200];
                // SAFETY: inside of both.
                unsafe { copy_short(from.as_ptr().add(start), to.as_mut_ptr().add(start + 3), len) };
                assert_eq!(to[start + 3..][..len], from[start..][..len]);
                assert!(to[..start + 3].iter().chain(&to[start + 3 + len..]).all(|byte| *byte == 0));
            }
        }
    }
}
