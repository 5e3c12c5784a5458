//! What can be started again and again: messages in every mode, and the calls of all ranks.

use super::{Copies, Persistent};
use crate::communicator::Communicator;
use crate::datatype::{amount, place, place_mut};
use crate::error::Error;
use crate::operation::Operate;
use crate::padding::may_travel;
use crate::point::{Source, Tag, counted, sender, tagged};
use crate::request::{Sort, sweep};
use crate::shim::{Constant, Handle, Mode, Together};
use crate::together::Plan;
use std::ffi::c_int;
use upcall_abi::Blit;

impl<T: Blit + Send> Persistent<T> {
    pub(super) fn message(
        comm: &Communicator,
        handle: Handle,
        sort: Sort,
        data: Vec<T>,
        into: Vec<T>,
    ) -> Persistent<T> {
        let (library, on, in_place) = (comm.library, comm.kept(), sort == Sort::Send);
        Persistent {
            library,
            handle,
            data,
            into,
            in_place,
            sort,
            active: false,
            behind: None,
            on,
            copies: None,
        }
    }

    fn together(mut plan: Plan<T>) -> Result<Persistent<T>, Error> {
        let library = plan.library;
        sweep(library);
        plan.needs_persistent()?;
        let (handle, behind) = plan.persistent()?;
        let in_place = plan.is_in_place();
        let Plan { data, into, kept: on, .. } = plan;
        Ok(Persistent {
            library,
            handle,
            data,
            into,
            in_place,
            sort: Sort::Together,
            active: false,
            behind: Some(behind),
            on,
            copies: None,
        })
    }
}

/// Messages.
impl Communicator {
    /// Makes a [send](Communicator::send) ready. Its elements are written by [`data_mut`](Persistent::data_mut).
    ///
    /// # Errors
    /// As [`start_send`](Communicator::start_send).
    pub fn send_init<T: Blit + Send>(
        &self,
        data: Vec<T>,
        to: usize,
        tag: i32,
    ) -> Result<Persistent<T>, Error> {
        self.send_init_as(data, to, tag, Mode::Standard)
    }

    /// The same, whose rounds end when the receiver has begun to receive.
    ///
    /// # Errors
    /// As [`start_send`](Communicator::start_send).
    pub fn send_synchronous_init<T: Blit + Send>(
        &self,
        data: Vec<T>,
        to: usize,
        tag: i32,
    ) -> Result<Persistent<T>, Error> {
        self.send_init_as(data, to, tag, Mode::Synchronous)
    }

    /// The same, whose elements are copied into the [buffer of sends](crate::Environment::attach_buffer) when a round is
    /// started, which has ended then. That there is no room for them is an error of the start.
    ///
    /// # Errors
    /// As [`start_send`](Communicator::start_send).
    pub fn send_buffered_init<T: Blit + Send>(
        &self,
        data: Vec<T>,
        to: usize,
        tag: i32,
    ) -> Result<Persistent<T>, Error> {
        let what = || format!("make a send of {} to rank {to} with tag {tag} ready", amount::<T>(data.len()));
        let (peer, tag) = (self.peer(to, what)?, self.tag(Tag::Is(tag), what)?);
        may_travel::<T>()?;
        let nothing = self.library.constant(Constant::RequestNull);
        let mut made = Persistent::message(self, nothing, Sort::Send, data, Vec::new());
        made.copies = Some(Copies { comm: self.handle, peer, tag });
        Ok(made)
    }

    /// The same, where the receiver is known to wait already when a round is started.
    ///
    /// # Errors
    /// As [`start_send`](Communicator::start_send).
    pub fn send_ready_init<T: Blit + Send>(
        &self,
        data: Vec<T>,
        to: usize,
        tag: i32,
    ) -> Result<Persistent<T>, Error> {
        self.send_init_as(data, to, tag, Mode::Ready)
    }

    fn send_init_as<T: Blit + Send>(
        &self,
        data: Vec<T>,
        to: usize,
        tag: i32,
        mode: Mode,
    ) -> Result<Persistent<T>, Error> {
        let what = || format!("make a send of {} to rank {to} with tag {tag} ready", amount::<T>(data.len()));
        let (peer, tag) = (self.peer(to, what)?, self.tag(Tag::Is(tag), what)?);
        sweep(self.library);
        // Whether it may be: its padding is zeroed when it is started.
        may_travel::<T>()?;
        let (count, datatype) = counted::<T>(self, data.len());
        let mut handle = 0;
        self.library.call(
            // SAFETY: there are so many elements, which stay where they are as long as the request is there, here and below.
            |table| unsafe {
                let mode = mode as c_int;
                (table.send_init)(place(&data), count, datatype, peer, tag, self.handle, mode, &mut handle)
            },
            what,
        )?;
        Ok(Persistent::message(self, handle, Sort::Send, data, Vec::new()))
    }

    /// Makes a receive ready, of as many elements as there is room for in the buffer, at most.
    ///
    /// # Errors
    /// As [`start_receive`](Communicator::start_receive).
    pub fn receive_init<T: Blit + Send>(
        &self,
        mut into: Vec<T>,
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<Persistent<T>, Error> {
        let (from, tag) = (from.into(), tag.into());
        let room = into.len();
        let what = || {
            let (from, tag) = (sender(from), tagged(tag));
            format!("make a receive of {} at most from {from} with {tag} ready", amount::<T>(room))
        };
        let (peer, number) = (self.source(from, what)?, self.tag(tag, what)?);
        sweep(self.library);
        let (count, datatype) = counted::<T>(self, room);
        let mut handle = 0;
        self.library.call(
            // SAFETY: as above, of room.
            |table| unsafe {
                let data = place_mut(&mut into);
                (table.recv_init)(data, count, datatype, peer, number, self.handle, &mut handle)
            },
            what,
        )?;
        Ok(Persistent::message(self, handle, Sort::Receive, Vec::new(), into))
    }
}

/// Calls of all ranks: each makes the same ready in the same order, and starts them in the same order. Open MPI before 5 and
/// MPICH from 4 on have them ([`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) where the MPI has not).
impl Communicator {
    /// Makes a [barrier](Communicator::barrier) ready.
    ///
    /// # Errors
    /// As [`start_barrier`](Communicator::start_barrier), or the MPI does not have it.
    pub fn barrier_init(&self) -> Result<Persistent<u8>, Error> {
        Persistent::together(self.barrier_plan()?)
    }

    /// Makes a [broadcast](Communicator::broadcast) ready. Its elements are in [`data`](Persistent::data).
    ///
    /// # Errors
    /// As [`start_broadcast`](Communicator::start_broadcast), or the MPI does not have it.
    pub fn broadcast_init<T: Blit + Send>(&self, data: Vec<T>, root: usize) -> Result<Persistent<T>, Error> {
        Persistent::together(self.broadcast_plan(data, root)?)
    }

    /// Makes a [gather](Communicator::gather) ready. The [result](Persistent::result) is empty but at the root.
    ///
    /// # Errors
    /// As [`start_gather`](Communicator::start_gather), or the MPI does not have it.
    pub fn gather_init<T: Blit + Send>(&self, data: Vec<T>, root: usize) -> Result<Persistent<T>, Error> {
        Persistent::together(self.gather_plan(data, root)?)
    }

    /// Makes a [gather for all ranks](Communicator::all_gather) ready.
    ///
    /// # Errors
    /// As [`start_all_gather`](Communicator::start_all_gather), or the MPI does not have it.
    pub fn all_gather_init<T: Blit + Send>(&self, data: Vec<T>) -> Result<Persistent<T>, Error> {
        Persistent::together(self.all_gather_plan(data)?)
    }

    /// Makes a [scatter](Communicator::scatter) of `each` elements for each rank ready.
    ///
    /// # Errors
    /// As [`start_scatter`](Communicator::start_scatter), or the MPI does not have it.
    pub fn scatter_init<T: Blit + Send>(
        &self,
        data: Vec<T>,
        each: usize,
        root: usize,
    ) -> Result<Persistent<T>, Error> {
        Persistent::together(self.scatter_plan(data, each, root)?)
    }

    /// Makes an [exchange](Communicator::all_to_all) ready.
    ///
    /// # Errors
    /// As [`start_all_to_all`](Communicator::start_all_to_all), or the MPI does not have it.
    pub fn all_to_all_init<T: Blit + Send>(&self, data: Vec<T>) -> Result<Persistent<T>, Error> {
        Persistent::together(self.all_to_all_plan(data)?)
    }

    /// Makes a [gather in parts](Communicator::gather_parts) ready: `counts[r]` elements of rank `r`.
    ///
    /// # Errors
    /// As [`start_gather_parts`](Communicator::start_gather_parts), or the MPI does not have it.
    pub fn gather_parts_init<T: Blit + Send>(
        &self,
        data: Vec<T>,
        counts: &[usize],
        root: usize,
    ) -> Result<Persistent<T>, Error> {
        Persistent::together(self.gather_parts_plan(data, counts, root)?)
    }

    /// The same for all ranks.
    ///
    /// # Errors
    /// As [`start_all_gather_parts`](Communicator::start_all_gather_parts), or the MPI does not have it.
    pub fn all_gather_parts_init<T: Blit + Send>(
        &self,
        data: Vec<T>,
        counts: &[usize],
    ) -> Result<Persistent<T>, Error> {
        Persistent::together(self.all_gather_parts_plan(data, counts)?)
    }

    /// Makes a [scatter in parts](Communicator::scatter_parts) ready: `counts[r]` elements for rank `r`.
    ///
    /// # Errors
    /// As [`start_scatter_parts`](Communicator::start_scatter_parts), or the MPI does not have it.
    pub fn scatter_parts_init<T: Blit + Send>(
        &self,
        data: Vec<T>,
        counts: &[usize],
        root: usize,
    ) -> Result<Persistent<T>, Error> {
        Persistent::together(self.scatter_parts_plan(data, counts, root)?)
    }

    /// Makes an [exchange in parts](Communicator::all_to_all_parts) ready.
    ///
    /// # Errors
    /// As [`start_all_to_all_parts`](Communicator::start_all_to_all_parts), or the MPI does not have it.
    pub fn all_to_all_parts_init<T: Blit + Send>(
        &self,
        data: Vec<T>,
        counts: &[usize],
        into_counts: &[usize],
    ) -> Result<Persistent<T>, Error> {
        Persistent::together(self.all_to_all_parts_plan(data, counts, into_counts)?)
    }

    /// Makes a [reduction](Communicator::reduce) ready. The [result](Persistent::result) is empty but at the root.
    ///
    /// # Errors
    /// As [`start_reduce`](Communicator::start_reduce), or the MPI does not have it.
    pub fn reduce_init<T: Blit + Send>(
        &self,
        data: Vec<T>,
        operation: impl Operate<T> + Send + 'static,
        root: usize,
    ) -> Result<Persistent<T>, Error> {
        Persistent::together(self.reduce_plan(Together::Reduce, data, operation, root)?)
    }

    /// Makes a [reduction for all ranks](Communicator::all_reduce) ready.
    ///
    /// # Errors
    /// As [`start_all_reduce`](Communicator::start_all_reduce), or the MPI does not have it.
    pub fn all_reduce_init<T: Blit + Send>(
        &self,
        data: Vec<T>,
        operation: impl Operate<T> + Send + 'static,
    ) -> Result<Persistent<T>, Error> {
        Persistent::together(self.reduce_plan(Together::AllReduce, data, operation, 0)?)
    }

    /// Makes a [reduction in parts](Communicator::reduce_scatter) ready.
    ///
    /// # Errors
    /// As [`start_reduce_scatter`](Communicator::start_reduce_scatter), or the MPI does not have it.
    pub fn reduce_scatter_init<T: Blit + Send>(
        &self,
        data: Vec<T>,
        counts: &[usize],
        operation: impl Operate<T> + Send + 'static,
    ) -> Result<Persistent<T>, Error> {
        Persistent::together(self.reduce_scatter_plan(data, counts, operation)?)
    }

    /// Makes a [scan](Communicator::scan) ready.
    ///
    /// # Errors
    /// As [`start_scan`](Communicator::start_scan), or the MPI does not have it.
    pub fn scan_init<T: Blit + Send>(
        &self,
        data: Vec<T>,
        operation: impl Operate<T> + Send + 'static,
    ) -> Result<Persistent<T>, Error> {
        Persistent::together(self.reduce_plan(Together::Scan, data, operation, 0)?)
    }

    /// Makes an [exclusive scan](Communicator::exclusive_scan) ready. The [result](Persistent::result) says nothing at rank 0.
    ///
    /// # Errors
    /// As [`start_exclusive_scan`](Communicator::start_exclusive_scan), or the MPI does not have it.
    pub fn exclusive_scan_init<T: Blit + Send>(
        &self,
        data: Vec<T>,
        operation: impl Operate<T> + Send + 'static,
    ) -> Result<Persistent<T>, Error> {
        Persistent::together(self.reduce_plan(Together::ExclusiveScan, data, operation, 0)?)
    }
}
