//! Which part of a file a rank sees, and in which elements.

use super::file::{alone, amount};
use super::integer::counts;
use super::method;
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::TypeOf;
use upcall_mpi::View;

pub fn methods(of: TypeOf) -> TypeOf {
    of.method(c"_view", method!(view as "view"(element, place), 2), c"The whole file.")
        .method(
            c"_view_blocks",
            method!(view_blocks as "view_blocks"(element, place, block), 3),
            c"Blocks in turn.",
        )
        .method(
            c"_view_strided",
            method!(view_strided as "view_strided"(element, place, first, block, stride), 5),
            c"A block of each stride.",
        )
        .method(
            c"_view_subarray",
            method!(view_subarray as "view_subarray"(element, place, sizes, part, starts), 5),
            c"A part of an array.",
        )
}

/// Sets a view of elements of so many bytes, from a place on.
///
/// # Safety
/// A file and arguments that stay alive.
unsafe fn see(
    this: *mut PyObject,
    element: *mut PyObject,
    place: *mut PyObject,
    seen: View<'_>,
) -> Outcome<Ref> {
    // SAFETY: the caller's promise.
    unsafe {
        let (element, place) = (amount(element, "dtype")? as usize, amount(place, "place")?);
        alone(this, |file| file.view_of(element, place, seen))?;
    }
    Ok(py::none())
}

unsafe fn view(this: *mut PyObject, [element, place]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: a file and arguments that live until this returns, here and below.
    unsafe { see(this, element, place, View::Whole) }
}

unsafe fn view_blocks(this: *mut PyObject, [element, place, block]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { see(this, element, place, View::Blocks(amount(block, "block")? as usize)) }
}

unsafe fn view_strided(
    this: *mut PyObject,
    [element, place, first, block, stride]: [*mut PyObject; 5],
) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let first = amount(first, "first")? as usize;
        let (block, stride) = (amount(block, "block")? as usize, amount(stride, "stride")? as usize);
        see(this, element, place, View::Strided { first, block, stride })
    }
}

unsafe fn view_subarray(
    this: *mut PyObject,
    [element, place, sizes, part, starts]: [*mut PyObject; 5],
) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (sizes, part, starts) =
            (counts(sizes, "sizes")?, counts(part, "part")?, counts(starts, "starts")?);
        see(this, element, place, View::Subarray { sizes: &sizes, part: &part, starts: &starts })
    }
}
