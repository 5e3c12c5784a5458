//! Which part of a file a rank sees, and in which elements.

use super::File;
use crate::error::{Error, ErrorKind};
use crate::operation::Sum;
use crate::padding::may_travel;
use std::ffi::c_int;
use upcall_abi::Blit;

/// Which elements of a file a rank sees, from a place on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View<'a> {
    /// All of them, as [`File::view`].
    Whole,
    /// Each rank blocks of so many in turn, as [`File::view_blocks`].
    Blocks(usize),
    /// A block of each stride, as [`File::view_strided`].
    Strided {
        /// How many are skipped.
        first: usize,
        /// How many are seen.
        block: usize,
        /// From one block's start to the next one's.
        stride: usize,
    },
    /// A part of an array, as [`File::view_subarray`].
    Subarray {
        /// The sizes of the array.
        sizes: &'a [usize],
        /// Those of the part.
        part: &'a [usize],
        /// Where it begins.
        starts: &'a [usize],
    },
}

/// What a rank sees, from a place in bytes on.
struct Seen {
    place: Option<u64>,
    block: usize,
    stride: usize,
    /// Sizes, sizes of the part and starts.
    array: Vec<usize>,
}

impl File {
    /// Sees the file as elements, from a place in bytes on: offsets count these, and pointers are at the start. Collective.
    ///
    /// # Errors
    /// A type of another size on another rank, a padding that cannot be zeroed, a place that no file has, or MPI refuses. What
    /// is wrong on one rank is an error on all, here and below.
    pub fn view<T: Blit>(&mut self, place: u64) -> Result<(), Error> {
        self.view_as::<T>(place, View::Whole)
    }

    /// Shares the file out in blocks of so many elements, from a place in bytes on: the first is rank 0's, the next rank 1's, and
    /// behind that of the last rank comes rank 0's next. Each rank sees its own, side by side. Collective.
    ///
    /// # Errors
    /// As [`view`](File::view), or a block has no elements.
    pub fn view_blocks<T: Blit>(&mut self, place: u64, block: usize) -> Result<(), Error> {
        self.view_as::<T>(place, View::Blocks(block))
    }

    /// Sees, from a place in bytes on, `block` of each `stride` elements, of which it skips `first`: `view_strided(0, 2, 1, 10)`
    /// sees column 2 of a table with 10. Each rank says what it sees itself. Collective.
    ///
    /// # Errors
    /// As [`view`](File::view), or a block has no elements or more than the stride.
    pub fn view_strided<T: Blit>(
        &mut self,
        place: u64,
        first: usize,
        block: usize,
        stride: usize,
    ) -> Result<(), Error> {
        self.view_as::<T>(place, View::Strided { first, block, stride })
    }

    /// Sees a part of an array that lies in the file, from a place in bytes on, its last index next to each other: `sizes` are
    /// those of the array, `part` those of what this rank sees, which begins at `starts`. It sees the elements of its part in
    /// their order. Collective.
    ///
    /// # Errors
    /// As [`view`](File::view), the three differ in length, or the part is empty or not within the array.
    pub fn view_subarray<T: Blit>(
        &mut self,
        place: u64,
        sizes: &[usize],
        part: &[usize],
        starts: &[usize],
    ) -> Result<(), Error> {
        self.view_as::<T>(place, View::Subarray { sizes, part, starts })
    }

    fn view_as<T: Blit>(&mut self, place: u64, view: View<'_>) -> Result<(), Error> {
        may_travel::<T>()?;
        self.view_of(size_of::<T>(), place, view)
    }

    /// Sees elements of so many bytes each, whose type is somebody else's affair, from a place in bytes on. Collective.
    ///
    /// # Errors
    /// As [`view`](File::view), [`view_strided`](File::view_strided) and [`view_subarray`](File::view_subarray).
    pub fn view_of(&mut self, element: usize, place: u64, view: View<'_>) -> Result<(), Error> {
        let seen = self.seen(element, place, view);
        self.see(element, seen)
    }

    fn seen(&self, element: usize, place: u64, view: View<'_>) -> Result<Seen, &'static str> {
        match view {
            View::Whole => Ok(Seen { place: Some(place), block: 1, stride: 1, array: Vec::new() }),
            View::Blocks(block) => {
                let (rank, size) = (self.comm.rank(), self.comm.size());
                match (block.checked_mul(rank), block.checked_mul(size)) {
                    (Some(first), Some(stride)) => {
                        self.seen(element, place, View::Strided { first, block, stride })
                    }
                    _ => Err("its blocks are too large"),
                }
            }
            View::Strided { block, stride, .. } if block == 0 || block > stride => {
                Err("a block has at least one element and at most as many as the stride")
            }
            View::Strided { first, block, stride } => {
                let skipped = first.checked_mul(element).map(|bytes| bytes as u64);
                let place = skipped.and_then(|skipped| place.checked_add(skipped));
                // One block behind the other is the whole.
                let (block, stride) = if block == stride { (1, 1) } else { (block, stride) };
                Ok(Seen { place, block, stride, array: Vec::new() })
            }
            View::Subarray { sizes, part, starts } => {
                if sizes.is_empty() || part.len() != sizes.len() || starts.len() != sizes.len() {
                    return Err("its sizes, those of the part and the starts are as many, and not none");
                }
                let within = |((size, part), start): ((&usize, &usize), &usize)| {
                    *part > 0 && start.checked_add(*part).is_some_and(|end| end <= *size)
                };
                if !sizes.iter().zip(part).zip(starts).all(within) {
                    return Err("its part is empty or not within the array");
                }
                let array = [sizes, part, starts].concat();
                Ok(Seen { place: Some(place), block: 1, stride: 1, array })
            }
        }
    }

    /// Tells MPI what it is to see, if all ranks have said what can be seen.
    fn see(&mut self, size: usize, seen: Result<Seen, &str>) -> Result<(), Error> {
        let what = "set the view of";
        self.worker.end();
        let told = seen.and_then(|seen| {
            let small = |number: &usize| c_int::try_from(*number).ok();
            let array: Option<Vec<c_int>> = seen.array.iter().map(small).collect();
            let bytes = seen.stride.checked_mul(size.max(1)).and_then(|bytes| i64::try_from(bytes).ok());
            let place = seen.place.and_then(|place| i64::try_from(place).ok());
            match (place, small(&size), small(&seen.block), bytes, array) {
                (Some(place), Some(size), Some(_), Some(_), Some(array)) if size > 0 => {
                    Ok((place, size, seen.block as i64, seen.stride as i64, array))
                }
                _ => {
                    Err("its place, elements or sizes are larger than MPI counts, or elements have no bytes")
                }
            }
        });
        let gaps = told.as_ref().is_ok_and(|(.., block, stride, array)| block != stride || !array.is_empty());
        let [wrong, gaps] = self.comm.all_reduce(&[[told.is_err(), gaps].map(u64::from)], Sum)?[0];
        let (place, bytes, block, stride, array) =
            told.map_err(|why| Error::new(ErrorKind::Usage, format!("{}: {why}", self.what(what))))?;
        if wrong > 0 {
            let message = format!("{}: what {wrong} of the ranks have said cannot be seen", self.what(what));
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let dimensions = (array.len() / 3) as c_int;
        self.call(
            // SAFETY: a file of this MPI's, and three numbers for each dimension.
            |table, file| unsafe {
                (table.file_view)(file, place, bytes, block, stride, array.as_ptr(), dimensions)
            },
            what,
        )?;
        (self.unit, self.gaps) = (size, gaps > 0);
        Ok(())
    }
}
