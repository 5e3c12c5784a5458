//! Messages whose parts are sent as soon as they are ready, by whichever thread has made them (MPI 4).

mod lent;
mod receive;
mod send;

pub use lent::LentPartitions;
pub use receive::PartitionedReceive;
pub use send::{Partition, PartitionedSend};

use crate::communicator::{Communicator, Kept};
use crate::datatype::amount;
use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::padding::{clean_in_place, may_travel};
use crate::persistent::goes_on;
use crate::point::{Tag, counted};
use crate::request::{Begun, Behind, Sort, give_up, sweep};
use crate::shim::{Constant, Feature, Handle};
use crate::status::Status;
use std::ffi::{c_int, c_void};
use std::mem::take;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use upcall_abi::Blit;

/// What both sides have.
struct Partitions<T: Blit + Send> {
    library: &'static Library,
    handle: Handle,
    data: Vec<T>,
    /// Elements of each.
    each: usize,
    active: bool,
    /// Of a send, which were sent in this round.
    ready: Vec<AtomicBool>,
    comm: Arc<Kept>,
    /// What keeps the elements where they are not in `data`, which is empty then.
    keeper: Option<Box<dyn Send + Sync>>,
}

#[derive(Clone, Copy)]
enum Side {
    Sends,
    Receives,
}

impl Communicator {
    /// Makes a message of so many partitions ready, of as many elements each. The receiver may divide it otherwise.
    ///
    /// # Errors
    /// There is no such rank or tag, the elements cannot be shared evenly, the type has padding that cannot be zeroed, or the
    /// MPI does not have it ([`ErrorKind::Unsupported`]: Open MPI before 5).
    pub fn partitioned_send_init<T: Blit + Send>(
        &self,
        data: Vec<T>,
        partitions: usize,
        to: usize,
        tag: i32,
    ) -> Result<PartitionedSend<T>, Error> {
        let elements = data.len();
        let what = || {
            format!("make a send of {} in {partitions} partitions to rank {to} ready", amount::<T>(elements))
        };
        may_travel::<T>()?;
        let mut all = self.partitions(data, (partitions, to, tag), Side::Sends, what)?;
        all.ready.resize_with(partitions, AtomicBool::default);
        Ok(PartitionedSend { all })
    }

    /// Makes the receive of such a message ready, whose partitions are as the receiver likes: as many elements in all as are
    /// sent.
    ///
    /// # Errors
    /// As [`partitioned_send_init`](Communicator::partitioned_send_init).
    pub fn partitioned_receive_init<T: Blit + Send>(
        &self,
        into: Vec<T>,
        partitions: usize,
        from: usize,
        tag: i32,
    ) -> Result<PartitionedReceive<T>, Error> {
        let room = into.len();
        let what = || {
            format!(
                "make a receive of {} in {partitions} partitions from rank {from} ready",
                amount::<T>(room)
            )
        };
        let all = self.partitions(into, (partitions, from, tag), Side::Receives, what)?;
        Ok(PartitionedReceive { all })
    }

    fn partitions<T: Blit + Send>(
        &self,
        mut data: Vec<T>,
        at: (usize, usize, i32),
        side: Side,
        what: impl Fn() -> String,
    ) -> Result<Partitions<T>, Error> {
        let (place, elements) = (data.as_mut_ptr().cast::<c_void>(), data.len());
        // SAFETY: there are so many elements, which stay where they are as long as the request is there.
        let mut all = unsafe { self.partitions_at(place, elements, at, side, what)? };
        all.data = data;
        Ok(all)
    }

    /// The same of elements that are not here yet.
    ///
    /// # Safety
    /// There must be so many, which stay where they are as long as MPI has the request.
    unsafe fn partitions_at<T: Blit + Send>(
        &self,
        place: *mut c_void,
        elements: usize,
        (partitions, peer, tag): (usize, usize, i32),
        side: Side,
        what: impl Fn() -> String,
    ) -> Result<Partitions<T>, Error> {
        const INSTEAD: &str = "send the partitions as messages of their own";
        let (peer, tag) = (self.peer(peer, &what)?, self.tag(Tag::Is(tag), &what)?);
        let call = match side {
            Side::Sends => "MPI_Psend_init",
            Side::Receives => "MPI_Precv_init",
        };
        self.library.needs(Feature::Partitioned, call, INSTEAD, &what)?;
        let number = c_int::try_from(partitions).ok().filter(|number| *number > 0);
        let shared =
            elements.checked_div(partitions).filter(|each| *each > 0 && each * partitions == elements);
        let (Some(number), Some(each)) = (number, shared) else {
            let message = format!("{}: each has as many elements, one at least", what());
            return Err(Error::new(ErrorKind::Usage, message));
        };
        sweep(self.library);
        let (count, datatype) = counted::<T>(self, each);
        let mut handle = 0;
        self.library.call(
            // SAFETY: the caller's promise.
            |table| unsafe {
                let comm = self.handle;
                match side {
                    Side::Sends => {
                        (table.psend_init)(place, number, count, datatype, peer, tag, comm, &mut handle)
                    }
                    Side::Receives => {
                        (table.precv_init)(place, number, count, datatype, peer, tag, comm, &mut handle)
                    }
                }
            },
            what,
        )?;
        let (data, ready, comm) = (Vec::new(), Vec::new(), self.kept());
        Ok(Partitions { library: self.library, handle, data, each, active: false, ready, comm, keeper: None })
    }
}

impl<T: Blit + Send> Partitions<T> {
    fn start(&mut self) -> Result<(), Error> {
        self.at_rest()?;
        let mut called = false;
        let started = self.library.call(
            // SAFETY: a request of MPI's that is at rest.
            |table| unsafe {
                called = true;
                (table.start_all)(1, &mut self.handle)
            },
            || "start a message in partitions".to_owned(),
        );
        self.active = called;
        started
    }

    fn is_started(&self) -> Result<(), Error> {
        if self.active {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Usage, "wait for a message in partitions: it was not started"))
    }

    fn at_rest(&self) -> Result<(), Error> {
        if !self.active {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Usage, "use a message in partitions: it is under way; wait for it first"))
    }

    fn wait(&mut self) -> Result<Status, Error> {
        let mut status = Status::EMPTY;
        let waited = self.library.call(
            // SAFETY: a request of MPI's.
            |table| unsafe { (table.wait)(&mut self.handle, &mut status) },
            || "wait for a message in partitions".to_owned(),
        );
        self.active = waited.as_ref().is_err_and(|error| goes_on(self.library, &mut self.handle, error));
        waited.map(|()| Status::new(status, self.library))
    }

    /// Sends what was not ready.
    fn rest(&mut self) -> Result<(), Error> {
        let (library, handle, each) = (self.library, self.handle, self.each);
        let mut parts = self.data.chunks_exact_mut(each);
        for (index, ready) in (0..).zip(&self.ready) {
            let data = parts.next().unwrap_or_default();
            if !ready.load(Ordering::Acquire) {
                Partition { library, handle, index, data, ready }.ready()?;
            }
        }
        Ok(())
    }

    /// The same, where nobody waits: the receiver does, for all of them.
    fn leave_rest(&mut self) {
        let mut rest: Vec<c_int> = Vec::new();
        let mut parts = self.data.chunks_exact_mut(self.each);
        for (index, ready) in (0..).zip(&self.ready) {
            let part = parts.next().unwrap_or_default();
            if self.active && !ready.load(Ordering::Acquire) && clean_in_place(part).is_ok() {
                rest.push(index);
            }
        }
        let (library, handle) = (self.library, self.handle);
        Library::free(move || {
            while let Some(&index) = rest.last() {
                // SAFETY: a partition of a request that was started, which nobody writes any more.
                library.call(|table| unsafe { (table.pready)(index, handle) }, String::new)?;
                rest.pop();
            }
            Ok(())
        });
    }

    fn free(mut self) -> Result<Vec<T>, Error> {
        self.at_rest()?;
        self.freed()?;
        Ok(take(&mut self.data))
    }

    fn freed(&mut self) -> Result<(), Error> {
        self.library.call(
            // SAFETY: a request of MPI's that is at rest.
            |table| unsafe { (table.request_free)(&mut self.handle) },
            || "free a message in partitions".to_owned(),
        )?;
        self.handle = self.library.constant(Constant::RequestNull);
        Ok(())
    }
}

/// A communicator that a request needs, and what keeps its elements.
struct On(Arc<Kept>, Option<Box<dyn Send + Sync>>);

impl Behind for On {
    fn outcome(&self) -> Result<(), Error> {
        let On(_comm, _keeper) = self;
        Ok(())
    }

    fn again(&mut self) {}
}

impl<T: Blit + Send> Drop for Partitions<T> {
    fn drop(&mut self) {
        let gone = self.handle == self.library.constant(Constant::RequestNull);
        if gone || (!self.active && self.freed().is_ok()) {
            return;
        }
        self.leave_rest();
        let behind: Box<dyn Behind> = Box::new(On(Arc::clone(&self.comm), self.keeper.take()));
        let sort = if self.active { Sort::Partitioned } else { Sort::AtRest };
        let (handle, buffer) = (self.handle, take(&mut self.data));
        give_up(self.library, Begun { handle, buffer, sort, behind: Some(behind) }, true);
    }
}
