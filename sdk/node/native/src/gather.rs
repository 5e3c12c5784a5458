//! What the neighbours of a graph's vertices show, put side by side for JavaScript to read in order. Here dozens of look-ups are under
//! way at a time; V8 has a few.

use crate::value::{arguments, number, throw, undefined};
use napi_sys::*;
use std::ffi::c_void;
use std::ptr;
use upcall_abi::side_by_side;

/// `gather(window, to, from, begins, ends, count, at, shown, shownCount, size)`: of so many vertices, whose edges begin and end at what
/// two arrays of 64-bit numbers say, what the vertices at the places `at` show: elements of `size` bytes, from the `from`-th element of
/// `to` on, which has room for them. `begins`, `ends`, `at` and `shown` are offsets in the window.
pub(crate) unsafe extern "C" fn gather(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: Node calls, here and below.
    unsafe {
        let given: [napi_value; 10] = arguments(env, info);
        let [window, to] = [bytes_of(env, given[0]), bytes_of(env, given[1])];
        let [from, begins, ends, count, at, shown, shown_count, size] =
            std::array::from_fn(|index| number(env, given[index + 2]) as usize);
        let view = View { window };
        let gathered = match size {
            4 => view.gather::<u32>(to, from, [begins, ends, count, at, shown, shown_count]),
            8 => view.gather::<u64>(to, from, [begins, ends, count, at, shown, shown_count]),
            _ => None,
        };
        match gathered {
            Some(()) => undefined(env),
            None => throw(env, "the frame of a graph's vertices points to what is not there"),
        }
    }
}

/// Memory that somebody else may write meanwhile: by address and bytes.
type Bytes = (*mut u8, usize);

/// The bytes of an `ArrayBuffer`; none of any other value.
///
/// # Safety
/// As [`arguments`].
unsafe fn bytes_of(env: napi_env, value: napi_value) -> Bytes {
    let (mut at, mut len) = (ptr::null_mut::<c_void>(), 0);
    // SAFETY: the caller's promise.
    let found = unsafe { napi_get_arraybuffer_info(env, value, &mut at, &mut len) };
    if found == Status::napi_ok && !at.is_null() { (at.cast(), len) } else { (ptr::dangling_mut(), 0) }
}

struct View {
    window: Bytes,
}

impl View {
    /// So many elements at an offset of the window, if all of them are inside and aligned.
    fn array<T>(&self, offset: usize, count: usize) -> Option<*const T> {
        let end = offset.checked_add(count.checked_mul(size_of::<T>())?)?;
        let at = self.window.0.wrapping_add(offset).cast::<T>();
        (end <= self.window.1 && at.is_aligned()).then_some(at.cast_const())
    }

    /// What [`gather`] says. `None` where something is not in the window, or there is no room.
    ///
    /// # Safety
    /// The memory is there, and `to` is no part of the window.
    unsafe fn gather<T: Copy>(&self, (to, bytes): Bytes, from: usize, frame: [usize; 6]) -> Option<()> {
        let [begins, ends, count, at, shown, shown_count] = frame;
        let (begins, ends) = (self.array::<u64>(begins, count)?, self.array::<u64>(ends, count)?);
        let shown = (self.array::<T>(shown, shown_count)?, shown_count);
        let (to, room, mut done) = (to.cast::<T>(), bytes / size_of::<T>(), from);
        let last = match count.checked_sub(1) {
            // SAFETY: there are so many.
            Some(last) => usize::try_from(unsafe { ends.add(last).read() }).ok()?,
            None => 0,
        };
        let places = self.array::<u32>(at, last)?;
        for vertex in 0..count {
            // SAFETY: both have so many.
            let (begin, end) = unsafe { (begins.add(vertex).read(), ends.add(vertex).read()) };
            let (begin, end) = (usize::try_from(begin).ok()?, usize::try_from(end).ok()?);
            self.array::<u32>(at, end)?;
            let edges = end.checked_sub(begin)?;
            if edges > room.checked_sub(done)? {
                return None;
            }
            // SAFETY: the window has these places, and those before the last; there is room for all of this vertex's.
            unsafe { side_by_side(places, begin..end, last, shown, to.add(done)) }?;
            done += edges;
        }
        Some(())
    }
}
