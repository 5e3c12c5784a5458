//! Calls that go on while the program does something else.

mod lent;

pub use lent::Lent;

use crate::communicator::Communicator;
use crate::datatype::{clean_in_place, place, place_mut};
use crate::error::Error;
use crate::library::Library;
use crate::owned::Owned;
use crate::point::{Source, Tag, counted, sender, tagged};
use crate::shim::{Constant, Handle, Mode};
use crate::status::Status;
use std::any::Any;
use std::ffi::c_int;
use std::fmt;
use std::mem::ManuallyDrop;
use std::sync::{Mutex, PoisonError};

/// A call that was begun, with the buffer that it reads or fills: it owns that, and gives it back when it has ended.
///
/// Dropping it is safe: a receive is cancelled, and a send goes on by itself, with its buffer, which is freed by a later send.
/// On a thread that may not call MPI, that is done at the next call of one that may.
#[must_use = "a request that is dropped is given up"]
pub struct Request<B: Send + 'static> {
    library: &'static Library,
    handle: Handle,
    buffer: Option<B>,
    receives: bool,
}

/// Sends that were given up, with their buffers, until MPI has read these.
static GIVEN_UP: Mutex<Vec<(Handle, Box<dyn Any + Send>)>> = Mutex::new(Vec::new());

/// Frees the buffers that MPI has read by now.
fn sweep(library: &Library) {
    let mut given_up = GIVEN_UP.lock().unwrap_or_else(PoisonError::into_inner);
    given_up.retain_mut(|(handle, _)| {
        let (mut done, mut status) = (0, Status::EMPTY);
        // SAFETY: a request of MPI's, which nobody else has.
        let tested =
            library.call(|table| unsafe { (table.test)(handle, &mut done, &mut status) }, String::new);
        tested.is_err() || done == 0
    });
}

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
        Ok(Request { library: self.library, handle, buffer: Some(data), receives: false })
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
        Ok(Request { library: self.library, handle, buffer: Some(into), receives: true })
    }
}

impl<B: Send + 'static> Request<B> {
    /// Waits until it has ended: the buffer, and what is known of the message.
    ///
    /// # Errors
    /// What was begun has failed.
    pub fn wait(mut self) -> Result<(B, Status), Error> {
        let mut status = Status::EMPTY;
        let mut handle = self.handle;
        let waited = self.library.call(
            // SAFETY: a request of MPI's, which is waited for once.
            |table| unsafe { (table.wait)(&mut handle, &mut status) },
            || "wait for a request".to_owned(),
        );
        self.told(waited, handle)?;
        Ok((self.ended(), Status::new(status, self.library)))
    }

    /// What [`wait`](Request::wait) returns, where it has ended; else the request.
    ///
    /// # Errors
    /// What was begun has failed.
    pub fn test(mut self) -> Result<Result<(B, Status), Request<B>>, Error> {
        Ok(match self.poll()? {
            Some(status) => Ok((self.ended(), status)),
            None => Err(self),
        })
    }

    /// Its status, where it has ended.
    fn poll(&mut self) -> Result<Option<Status>, Error> {
        let (mut done, mut status, mut handle) = (0, Status::EMPTY, self.handle);
        let tested = self.library.call(
            // SAFETY: as above.
            |table| unsafe { (table.test)(&mut handle, &mut done, &mut status) },
            || "look at a request".to_owned(),
        );
        self.told(tested, handle)?;
        Ok((done != 0).then(|| Status::new(status, self.library)))
    }

    /// What MPI has said. Where it is an error and the request is no more, its buffer is free.
    fn told(&mut self, said: Result<(), Error>, handle: Handle) -> Result<(), Error> {
        said.inspect_err(|_| {
            self.handle = handle;
            if handle == self.library.constant(Constant::RequestNull) {
                drop(self.buffer.take());
            }
        })
    }

    /// The buffer, which MPI needs no more.
    fn ended(&mut self) -> B {
        let Some(buffer) = self.buffer.take() else {
            unreachable!("a request has its buffer until it has ended")
        };
        buffer
    }

    /// Waits for all of them.
    ///
    /// # Errors
    /// The first that has failed, when all have ended.
    pub fn wait_all(requests: impl IntoIterator<Item = Request<B>>) -> Result<Vec<(B, Status)>, Error> {
        // All of them are waited for, whatever the first says.
        let ended: Vec<_> = requests.into_iter().map(Request::wait).collect();
        ended.into_iter().collect()
    }

    /// Waits for the first of them that ends, and takes it out: its index, its buffer and its status. `None` where there are
    /// none.
    ///
    /// # Errors
    /// What was begun has failed.
    pub fn wait_any(requests: &mut Vec<Request<B>>) -> Result<Option<(usize, B, Status)>, Error> {
        // One by one: Open MPI 4.1.4 frees all that have failed when MPI_Waitany tells of the first.
        while !requests.is_empty() {
            for index in 0..requests.len() {
                match requests[index].poll() {
                    Ok(None) => {}
                    Ok(Some(status)) => {
                        let mut ended = requests.swap_remove(index);
                        return Ok(Some((index, ended.ended(), status)));
                    }
                    Err(error) => {
                        drop(requests.swap_remove(index));
                        return Err(error);
                    }
                }
            }
            std::thread::yield_now();
        }
        Ok(None)
    }
}

impl<B: Send + 'static> Drop for Request<B> {
    fn drop(&mut self) {
        let Some(buffer) = self.buffer.take() else { return };
        let (library, handle, receives) = (self.library, self.handle, self.receives);
        // MPI may read or fill it until it has said that it has ended, also while the process ends.
        let mut buffer = ManuallyDrop::new(Some(buffer));
        Library::free(move || given_up(library, handle, receives, &mut buffer));
    }
}

/// Ends a request that nobody waits for, and frees its buffer, or leaves that to a later send.
fn given_up<B: Send + 'static>(
    library: &'static Library,
    mut handle: Handle,
    receives: bool,
    buffer: &mut Option<B>,
) -> Result<(), Error> {
    let (mut done, mut status) = (0, Status::EMPTY);
    let ended = library.call(
        // SAFETY: a request of MPI's; the buffer is there until MPI needs it no more.
        |table| unsafe {
            if !receives {
                return (table.test)(&mut handle, &mut done, &mut status);
            }
            match (table.cancel)(&mut handle) {
                0 => {
                    done = 1;
                    (table.wait)(&mut handle, &mut status)
                }
                code => code,
            }
        },
        String::new,
    );
    if ended.is_ok() && done == 0 {
        if let Some(buffer) = buffer.take() {
            GIVEN_UP.lock().unwrap_or_else(PoisonError::into_inner).push((handle, Box::new(buffer)));
        }
    } else if ended.is_ok() || handle == library.constant(Constant::RequestNull) {
        drop(buffer.take());
    }
    ended
}

impl<B: Send + 'static> fmt::Debug for Request<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request").field("receives", &self.receives).finish_non_exhaustive()
    }
}
