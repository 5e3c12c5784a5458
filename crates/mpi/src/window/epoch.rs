//! What may be done between two points in time, when it is done.

use super::accumulate::told;
use super::state::Access;
use super::{Accumulate, Combining, Scalar, Window};
use crate::datatype::{place, place_mut, room};
use crate::ending::Hold;
use crate::error::{Error, ErrorKind};
use crate::operation::Integer;
use crate::padding::cleaned;
use crate::shim::Constant;
use crate::transfer::Transfers;
use std::ffi::c_int;
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};
use upcall_abi::Blit;

/// Which ranks an epoch is with.
#[derive(Clone, Debug)]
pub(super) enum Reach {
    All,
    One(usize),
    Some(Vec<usize>),
}

/// What a closure is given that accesses other ranks' memory: see [`Window`].
///
/// What it begins has ended when the epoch has, behind the closure: `'env` is longer than that. Elements to put are as they are
/// then or before, so that they are borrowed; what is fetched is there then.
pub struct Epoch<'w, 'env, T: Blit> {
    pub(super) window: &'w Window<T>,
    reach: Reach,
    pub(super) begun: Transfers,
    /// What was given to it, and copies, until it has ended.
    kept: Mutex<Vec<Vec<T>>>,
    /// MPI may read and write what is borrowed as long.
    _hold: Hold,
    /// It is no other lifetime's: a shorter one would let go of what MPI still reads.
    env: PhantomData<&'env mut &'env ()>,
}

impl<T: Blit> Window<T> {
    /// An epoch of all ranks: each may access each other's memory in the closure, and when this returns all that was begun by
    /// any rank is done. Collective. It is not begun before all ranks have called it.
    ///
    /// # Errors
    /// Another epoch is open, what the closure returns, or MPI refuses. What was begun is done also where the closure fails.
    pub fn fence<'env, R>(
        &self,
        epoch: impl FnOnce(&Epoch<'_, 'env, T>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let hold = self.fence_begun()?;
        Epoch::new(self, Reach::All, hold).run(epoch, || self.fence_ended())
    }

    pub(super) fn fence_begun(&self) -> Result<Hold, Error> {
        let what = || "begin a fence epoch".to_owned();
        let hold = Hold::new();
        self.state.begin(Access::Fence, what)?;
        // SAFETY: a window of this MPI's, here and below.
        let begun = self.library.call(|table| unsafe { (table.win_fence)(self.handle, 0) }, what);
        begun.inspect_err(|_| self.state.end())?;
        Ok(hold)
    }

    pub(super) fn fence_ended(&self) -> Result<(), Error> {
        let what = || "end a fence epoch".to_owned();
        // SAFETY: as above.
        let ended = self.library.end(|table| unsafe { (table.win_fence)(self.handle, 1) }, what);
        self.state.end();
        ended
    }

    /// Waits for all ranks, which write to one another's memory until they come here too: it has all of that then.
    pub(super) fn all_here(&self) -> Result<(), Error> {
        let _hold = self.fence_begun()?;
        self.fence_ended()
    }

    /// An epoch with some ranks, which [expose](Window::expose) their memory to this one meanwhile: it may wait for that.
    ///
    /// # Errors
    /// There is no such rank, another epoch is open, what the closure returns, or MPI refuses.
    pub fn access<'env, R>(
        &self,
        ranks: &[usize],
        epoch: impl FnOnce(&Epoch<'_, 'env, T>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let hold = self.access_begun(ranks)?;
        Epoch::new(self, Reach::Some(ranks.to_vec()), hold).run(epoch, || self.access_ended(ranks))
    }

    pub(super) fn access_begun(&self, ranks: &[usize]) -> Result<Hold, Error> {
        let what = || format!("access the memory of ranks {ranks:?}");
        let peers = self.peers(ranks, what)?;
        let hold = Hold::new();
        self.state.begin(Access::Started, what)?;
        let begun = self.library.call(
            // SAFETY: as above, and so many ranks of its.
            |table| unsafe { (table.win_start)(self.handle, peers.as_ptr(), peers.len() as c_int) },
            what,
        );
        begun.inspect_err(|_| self.state.end())?;
        Ok(hold)
    }

    pub(super) fn access_ended(&self, ranks: &[usize]) -> Result<(), Error> {
        let what = || format!("access the memory of ranks {ranks:?}");
        // SAFETY: as above.
        let ended = self.library.end(|table| unsafe { (table.win_complete)(self.handle) }, what);
        self.state.end();
        ended
    }

    pub(super) fn peers(&self, ranks: &[usize], what: impl Fn() -> String) -> Result<Vec<c_int>, Error> {
        let twice = ranks.iter().enumerate().find(|(index, rank)| ranks[..*index].contains(rank));
        if let Some((_, rank)) = twice {
            return Err(Error::new(ErrorKind::Rank, format!("{}: rank {rank} is named twice", what())));
        }
        ranks.iter().map(|rank| self.peer(*rank, &what)).collect()
    }
}

impl<'w, 'env, T: Blit> Epoch<'w, 'env, T> {
    pub(super) fn new(window: &'w Window<T>, reach: Reach, hold: Hold) -> Epoch<'w, 'env, T> {
        let begun = Transfers::new(window.library);
        Epoch { window, reach, begun, kept: Mutex::default(), _hold: hold, env: PhantomData }
    }

    /// Runs the closure and ends the epoch, whatever the closure does.
    pub(super) fn run<R>(
        self,
        body: impl FnOnce(&Epoch<'w, 'env, T>) -> Result<R, Error>,
        end: impl FnOnce() -> Result<(), Error>,
    ) -> Result<R, Error> {
        let outcome = catch_unwind(AssertUnwindSafe(|| body(&self)));
        let ended = self.finish(end);
        let outcome = outcome.unwrap_or_else(|panic| resume_unwind(panic))?;
        ended.map(|()| outcome)
    }

    /// Ends what was begun, and the epoch.
    pub(super) fn finish(self, end: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
        let drained = self.begun.drain();
        let ended = end();
        if ended.is_err() {
            // MPI may still read them.
            std::mem::forget(self.kept);
        }
        drained.and(ended)
    }

    /// Where elements of a rank's are, in bytes, if this epoch is with that rank and they are there.
    pub(super) fn target(
        &self,
        rank: usize,
        at: usize,
        count: usize,
        what: impl Fn() -> String,
    ) -> Result<(c_int, i64), Error> {
        let reached = match &self.reach {
            Reach::All => true,
            Reach::One(one) => *one == rank,
            Reach::Some(some) => some.contains(&rank),
        };
        let target = self.window.place(rank, at, count, &what)?;
        if reached {
            return Ok(target);
        }
        let message = format!("{}: this epoch is not with that rank", what());
        Err(Error::new(ErrorKind::Synchronization, message))
    }

    pub(super) fn call(
        &self,
        call: impl FnOnce(&crate::shim::Table, i64) -> c_int,
        what: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        self.window.library.call(|table| call(table, self.window.handle), what)
    }

    /// Keeps elements until the epoch has ended: where they are.
    pub(super) fn keep(&self, elements: Vec<T>) -> *mut T {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push(elements);
        // They stay where they are while the list of them grows.
        kept.last_mut().map_or(std::ptr::dangling_mut(), Vec::as_mut_ptr)
    }

    /// Writes elements at a rank, from its element `at` on.
    ///
    /// # Errors
    /// There is no such rank or place, the epoch is not with that rank, the type has padding that cannot be zeroed, or MPI
    /// refuses.
    pub fn put(&self, data: &'env [T], rank: usize, at: usize) -> Result<(), Error> {
        if T::PADDED {
            let mut copy = room(data.len())?;
            copy.extend_from_slice(data);
            return self.put_owned(copy, rank, at);
        }
        // SAFETY: they are borrowed until the epoch has ended.
        unsafe { self.put_from(data, rank, at) }
    }

    /// As [`put`](Epoch::put), of elements that the epoch keeps: such as are made within the closure.
    ///
    /// # Errors
    /// As there.
    pub fn put_owned(&self, data: Vec<T>, rank: usize, at: usize) -> Result<(), Error> {
        let data = cleaned(data)?;
        let (count, data) = (data.len(), self.keep(data));
        // SAFETY: so many elements, which are kept until the epoch has ended.
        unsafe { self.put_from(std::slice::from_raw_parts(data, count), rank, at) }
    }

    /// # Safety
    /// The elements must stay until the epoch has ended.
    pub(super) unsafe fn put_from(&self, data: &[T], rank: usize, at: usize) -> Result<(), Error> {
        let count = self.window.elements_of(data);
        let what = || format!("put {count} elements at {at} of rank {rank}");
        let (peer, offset) = self.target(rank, at, count, what)?;
        let bytes = size_of_val(data) as i64;
        // SAFETY: the caller's promise; the target has as many.
        self.call(|table, win| unsafe { (table.win_put)(place(data), bytes, peer, offset, win) }, what)
    }

    /// Reads elements of a rank's, from its element `at` on, which are there when the epoch has ended.
    ///
    /// # Errors
    /// There is no such rank or place, the epoch is not with that rank, or MPI refuses.
    pub fn get(&self, into: &'env mut [T], rank: usize, at: usize) -> Result<(), Error> {
        // SAFETY: they are borrowed until the epoch has ended.
        unsafe { self.get_to(into, rank, at) }
    }

    /// # Safety
    /// The elements must stay until the operation has ended.
    pub(super) unsafe fn get_to(&self, into: &mut [T], rank: usize, at: usize) -> Result<(), Error> {
        let count = self.window.elements_of(into);
        let what = || format!("get {count} elements at {at} of rank {rank}");
        let (peer, offset) = self.target(rank, at, count, what)?;
        let bytes = size_of_val(into) as i64;
        // SAFETY: the caller's promise, and any bytes are elements.
        self.call(|table, win| unsafe { (table.win_get)(place_mut(into), bytes, peer, offset, win) }, what)
    }

    /// Combines elements into those of a rank's, each at once: `there = there op here`. Several ranks may do so to the same
    /// elements, with one operator.
    ///
    /// # Errors
    /// As [`put`](Epoch::put); or the MPI in use compares unsigned numbers wrongly, for `Min` and `Max` of such.
    pub fn accumulate(
        &self,
        data: &'env [T],
        rank: usize,
        at: usize,
        operator: impl Accumulate<T>,
    ) -> Result<(), Error> {
        // SAFETY: they are borrowed until the epoch has ended.
        unsafe { self.accumulate_from(data, rank, at, Combining::by(&operator)) }
    }

    /// As [`accumulate`](Epoch::accumulate), of elements that the epoch keeps.
    ///
    /// # Errors
    /// As there.
    pub fn accumulate_owned(
        &self,
        data: Vec<T>,
        rank: usize,
        at: usize,
        operator: impl Accumulate<T>,
    ) -> Result<(), Error> {
        let (count, data) = (data.len(), self.keep(data));
        // SAFETY: so many elements, which are kept until the epoch has ended.
        unsafe {
            self.accumulate_from(std::slice::from_raw_parts(data, count), rank, at, Combining::by(&operator))
        }
    }

    /// # Safety
    /// The elements must stay until the epoch has ended.
    pub(super) unsafe fn accumulate_from(
        &self,
        data: &[T],
        rank: usize,
        at: usize,
        operator: Combining,
    ) -> Result<(), Error> {
        let elements = self.window.elements_of(data);
        let what = || format!("accumulate {elements} elements at {at} of rank {rank}");
        let (peer, offset) = self.target(rank, at, elements, what)?;
        let told = told(operator, self.window.library)?;
        let count = (size_of_val(data) / told.size) as i64;
        let size = told.size as c_int;
        self.call(
            // SAFETY: the caller's promise; the target has as many numbers of the type.
            |table, win| unsafe {
                (table.win_accumulate)(
                    place(data),
                    count,
                    told.datatype,
                    size,
                    told.most,
                    peer,
                    offset,
                    told.op,
                    win,
                )
            },
            what,
        )
    }

    /// As [`accumulate`](Epoch::accumulate); `before` has what was there before, when the epoch has ended.
    ///
    /// # Errors
    /// As there, or the slices are not of the same length.
    pub fn get_accumulate(
        &self,
        data: &'env [T],
        before: &'env mut [T],
        rank: usize,
        at: usize,
        operator: impl Accumulate<T>,
    ) -> Result<(), Error> {
        // SAFETY: they are borrowed until the epoch has ended.
        unsafe { self.get_accumulate_from(data, before, rank, at, Combining::by(&operator)) }
    }

    /// # Safety
    /// The elements must stay until the operation has ended.
    pub(super) unsafe fn get_accumulate_from(
        &self,
        data: &[T],
        before: &mut [T],
        rank: usize,
        at: usize,
        operator: Combining,
    ) -> Result<(), Error> {
        let elements = self.window.elements_of(data);
        let what = || format!("get and accumulate {elements} elements at {at} of rank {rank}");
        if before.len() != data.len() {
            let room = self.window.elements_of(before);
            let message = format!("{}: the slice for those before has {room}", what());
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let (peer, offset) = self.target(rank, at, elements, what)?;
        let told = told(operator, self.window.library)?;
        let count = (size_of_val(data) / told.size) as i64;
        let (size, most, kind, op) = (told.size as c_int, told.most, told.datatype, told.op);
        self.call(
            // SAFETY: the caller's promise; here and there are as many numbers of the type.
            |table, win| unsafe {
                let (data, before) = (place(data), place_mut(before));
                (table.win_get_accumulate)(data, before, count, kind, size, most, peer, offset, op, win)
            },
            what,
        )
    }

    /// Combines one number into one of a rank's at once; `before` has what was there before, when the epoch has ended.
    ///
    /// # Errors
    /// As [`accumulate`](Epoch::accumulate).
    pub fn fetch_and_op_into(
        &self,
        value: T,
        before: &'env mut T,
        rank: usize,
        at: usize,
        operator: impl Accumulate<T>,
    ) -> Result<(), Error>
    where
        T: Scalar,
    {
        let value = self.keep(vec![value]);
        // SAFETY: the epoch keeps the one and borrows the other.
        unsafe { self.fetch_and_op_from(value, before, rank, at, Combining::by(&operator)) }
    }

    /// # Safety
    /// The numbers must stay until the operation has ended.
    pub(super) unsafe fn fetch_and_op_from(
        &self,
        value: *const T,
        before: *mut T,
        rank: usize,
        at: usize,
        operator: Combining,
    ) -> Result<(), Error> {
        let what = || format!("fetch and combine a number at {at} of rank {rank}");
        let (peer, offset) = self.target(rank, at, 1, what)?;
        let told = told(operator, self.window.library)?;
        let (value, before) = (value.cast(), before.cast());
        self.call(
            // SAFETY: the caller's promise; one number of the type, here and there.
            |table, win| unsafe {
                (table.win_fetch_and_op)(value, before, told.datatype, peer, offset, told.op, win)
            },
            what,
        )
    }

    /// Writes a number at a rank if what is there is `expected`, at once; `before` has what was there, when the epoch has
    /// ended.
    ///
    /// # Errors
    /// As [`accumulate`](Epoch::accumulate).
    pub fn compare_and_swap_into(
        &self,
        expected: T,
        value: T,
        before: &'env mut T,
        rank: usize,
        at: usize,
    ) -> Result<(), Error>
    where
        T: Scalar + Integer,
    {
        let values = self.keep(vec![expected, value]);
        let number = <T as crate::operation::sealed::Numeric>::NUMBER.of;
        // SAFETY: two numbers, which the epoch keeps; the last is borrowed as long.
        unsafe { self.compare_and_swap_from(values, values.add(1), before, rank, at, number) }
    }

    /// # Safety
    /// The numbers must stay until the operation has ended.
    pub(super) unsafe fn compare_and_swap_from(
        &self,
        expected: *const T,
        value: *const T,
        before: *mut T,
        rank: usize,
        at: usize,
        number: Constant,
    ) -> Result<(), Error> {
        let what = || format!("compare and swap a number at {at} of rank {rank}");
        let (peer, offset) = self.target(rank, at, 1, what)?;
        let kind = self.window.library.constant(number);
        let (value, expected, before) = (value.cast(), expected.cast(), before.cast());
        self.call(
            // SAFETY: the caller's promise; one number of the type, here and there.
            |table, win| unsafe {
                (table.win_compare_and_swap)(value, expected, before, kind, peer, offset, win)
            },
            what,
        )
    }
}

impl<T: Blit> fmt::Debug for Epoch<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Epoch with {:?}", self.reach)
    }
}
