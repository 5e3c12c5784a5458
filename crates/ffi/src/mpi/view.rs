//! Which part of a file a rank sees, and in which elements.

use super::failure::MpiFailure;
use super::file::UpcallMpiFile;
use super::parts::sizes;
use upcall_mpi::View;

fn amount(number: u64) -> usize {
    // More than there is memory for is more than a view has.
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[upcall::export(extend)]
impl UpcallMpiFile {
    /// Sees the file as elements of so many bytes, from a place in bytes on: offsets count these, and pointers are at the start.
    /// Collective, as all views are; what is wrong on one rank is an error on all.
    pub fn view(&self, element: usize, place: u64) -> Result<(), MpiFailure> {
        self.alone(|file| file.view_of(element, place, View::Whole))
    }

    /// Shares the file out in blocks of so many elements, from a place in bytes on: the first is rank 0's, the next rank 1's, and
    /// behind that of the last rank comes rank 0's next. Each rank sees its own, side by side.
    pub fn view_blocks(&self, element: usize, place: u64, block: u64) -> Result<(), MpiFailure> {
        self.alone(|file| file.view_of(element, place, View::Blocks(amount(block))))
    }

    /// Sees, from a place in bytes on, `block` of each `stride` elements, of which it skips `first`. Each rank says what it sees
    /// itself.
    pub fn view_strided(
        &self,
        element: usize,
        place: u64,
        first: u64,
        block: u64,
        stride: u64,
    ) -> Result<(), MpiFailure> {
        let [first, block, stride] = [first, block, stride].map(amount);
        self.alone(|file| file.view_of(element, place, View::Strided { first, block, stride }))
    }

    /// Sees a part of an array that lies in the file, from a place in bytes on, its last index next to each other: the sizes of
    /// the array, those of what this rank sees, and where that begins.
    pub fn view_subarray(
        &self,
        element: usize,
        place: u64,
        array: &[u64],
        part: &[u64],
        starts: &[u64],
    ) -> Result<(), MpiFailure> {
        let (array, part, starts) = (sizes(array), sizes(part), sizes(starts));
        let view = View::Subarray { sizes: &array, part: &part, starts: &starts };
        self.alone(|file| file.view_of(element, place, view))
    }
}
