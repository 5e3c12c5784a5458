//! Messages from one rank to another that were begun.

use super::{Begun, Request, Sort, sweep};
use crate::communicator::Communicator;
use crate::datatype::{place, place_mut};
use crate::error::Error;
use crate::object::{Object, packed};
use crate::owned::Owned;
use crate::padding::clean_in_place;
use crate::point::{Source, Tag, counted, sender, tagged};
use crate::shim::Mode;
use std::ffi::c_int;

impl Communicator {
    /// Begins to send elements.
    ///
    /// # Errors
    /// As [`send`](Communicator::send).
    pub fn start_send<B: Owned>(&self, data: B, to: usize, tag: i32) -> Result<Request<B>, Error> {
        self.start_send_as(data, to, tag, Mode::Standard)
    }

    /// The same, which ends when the receiver has begun to receive them.
    ///
    /// # Errors
    /// As [`send`](Communicator::send).
    pub fn start_send_synchronous<B: Owned>(
        &self,
        data: B,
        to: usize,
        tag: i32,
    ) -> Result<Request<B>, Error> {
        self.start_send_as(data, to, tag, Mode::Synchronous)
    }

    /// The same, where the receiver is known to wait already: otherwise the message may be lost.
    ///
    /// # Errors
    /// As [`send`](Communicator::send).
    pub fn start_send_ready<B: Owned>(&self, data: B, to: usize, tag: i32) -> Result<Request<B>, Error> {
        self.start_send_as(data, to, tag, Mode::Ready)
    }

    /// Begins to send a value, whose bytes the request has.
    ///
    /// # Errors
    /// As [`send_object`](Communicator::send_object).
    pub fn start_send_object<T: Object>(
        &self,
        value: &T,
        to: usize,
        tag: i32,
    ) -> Result<Request<Vec<u8>>, Error> {
        self.start_send(packed(value, "begin to send an object")?, to, tag)
    }

    fn start_send_as<B: Owned>(
        &self,
        mut data: B,
        to: usize,
        tag: i32,
        mode: Mode,
    ) -> Result<Request<B>, Error> {
        let elements = data.elements().len();
        let what = || format!("begin to send {elements} elements to rank {to} with tag {tag}");
        let (peer, tag) = (self.peer(to, what)?, self.tag(Tag::Is(tag), what)?);
        sweep(self.library);
        clean_in_place(data.elements_mut())?;
        let (count, datatype) = counted::<B::Element>(self, elements);
        let mut handle = 0;
        self.library.call(
            // SAFETY: there are so many elements, which the request keeps where they are until MPI has read them.
            |table| unsafe {
                let (data, mode) = (place(data.elements()), mode as c_int);
                (table.isend)(data, count, datatype, peer, tag, self.handle, mode, &mut handle)
            },
            what,
        )?;
        Ok(Request::begun(self.library, Begun { handle, buffer: data, sort: Sort::Send, behind: None }))
    }

    /// Begins to receive as many elements as there is room for in the buffer, at most.
    ///
    /// # Errors
    /// As [`receive_into`](Communicator::receive_into).
    pub fn start_receive<B: Owned>(
        &self,
        mut into: B,
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<Request<B>, Error> {
        let (from, tag) = (from.into(), tag.into());
        let room = into.elements().len();
        let what =
            || format!("begin to receive {room} elements at most from {} with {}", sender(from), tagged(tag));
        let (peer, number) = (self.source(from, what)?, self.tag(tag, what)?);
        sweep(self.library);
        let (count, datatype) = counted::<B::Element>(self, room);
        let mut handle = 0;
        self.library.call(
            // SAFETY: there is room for so many, which the request keeps where it is until MPI has filled it.
            |table| unsafe {
                let data = place_mut(into.elements_mut());
                (table.irecv)(data, count, datatype, peer, number, self.handle, &mut handle)
            },
            what,
        )?;
        Ok(Request::begun(self.library, Begun { handle, buffer: into, sort: Sort::Receive, behind: None }))
    }
}
