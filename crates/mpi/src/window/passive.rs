//! Epochs that the rank whose memory it is takes no part in.

use super::accumulate::{Nothing, told};
use super::epoch::{Epoch, Reach};
use super::state::Access;
use super::{Accumulate, Combining, Scalar, Window};
use crate::datatype::{place, place_mut, zeroed};
use crate::ending::Hold;
use crate::error::{Error, ErrorKind};
use crate::operation::{Integer, Number};
use crate::padding::cleaned;
use crate::shim::Handle;
use crate::transfer::Transfer;
use std::ffi::c_int;
use std::ops::Deref;
use upcall_abi::Blit;

/// Who else may lock the same rank's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lock {
    /// Others that share it.
    Shared,
    /// Nobody.
    Exclusive,
}

/// An [`Epoch`] whose operations may be completed before it ends, and which has such as are complete when they return.
#[derive(Debug)]
pub struct Passive<'a, 'w, 'env, T: Blit>(&'a Epoch<'w, 'env, T>);

impl<'a, 'w, 'env, T: Blit> Passive<'a, 'w, 'env, T> {
    pub(super) fn of(epoch: &'a Epoch<'w, 'env, T>) -> Passive<'a, 'w, 'env, T> {
        Passive(epoch)
    }
}

impl<'w, 'env, T: Blit> Deref for Passive<'_, 'w, 'env, T> {
    type Target = Epoch<'w, 'env, T>;

    fn deref(&self) -> &Epoch<'w, 'env, T> {
        self.0
    }
}

impl<T: Blit> Window<T> {
    /// An epoch with one rank, which need not call anything. Several ranks may be locked at once, each once.
    ///
    /// # Errors
    /// There is no such rank, it is locked by this rank already, another epoch is open, what the closure returns, or MPI refuses.
    pub fn lock<'env, R>(
        &self,
        lock: Lock,
        rank: usize,
        epoch: impl FnOnce(&Passive<'_, '_, 'env, T>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let hold = Hold::new();
        self.locked(lock, rank, None)?;
        Epoch::new(self, Reach::One(rank), hold).run(|given| epoch(&Passive(given)), || self.lock_ended(rank))
    }

    pub(super) fn lock_ended(&self, rank: usize) -> Result<(), Error> {
        // First there, as another thread may lock it again then.
        let unlocked = self.unlocked(rank);
        self.state.unlock(rank);
        unlocked
    }

    /// An epoch with all ranks, which others may have at the same time: for [`fetch_and_op`](Passive::fetch_and_op) and the
    /// like, and whatever does not overlap.
    ///
    /// # Errors
    /// Another epoch is open, what the closure returns, or MPI refuses.
    pub fn lock_all<'env, R>(
        &self,
        epoch: impl FnOnce(&Passive<'_, '_, 'env, T>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let hold = self.lock_all_begun()?;
        Epoch::new(self, Reach::All, hold).run(|given| epoch(&Passive(given)), || self.lock_all_ended())
    }

    pub(super) fn lock_all_begun(&self) -> Result<Hold, Error> {
        let what = || "lock all ranks".to_owned();
        let hold = Hold::new();
        self.state.begin(Access::LockAll, what)?;
        // SAFETY: a window of this MPI's, here and below.
        let begun = self.library.call(|table| unsafe { (table.win_lock_all)(self.handle) }, what);
        begun.inspect_err(|_| self.state.end())?;
        Ok(hold)
    }

    pub(super) fn lock_all_ended(&self) -> Result<(), Error> {
        let what = || "unlock all ranks".to_owned();
        // SAFETY: as above.
        let unlocked = self.library.end(|table| unsafe { (table.win_unlock_all)(self.handle) }, what);
        self.state.end();
        unlocked
    }

    pub(super) fn locked(&self, lock: Lock, rank: usize, hold: Option<Hold>) -> Result<(), Error> {
        let what = || format!("lock the memory of rank {rank}");
        let peer = self.peer(rank, what)?;
        self.state.lock(rank, hold, what)?;
        let exclusive = c_int::from(lock == Lock::Exclusive);
        let locked = self.library.call(
            // SAFETY: a window of this MPI's, and a rank of it that is not locked.
            |table| unsafe { (table.win_lock)(self.handle, peer, exclusive) },
            what,
        );
        locked.inspect_err(|_| self.state.unlock(rank))
    }

    pub(super) fn unlocked(&self, rank: usize) -> Result<(), Error> {
        let what = || format!("unlock the memory of rank {rank}");
        let peer = self.peer(rank, what)?;
        // SAFETY: as above, which is locked.
        self.library.end(|table| unsafe { (table.win_unlock)(self.handle, peer) }, what)
    }
}

impl<T: Blit> Passive<'_, '_, '_, T> {
    /// Completes what was begun with a rank: there too.
    ///
    /// # Errors
    /// There is no such rank, or MPI refuses.
    pub fn flush(&self, rank: usize) -> Result<(), Error> {
        self.flushed(Some(rank), false)
    }

    /// The same with all.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn flush_all(&self) -> Result<(), Error> {
        self.flushed(None, false)
    }

    /// Completes what was begun with a rank on this side only: what was put has been read, and may not be there yet.
    ///
    /// # Errors
    /// There is no such rank, or MPI refuses.
    pub fn flush_local(&self, rank: usize) -> Result<(), Error> {
        self.flushed(Some(rank), true)
    }

    /// The same with all.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn flush_local_all(&self) -> Result<(), Error> {
        self.flushed(None, true)
    }

    pub(super) fn flushed(&self, rank: Option<usize>, local: bool) -> Result<(), Error> {
        let what = || match rank {
            Some(rank) => format!("flush what was begun with rank {rank}"),
            None => "flush what was begun with all ranks".to_owned(),
        };
        let peer = match rank {
            Some(rank) => self.target(rank, 0, 0, what)?.0,
            None => -1,
        };
        // SAFETY: a window of this MPI's whose passive epoch is open.
        self.call(|table, win| unsafe { (table.win_flush)(win, peer, c_int::from(local)) }, what)
    }

    /// Reads elements of a rank's: they are here when it returns.
    ///
    /// # Errors
    /// As [`get`](Epoch::get), or there is no memory for them.
    pub fn fetch(&self, rank: usize, at: usize, count: usize) -> Result<Vec<T>, Error> {
        let what = || format!("get {count} elements at {at} of rank {rank}");
        let (peer, offset) = self.target(rank, at, count, what)?;
        let mut into = zeroed::<T>(count * self.window.stride)?;
        let bytes = size_of_val(into.as_slice()) as i64;
        // SAFETY: they stay until they have been flushed, and any bytes are elements.
        let got = self.call(
            |table, win| unsafe { (table.win_get)(place_mut(&mut into), bytes, peer, offset, win) },
            what,
        );
        self.complete(got, rank, into)
    }

    /// Gives what MPI has filled where it has; what it may still fill is left to it.
    pub(super) fn complete<B>(&self, begun: Result<(), Error>, rank: usize, filled: B) -> Result<B, Error> {
        if let Err(error) = begun.and_then(|()| self.flush(rank)) {
            std::mem::forget(filled);
            return Err(error);
        }
        Ok(filled)
    }

    /// Combines elements into those of a rank's, each at once: what was there before.
    ///
    /// # Errors
    /// As [`get_accumulate`](Epoch::get_accumulate).
    pub fn fetch_and_accumulate(
        &self,
        data: &[T],
        rank: usize,
        at: usize,
        operator: impl Accumulate<T>,
    ) -> Result<Vec<T>, Error> {
        let mut both = Box::new((data.to_vec(), zeroed::<T>(data.len())?));
        let (data, before) = &mut *both;
        // SAFETY: they stay until they have been flushed.
        let begun = unsafe { self.get_accumulate_from(data, before, rank, at, Combining::by(&operator)) };
        self.complete(begun, rank, both).map(|both| both.1)
    }

    /// Combines one number into one of a rank's at once: what was there before.
    ///
    /// # Errors
    /// As [`fetch_and_op_into`](Epoch::fetch_and_op_into).
    pub fn fetch_and_op(
        &self,
        value: T,
        rank: usize,
        at: usize,
        operator: impl Accumulate<T>,
    ) -> Result<T, Error>
    where
        T: Scalar,
    {
        let mut both = Box::new([value; 2]);
        let [value, before] = &mut *both;
        // SAFETY: they stay until they have been flushed.
        let begun = unsafe { self.fetch_and_op_from(value, before, rank, at, Combining::by(&operator)) };
        self.complete(begun, rank, both).map(|both| both[1])
    }

    /// Reads one number of a rank's at once, whatever others combine into it meanwhile.
    ///
    /// # Errors
    /// As [`fetch_and_op`](Passive::fetch_and_op).
    pub fn load(&self, rank: usize, at: usize) -> Result<T, Error>
    where
        T: Scalar,
    {
        let [none] = zeroed::<T>(1)?[..] else { unreachable!("there is one") };
        self.fetch_and_op(none, rank, at, Nothing)
    }

    /// Reads elements of a rank's, each at once, whatever others combine into them meanwhile.
    ///
    /// # Errors
    /// As [`fetch_and_accumulate`](Passive::fetch_and_accumulate).
    pub fn load_all(&self, rank: usize, at: usize, count: usize) -> Result<Vec<T>, Error>
    where
        T: Number,
    {
        self.target(rank, at, count, || format!("get {count} elements at {at} of rank {rank}"))?;
        self.fetch_and_accumulate(&zeroed::<T>(count)?, rank, at, Nothing)
    }

    /// Writes a number at a rank if what is there is `expected`, at once: what was there, which is `expected` where it was
    /// written.
    ///
    /// # Errors
    /// As [`fetch_and_op`](Passive::fetch_and_op).
    pub fn compare_and_swap(&self, expected: T, value: T, rank: usize, at: usize) -> Result<T, Error>
    where
        T: Scalar + Integer,
    {
        let mut all = Box::new([expected, value, expected]);
        let [expected, value, before] = &mut *all;
        let number = <T as crate::operation::sealed::Numeric>::NUMBER.of;
        // SAFETY: they stay until they have been flushed.
        let begun = unsafe { self.compare_and_swap_from(expected, value, before, rank, at, number) };
        self.complete(begun, rank, all).map(|all| all[2])
    }

    /// Begins to write elements at a rank, which the transfer gives back when they have been read here.
    ///
    /// # Errors
    /// As [`put`](Epoch::put).
    pub fn start_put(&self, data: Vec<T>, rank: usize, at: usize) -> Result<Transfer<'_, T>, Error> {
        let data = cleaned(data)?;
        // SAFETY: the transfer keeps them where they are.
        let request = unsafe { self.put_begun(&data, rank, at)? };
        Ok(self.begun.keep(request, data))
    }

    /// # Safety
    /// The elements must stay until the request has ended, here and below.
    pub(super) unsafe fn put_begun(&self, data: &[T], rank: usize, at: usize) -> Result<Handle, Error> {
        let count = self.window.elements_of(data);
        let what = || format!("begin to put {count} elements at {at} of rank {rank}");
        let (peer, offset) = self.target(rank, at, count, what)?;
        let (bytes, mut request) = (size_of_val(data) as i64, 0);
        // SAFETY: the caller's promise.
        let begun = self.call(
            |table, win| unsafe { (table.win_rput)(place(data), bytes, peer, offset, win, &mut request) },
            what,
        );
        begun.map(|()| request)
    }

    /// Begins to read elements of a rank's, which the transfer gives when they are here.
    ///
    /// # Errors
    /// As [`fetch`](Passive::fetch).
    pub fn start_get(&self, rank: usize, at: usize, count: usize) -> Result<Transfer<'_, T>, Error> {
        // What is no place is told before there is room for it.
        self.target(rank, at, count, || format!("begin to get {count} elements at {at} of rank {rank}"))?;
        let mut into = zeroed::<T>(count * self.window.stride)?;
        // SAFETY: the transfer keeps them where they are.
        let request = unsafe { self.get_begun(&mut into, rank, at)? };
        Ok(self.begun.keep(request, into))
    }

    pub(super) unsafe fn get_begun(&self, into: &mut [T], rank: usize, at: usize) -> Result<Handle, Error> {
        let count = self.window.elements_of(into);
        let what = || format!("begin to get {count} elements at {at} of rank {rank}");
        let (peer, offset) = self.target(rank, at, count, what)?;
        let (bytes, mut request) = (size_of_val(into) as i64, 0);
        // SAFETY: the caller's promise, and any bytes are elements.
        let begun = self.call(
            |table, win| unsafe { (table.win_rget)(place_mut(into), bytes, peer, offset, win, &mut request) },
            what,
        );
        begun.map(|()| request)
    }

    /// Begins to combine elements into those of a rank's, as [`accumulate`](Epoch::accumulate).
    ///
    /// # Errors
    /// As there, or they are more than 2,147,483,647 numbers.
    pub fn start_accumulate(
        &self,
        data: Vec<T>,
        rank: usize,
        at: usize,
        operator: impl Accumulate<T>,
    ) -> Result<Transfer<'_, T>, Error> {
        // SAFETY: the transfer keeps them where they are.
        let request = unsafe { self.accumulate_begun(&data, rank, at, Combining::by(&operator))? };
        Ok(self.begun.keep(request, data))
    }

    pub(super) unsafe fn accumulate_begun(
        &self,
        data: &[T],
        rank: usize,
        at: usize,
        operator: Combining,
    ) -> Result<Handle, Error> {
        let elements = self.window.elements_of(data);
        let what = || format!("begin to accumulate {elements} elements at {at} of rank {rank}");
        let (peer, offset) = self.target(rank, at, elements, what)?;
        let told = told(operator, self.window.library)?;
        let (count, mut request) = ((size_of_val(data) / told.size) as i64, 0);
        if told.most != 0 && count > 1 {
            let message = format!(
                "{}: {} adds them rightly only one by one, as `accumulate` does",
                what(),
                self.window.library.name()
            );
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        // SAFETY: the caller's promise; there are as many numbers of the type there.
        let begun = self.call(
            |table, win| unsafe {
                let data = place(data);
                (table.win_raccumulate)(data, count, told.datatype, peer, offset, told.op, win, &mut request)
            },
            what,
        );
        begun.map(|()| request)
    }
}
