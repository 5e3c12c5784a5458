//! Memory that is asked for before it is read.

use core::ops::Range;

/// How many look-ups ahead memory is asked for where it is looked up at random. A Kronecker graph's neighbours, 30 per vertex, in 8 MiB:
/// 2.3 ns each at this distance, 2.7 at half of it, 4.6 without, on a core with 512 KiB of cache of its own (AMD EPYC, Zen 3). In what
/// that cache holds it makes no difference.
const AHEAD: usize = 128;

/// Whether so many of a row are looked at that those behind each of them can be taken for the next.
#[inline]
#[must_use]
pub fn dense(looked_at: usize, of: usize) -> bool {
    looked_at >= of / 4
}

/// Of look-ups in a row, those that follow some time after each of `these`, as long as they come before `end`.
#[inline(always)]
#[must_use]
pub fn ahead(these: Range<usize>, end: usize) -> Range<usize> {
    let start = these.start.saturating_add(AHEAD).min(end);
    start..these.end.saturating_add(AHEAD).min(end).max(start)
}

/// Has the processor fetch what is at an address, which need not be valid. A core waits for its look-ups once some dozen are under way,
/// and for what was fetched like this it does not. Nothing happens on processors other than x86-64.
#[inline(always)]
pub fn prefetch<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 CPU has the instruction, which faults at no address.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// Copies what is looked up side by side: at those places of a row that `these` says, each of which is one of the `count` elements of
/// `from`. What these and those before `end` look up is asked for [ahead]. `None` where a place is no such element; those before it are copied
/// then.
///
/// # Safety
/// The row has all of `these` and all places before `end`, and `from` so many elements; both may be unaligned. `to` is aligned, and there is
/// room for what is copied, which is no part of them.
#[inline(always)]
pub unsafe fn side_by_side<P: Copy + Into<u64>, T: Copy>(
    row: *const P,
    these: Range<usize>,
    end: usize,
    (from, count): (*const T, usize),
    to: *mut T,
) -> Option<()> {
    let far = ahead(these.clone(), end.max(these.end));
    for (index, at) in these.enumerate() {
        // SAFETY: the caller's promise, here and below.
        let place = |at: usize| Into::<u64>::into(unsafe { row.add(at).read_unaligned() }) as usize;
        if index < far.len() {
            prefetch(from.wrapping_add(place(far.start + index)));
        }
        let place = place(at);
        if place >= count {
            return None;
        }
        // SAFETY: as above; there is such an element.
        unsafe { to.add(index).write(from.add(place).read_unaligned()) };
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ahead_is_as_much_or_what_there_is_before_the_end() {
        assert_eq!(ahead(10..14, 1000), 10 + AHEAD..14 + AHEAD);
        assert_eq!(ahead(10..14, 12 + AHEAD), 10 + AHEAD..12 + AHEAD);
        assert_eq!(ahead(10..14, 14), 14..14);
        assert_eq!(ahead(5..5, 1000), 5 + AHEAD..5 + AHEAD);
        assert_eq!(ahead(0..1000, 1000), AHEAD..1000);
        assert_eq!(ahead(usize::MAX - 1..usize::MAX, usize::MAX), usize::MAX..usize::MAX);
    }

    #[test]
    fn what_is_looked_up_lies_side_by_side_and_a_place_that_is_none_is_found() {
        let row: [u32; 6] = [9, 3, 0, 3, 4, 9];
        let from: [u64; 5] = [10, 11, 12, 13, 14];
        let mut to = [0; 4];
        let copy = |these, end, to: &mut [u64; 4]| {
            // SAFETY: the row has six places, and there is room for four.
            unsafe { side_by_side(row.as_ptr(), these, end, (from.as_ptr(), from.len()), to.as_mut_ptr()) }
        };
        assert_eq!((copy(1..5, 6, &mut to), to), (Some(()), [13, 10, 13, 14]));
        assert_eq!((copy(4..6, 0, &mut to), to), (None, [14, 10, 13, 14]));
        assert_eq!(copy(3..3, 6, &mut to), Some(()));
    }

    #[test]
    fn an_address_at_which_there_is_nothing_does_no_harm() {
        prefetch(core::ptr::null::<u64>());
        prefetch(core::ptr::without_provenance::<u64>(usize::MAX));
        prefetch(&7_u8);
    }
}
