//! How a window comes into being, and how it ends.

use super::Window;
use super::ghost;
use super::room;
use super::state::State;
use crate::communicator::Communicator;
use crate::datatype::place_mut;
use crate::ending::Unended;
use crate::error::{Error, ErrorKind};
use crate::operation::Sum;
use crate::padding::{clean_in_place, may_travel};
use crate::shim::Handle;
use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ptr;
use upcall_abi::Blit;

/// The bytes of the largest window: those of a line of the cache are left for rounding.
const MOST: u64 = (i64::MAX - LINE) as u64;

/// What MPI's memory begins at a multiple of.
const LINE: i64 = 64;

/// What the program's must: MPICH 4.0.2 over UCX takes the last multiple of 16 before a rank's memory for its start.
const ALIGNED: usize = 16;

/// What a rank tells instead of its elements: there are too many, or its memory has no whole number of them.
const TOO_MANY: u64 = u64::MAX;
const PARTIAL: u64 = u64::MAX - 1;

/// Tells all ranks how many elements this one has, or that there is no whole number of them. What is wrong on one is an error on all.
fn told<T: Blit>(
    comm: &Communicator,
    length: Option<usize>,
    stride: usize,
    what: &str,
) -> Result<Vec<usize>, Error> {
    may_travel::<T>()?;
    let each = (size_of::<T>() * stride) as u64;
    let length = length.map_or(PARTIAL, |length| {
        let bytes = (length as u64).checked_mul(each).filter(|bytes| *bytes <= MOST);
        if bytes.is_some() { length as u64 } else { TOO_MANY }
    });
    let all = comm.all_gather(&[length, each, u64::from(stride == 0)])?;
    let usage = |why: String| Err(Error::new(ErrorKind::Usage, format!("{what}: {why}")));
    if let Some(rank) = all.chunks_exact(3).position(|of| of[2] != 0) {
        return usage(format!("an element has a byte at least, and has none at rank {rank}"));
    }
    for (rank, of) in all.chunks_exact(3).enumerate() {
        if of[1] != each {
            let message = format!(
                "{what}: its elements have {each} bytes here and {} at rank {rank}; make it of one type",
                of[1]
            );
            return Err(Error::new(ErrorKind::Type, message));
        }
        if of[0] == PARTIAL {
            return usage(format!(
                "the memory of rank {rank} is no whole number of elements of {each} bytes"
            ));
        }
        if of[0] == TOO_MANY {
            return Err(Error::new(ErrorKind::Count, format!("{what}: rank {rank} has too many elements")));
        }
    }
    Ok(all.chunks_exact(3).map(|of| usize::try_from(of[0]).unwrap_or(usize::MAX)).collect())
}

/// Whether all ranks have come so far; they leave it together.
pub(super) fn agreed(comm: &Communicator, mine: Result<(), Error>, what: &str) -> Result<(), Error> {
    let all = comm.all_gather(&[u8::from(mine.is_err())])?;
    mine?;
    match all.iter().position(|failed| *failed != 0) {
        Some(rank) => Err(Error::new(ErrorKind::Mpi, format!("{what}: it has failed on rank {rank}"))),
        None => Ok(()),
    }
}

/// Why a window was not made over memory of the program's, which other ranks may reach for ever: it is never let go then.
pub(super) struct NotMade {
    pub(super) error: Error,
    pub(super) is_reached: bool,
}

impl From<Error> for NotMade {
    fn from(error: Error) -> NotMade {
        NotMade { error, is_reached: false }
    }
}

/// Makes a window over memory of the program's, where MPI takes it where it lies: on all ranks, or on none.
///
/// # Safety
/// There must be so many bytes, which stay until the window has been freed, or for ever where they are reached.
unsafe fn made_over(
    comm: &Communicator,
    base: *mut c_void,
    bytes: usize,
    what: &str,
) -> Result<Option<Handle>, NotMade> {
    let unaligned = u64::from(!base.addr().is_multiple_of(ALIGNED));
    let in_place = comm.all_reduce(&[unaligned], Sum)? == [0]
        && !(comm.library.name().starts_with("Open MPI v4.") && machine_of(comm)?.size() == comm.size());
    if !in_place {
        return Ok(None);
    }
    let mut handle = 0;
    let made = comm.library.call(
        // SAFETY: the caller's promise.
        |table| unsafe { (table.win_create)(base, bytes as i64, comm.handle, &mut handle) },
        || what.to_owned(),
    );
    let reached = |error| NotMade { error, is_reached: true };
    let failed = comm.all_reduce(&[u64::from(made.is_err())], Sum).map_err(reached)?[0];
    if failed == 0 {
        Unended::Window(handle).made();
        return Ok(Some(handle));
    }
    if failed < comm.size() as u64 {
        let others = || Error::new(ErrorKind::Mpi, format!("{what}: {failed} ranks could not"));
        return Err(reached(made.err().unwrap_or_else(others)));
    }
    Ok(None)
}

/// The ranks of this machine.
fn machine_of(comm: &Communicator) -> Result<Communicator, Error> {
    comm.split_shared_memory(0)
}

impl<T: Blit> Window<T> {
    /// One over memory of MPI's, which is faster for others to reach: `count` elements here, which are zero. Where all ranks run
    /// on one machine they share it, so that no access waits for another rank. Collective; each rank has its own number.
    ///
    /// # Errors
    /// The ranks' elements differ in size, there is no memory, or too little of that which a machine's ranks share
    /// ([`ErrorKind::NoSpace`], on all of them, with how much there is), the type has padding that cannot be zeroed or is aligned to more
    /// than MPI's memory, or MPI refuses.
    pub fn allocate(comm: &Communicator, count: usize) -> Result<Window<T>, Error> {
        may_travel::<T>()?;
        Window::allocated_by(comm, count, 1)
    }

    /// The same of elements that are `stride` of its own.
    pub(super) fn allocated_by(comm: &Communicator, count: usize, stride: usize) -> Result<Window<T>, Error> {
        Window::allocated(comm, &machine_of(comm)?, count, stride)
    }

    pub(super) fn allocated(
        comm: &Communicator,
        machine: &Communicator,
        count: usize,
        stride: usize,
    ) -> Result<Window<T>, Error> {
        let what = format!("allocate a window of {count} elements");
        let lengths = told::<T>(comm, Some(count), stride, &what)?;
        let shared = machine.size() == comm.size();
        let (mut base, mut handle) = (ptr::null_mut(), 0);
        let bytes = (count * stride * size_of::<T>()) as i64;
        // One rank's memory may lie behind another's.
        let room = (bytes + LINE - 1) / LINE * LINE;
        room::found(comm, machine, room.unsigned_abs(), || what.clone())?;
        let made = comm.library.call(
            // SAFETY: a communicator of this MPI's, and what it writes is here.
            |table| unsafe {
                (table.win_allocate)(room, comm.handle, i32::from(shared), &mut base, &mut handle)
            },
            || what.clone(),
        );
        let base = if bytes == 0 { ptr::dangling_mut() } else { base.cast::<T>() };
        let made = made.and_then(|()| {
            if base.is_aligned() && !base.is_null() {
                // SAFETY: there is so much memory, which nobody accesses before all ranks have agreed below.
                unsafe { base.write_bytes(0, count * stride) };
                return Ok(());
            }
            let message = format!(
                "{what}: MPI's memory is not aligned to {} bytes; make one over memory of your own",
                align_of::<T>()
            );
            Err(Error::new(ErrorKind::Usage, message))
        });
        if handle != 0 {
            Unended::Window(handle).made();
        }
        agreed(comm, made, &what)?;
        Ok(Window::new(comm, handle, lengths, stride, base, None))
    }

    /// One over elements of the program's own, which [`free`](Window::free) gives back. Collective; each rank has its own
    /// number.
    ///
    /// Where MPI does not take them where they lie, they are copied to memory of its own, and back in the end. MPICH 4.0.2
    /// mistakes addresses that are no multiple of 16; Open MPI 4.1.4 takes none on a single rank, and what ranks of one machine reach so
    /// (`osc/rdma`) does not survive a compare-and-swap of a rank with itself.
    ///
    /// # Errors
    /// The ranks' elements differ in size, the type has padding that cannot be zeroed, or MPI refuses.
    pub fn create(comm: &Communicator, mut data: Vec<T>) -> Result<Window<T>, Error> {
        let count = data.len();
        let what = format!("make a window of {count} elements");
        let lengths = told::<T>(comm, Some(count), 1, &what)?;
        clean_in_place(&mut data)?;
        let mut data = ManuallyDrop::new(data);
        let bytes = size_of_val(data.as_slice());
        // SAFETY: there is so much memory, which stays until the window has been freed: by that only it is let go, or below.
        match unsafe { made_over(comm, place_mut(&mut data), bytes, &what) } {
            Ok(Some(handle)) => {
                let capacity = data.capacity();
                Ok(Window::new(comm, handle, lengths, 1, data.as_mut_ptr(), Some(capacity)))
            }
            Ok(None) => Window::copied(comm, &ManuallyDrop::into_inner(data), 1),
            Err(NotMade { error, is_reached }) => {
                if !is_reached {
                    drop(ManuallyDrop::into_inner(data));
                }
                Err(error)
            }
        }
    }

    /// One of elements that are `stride` of its own, over `count` of its type in memory of somebody else's, or with a copy of what is
    /// there: it says whether it is a copy.
    ///
    /// # Safety
    /// There are so many, and where it is no copy they stay until the window has been freed, or for ever where it says that they are
    /// reached.
    pub(super) unsafe fn create_over(
        comm: &Communicator,
        base: *mut T,
        count: usize,
        stride: usize,
    ) -> Result<(Window<T>, bool), NotMade> {
        let length = count.checked_div(stride).filter(|length| length * stride == count);
        let what = match length {
            Some(length) => format!("make a window of {length} elements"),
            None => format!("make a window of {} bytes", count * size_of::<T>()),
        };
        let lengths = told::<T>(comm, length, stride, &what)?;
        // SAFETY: the caller's promise.
        let data = unsafe { std::slice::from_raw_parts_mut(base, count) };
        // SAFETY: the caller's promise.
        if let Some(handle) = unsafe { made_over(comm, place_mut(data), size_of_val(data), &what)? } {
            return Ok((Window::new(comm, handle, lengths, stride, base, None), false));
        }
        Ok((Window::copied(comm, data, stride)?, true))
    }

    /// One over memory of MPI's with these elements, which are padded with zeroes.
    fn copied(comm: &Communicator, data: &[T], stride: usize) -> Result<Window<T>, Error> {
        let window = Window::<T>::allocated_by(comm, data.len() / stride, stride)?;
        // SAFETY: there is room for as many, which nobody accesses before all ranks are behind the barrier.
        unsafe { window.base.copy_from_nonoverlapping(data.as_ptr(), data.len()) };
        comm.barrier()?;
        Ok(window)
    }

    fn new(
        comm: &Communicator,
        handle: Handle,
        lengths: Vec<usize>,
        stride: usize,
        base: *mut T,
        capacity: Option<usize>,
    ) -> Window<T> {
        let (library, rank) = (comm.library, comm.rank());
        Window { library, handle, rank, lengths, stride, base, capacity, state: State::new(rank) }
    }

    /// Ends it, as dropping does, when all ranks do: the elements of a window that was [made](Window::create) of some, a copy
    /// of those of one that was [allocated](Window::allocate). Collective.
    ///
    /// # Errors
    /// MPI refuses, or has been finalized.
    pub fn free(self) -> Result<Vec<T>, Error> {
        let mut this = ManuallyDrop::new(self);
        this.released()?;
        let copy = match this.capacity {
            Some(_) => Vec::new(),
            None => {
                this.all_here()?;
                this.local()?.to_vec()
            }
        };
        this.freed()?;
        // SAFETY: the window is no more, and nothing of it is used again but what is dropped here, once.
        let data = unsafe { this.elements() };
        // SAFETY: as above.
        unsafe {
            ptr::drop_in_place(&raw mut this.lengths);
            ptr::drop_in_place(&raw mut this.state);
        }
        Ok(data.unwrap_or(copy))
    }

    /// Ends what was forgotten.
    fn released(&mut self) -> Result<(), Error> {
        // MPI is not finalized while these are here.
        let (locks, exposed) = self.state.left();
        for (rank, _) in &locks {
            if *rank == self.rank {
                // SAFETY: this rank's elements, which are locked still, and whose guard is no more.
                clean_in_place(unsafe { std::slice::from_raw_parts_mut(self.base, self.room(*rank)) })?;
            }
            self.unlocked(*rank)?;
        }
        if exposed.is_some() {
            self.library.end(
                // SAFETY: a window of this MPI's, here and below.
                |table| unsafe { (table.win_wait)(self.handle, 1, &mut 0) },
                || "end an exposure that was forgotten".to_owned(),
            )?;
        }
        Ok(())
    }

    /// As [`free`](Window::free), of one that has nothing open and whose elements nobody wants.
    pub(super) fn closed(self) -> Result<(), Error> {
        let mut this = ManuallyDrop::new(self);
        this.freed()?;
        // SAFETY: the window is no more, and nothing of it is used again but what is dropped here, once.
        unsafe {
            drop(this.elements());
            ptr::drop_in_place(&raw mut this.lengths);
            ptr::drop_in_place(&raw mut this.state);
        }
        Ok(())
    }

    fn freed(&mut self) -> Result<(), Error> {
        let left = Unended::Window(self.handle);
        if self.size() == 1 && ghost::is_shown(left) {
            return self.library.call(|_| 0, || "free a window".to_owned());
        }
        self.library
            .call(|table| if left.taken() { left.end(table) } else { 0 }, || "free a window".to_owned())
    }

    /// The `Vec` that it was made of.
    ///
    /// # Safety
    /// It must have been freed, and this must be called once.
    unsafe fn elements(&mut self) -> Option<Vec<T>> {
        let capacity = self.capacity?;
        // SAFETY: the parts of a `Vec`, which is this window's, and which MPI has let go.
        Some(unsafe { Vec::from_raw_parts(self.base, self.lengths[self.rank], capacity) })
    }
}

impl<T: Blit> Drop for Window<T> {
    fn drop(&mut self) {
        // The others would wait for this rank, or this one for them: the job is about to be ended.
        if std::thread::panicking() {
            return;
        }
        // Nobody could be told. Where it fails, others may still write to the memory: it is left to them.
        if self.released().and_then(|()| self.freed()).is_ok() {
            // SAFETY: it has been freed.
            drop(unsafe { self.elements() });
        }
    }
}
