//! Calls that go on while the program does something else.

mod begin;
mod given_up;
mod lent;
mod look;
mod many;

pub(crate) use given_up::{give_up, settle, sweep};
pub use lent::{Lent, Sending};
pub use many::Ended;

use crate::error::Error;
use crate::library::Library;
use crate::shim::{Constant, Handle};
use crate::status::Status;
use look::{Erased, Look};
use std::any::Any;
use std::fmt;

/// A call that was begun, with the buffer that it reads or fills: it owns that, and gives it back when it has ended.
///
/// Dropping it is safe: a receive is cancelled, and whatever else goes on by itself, with its buffer, which is freed when a later
/// request is begun. A call of all ranks that is given up must still be begun by the others. On a thread that may not call MPI, that is
/// done at the next call of one that may.
///
/// Requests of different buffers are waited for together when they are [`erased`](Request::erased).
#[must_use = "a request that is dropped is given up"]
pub struct Request<B: Send + 'static> {
    library: &'static Library,
    stage: Stage<B>,
}

enum Stage<B> {
    /// MPI reads or fills its buffer.
    Begun(Begun<B>),
    /// Its message is looked for.
    Looking(Box<dyn Look<B>>),
    Ended(Result<(B, Status), Error>),
    /// It was given up, or given back.
    Over,
}

/// What MPI goes on with.
pub(crate) struct Begun<B> {
    pub(crate) handle: Handle,
    pub(crate) buffer: B,
    pub(crate) sort: Sort,
    /// What else has to stay where it is.
    pub(crate) behind: Option<Box<dyn Behind>>,
}

/// What can be done with a request that is no longer wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    Send,
    Receive,
    /// A receive whose message is its own already, which ends by itself.
    Matched,
    /// A call of all ranks, which ends when all have begun it.
    Together,
    /// A message in partitions, which the other side may never send or receive.
    Partitioned,
    /// One that can be started again, and was not: it is only freed. MPICH 4.0.2 says of calls of all ranks that were never
    /// started that they go on.
    AtRest,
}

/// What a request needs besides its buffer until it has ended.
pub(crate) trait Behind: Send {
    /// What else than MPI may have failed.
    fn outcome(&self) -> Result<(), Error>;

    /// It is begun once more.
    fn again(&mut self);

    /// Lent memory that is sent.
    fn sent(&self) -> &[u8] {
        &[]
    }
}

/// What has become of a request that was to be [withdrawn](Request::withdraw).
#[derive(Debug)]
pub enum Withdrawn<B: Send + 'static> {
    /// Nothing was sent or received: its buffer, where it had one already.
    Undone(Option<B>),
    /// It had ended before; of a receive, a message has arrived.
    Ended(B, Status),
    /// MPI cannot take it back. It goes on, and a send that ends cancelled after all
    /// [says so](Status::is_cancelled).
    GoesOn(Request<B>),
}

impl<B: Send + 'static> Request<B> {
    pub(crate) fn begun(library: &'static Library, begun: Begun<B>) -> Request<B> {
        Request { library, stage: Stage::Begun(begun) }
    }

    /// One that has ended when it is begun.
    pub(crate) fn of_ended(library: &'static Library, buffer: B) -> Request<B> {
        Request { library, stage: Stage::Ended(Ok((buffer, Status::new(Status::EMPTY, library)))) }
    }

    /// Waits until it has ended: the buffer, and what is known of the message. Of a call of all ranks that is nothing.
    ///
    /// # Errors
    /// What was begun has failed.
    pub fn wait(mut self) -> Result<(B, Status), Error> {
        self.wait_in_place()?;
        self.outcome()
    }

    /// Waits until it has ended, well or not: [`wait`](Request::wait) says at once then with what.
    ///
    /// # Errors
    /// The thread level does not allow the call, or MPI has been finalized. The request goes on; one of unknown size has ended.
    pub fn wait_in_place(&mut self) -> Result<(), Error> {
        while !self.look(true)? {}
        Ok(())
    }

    /// Whether it has ended, well or not: [`wait`](Request::wait) says at once then with what.
    ///
    /// # Errors
    /// As [`wait_in_place`](Request::wait_in_place).
    pub fn has_ended(&mut self) -> Result<bool, Error> {
        self.look(false)
    }

    /// What [`wait`](Request::wait) returns, where it has ended; else the request.
    ///
    /// # Errors
    /// What was begun has failed.
    pub fn test(mut self) -> Result<Result<(B, Status), Request<B>>, Error> {
        if !self.poll() {
            return Ok(Err(self));
        }
        self.outcome().map(Ok)
    }

    /// Takes it back, where that can be done: a receive whose message has not arrived, or, where the MPI can, a send that
    /// nobody has received.
    ///
    /// # Errors
    /// What was begun has failed.
    pub fn withdraw(mut self) -> Result<Withdrawn<B>, Error> {
        if self.poll() {
            let (buffer, status) = self.outcome()?;
            return Ok(Withdrawn::Ended(buffer, status));
        }
        match &mut self.stage {
            Stage::Looking(look) if !look.has_found() => return Ok(Withdrawn::Undone(None)),
            Stage::Begun(begun) if matches!(begun.sort, Sort::Send | Sort::Receive) => self.library.call(
                // SAFETY: a request of MPI's that has not ended, here and below.
                |table| unsafe { (table.cancel)(&mut begun.handle) },
                || "cancel a request".to_owned(),
            )?,
            _ => return Ok(Withdrawn::GoesOn(self)),
        }
        if matches!(&self.stage, Stage::Begun(begun) if begun.sort == Sort::Send) && !self.poll() {
            return Ok(Withdrawn::GoesOn(self));
        }
        // A receive that was cancelled ends, with a message or without.
        let (buffer, status) = self.wait()?;
        Ok(if status.is_cancelled()? {
            Withdrawn::Undone(Some(buffer))
        } else {
            Withdrawn::Ended(buffer, status)
        })
    }

    /// The same request, whose buffer is a [`Box`] of any type, to be waited for beside others. What comes out of it is
    /// told by `downcast`.
    pub fn erased(mut self) -> Request<Box<dyn Any + Send>> {
        let stage = match self.taken() {
            Stage::Begun(Begun { handle, buffer, sort, behind }) => {
                // What the buffer owns stays where it is.
                Stage::Begun(Begun { handle, buffer: Box::new(buffer) as Box<dyn Any + Send>, sort, behind })
            }
            Stage::Looking(look) => Stage::Looking(Box::new(Erased(look))),
            Stage::Ended(outcome) => Stage::Ended(
                outcome.map(|(buffer, status)| (Box::new(buffer) as Box<dyn Any + Send>, status)),
            ),
            Stage::Over => Stage::Over,
        };
        Request { library: self.library, stage }
    }

    fn taken(&mut self) -> Stage<B> {
        std::mem::replace(&mut self.stage, Stage::Over)
    }

    /// Whether it has ended, well or not: then there is an [outcome](Request::outcome). A call that is refused here, and not by
    /// MPI, changes nothing.
    fn look(&mut self, wait: bool) -> Result<bool, Error> {
        match self.taken() {
            Stage::Begun(mut begun) => {
                let (mut made, mut done, mut status) = (false, 1, Status::EMPTY);
                let looked = self.library.call(
                    // SAFETY: a request of MPI's that has not ended.
                    |table| unsafe {
                        made = true;
                        match wait {
                            true => (table.wait)(&mut begun.handle, &mut status),
                            false => (table.test)(&mut begun.handle, &mut done, &mut status),
                        }
                    },
                    || (if wait { "wait for a request" } else { "look at a request" }).to_owned(),
                );
                self.stage = match looked {
                    Ok(()) if done == 0 => Stage::Begun(begun),
                    Ok(()) => Stage::Ended(begun.ended(Status::new(status, self.library))),
                    Err(refused) if !made => {
                        self.stage = Stage::Begun(begun);
                        return Err(refused);
                    }
                    Err(error) => {
                        self.failed(begun);
                        Stage::Ended(Err(error))
                    }
                };
            }
            Stage::Looking(mut look) => {
                self.stage = match look.look(wait).transpose() {
                    None => Stage::Looking(look),
                    Some(outcome) => Stage::Ended(outcome),
                };
            }
            ended => self.stage = ended,
        }
        Ok(matches!(self.stage, Stage::Ended(_)))
    }

    /// The same, of a request that is given up where the call is refused.
    fn poll(&mut self) -> bool {
        self.look(false).unwrap_or_else(|refused| {
            if let Stage::Begun(begun) = self.taken() {
                self.failed(begun);
            }
            self.stage = Stage::Ended(Err(refused));
            true
        })
    }

    /// What it has ended with.
    fn outcome(&mut self) -> Result<(B, Status), Error> {
        match self.taken() {
            Stage::Ended(outcome) => outcome,
            _ => unreachable!("it is asked of a request that has ended"),
        }
    }

    /// One that has failed, or is given up. Where MPI has it no more its buffer is free.
    fn failed(&self, begun: Begun<B>) {
        if begun.handle != self.library.constant(Constant::RequestNull) {
            given_up::give_up(self.library, begun, false);
        }
    }
}

impl<B> Begun<B> {
    fn ended(self, status: Status) -> Result<(B, Status), Error> {
        if let Some(behind) = self.behind {
            behind.outcome()?;
        }
        Ok((self.buffer, status))
    }
}

impl<B: Send + 'static> Drop for Request<B> {
    fn drop(&mut self) {
        if let Stage::Begun(begun) = self.taken() {
            given_up::give_up(self.library, begun, false);
        }
    }
}

impl<B: Send + 'static> fmt::Debug for Request<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.stage {
            Stage::Begun(begun) => match begun.sort {
                Sort::Send => "Request(sends)",
                Sort::Receive => "Request(receives)",
                Sort::Matched => "Request(receives what was matched)",
                Sort::Together | Sort::Partitioned | Sort::AtRest => "Request(goes on)",
            },
            Stage::Looking(_) => "Request(looks for a message)",
            Stage::Ended(_) | Stage::Over => "Request(has ended)",
        })
    }
}
