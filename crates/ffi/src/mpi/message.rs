use super::communicator::{Held, UpcallMpiCommunicator};
use super::failure::MpiFailure;
use super::{UpcallMpiStatus, source};
use std::mem::transmute;
use upcall_mpi::Message;

/// Room for a message that was matched, and is this process's to receive: nobody else gets it. It may be used for one message
/// after the other. One that is not received is thrown away when another is matched, or the room is released.
pub struct UpcallMpiMessage(Option<Matched>);

/// A message and, dropped after it, its communicator.
struct Matched {
    message: Message<'static>,
    _comm: Held,
}

impl UpcallMpiMessage {
    fn get(&mut self) -> Result<&mut Option<Matched>, MpiFailure> {
        if self.0.is_some() {
            return Ok(&mut self.0);
        }
        Err(MpiFailure::usage("receive a message that was matched: none was, or it has been received"))
    }
}

#[upcall::export]
impl UpcallMpiMessage {
    /// Room for a message.
    pub fn new() -> Self {
        UpcallMpiMessage(None)
    }

    /// Whether there is a message, which has not been received.
    pub fn is_matched(&self) -> bool {
        self.0.is_some()
    }

    /// Who has sent it, with which tag, and how large it is.
    pub fn status(&mut self, status: &mut UpcallMpiStatus) -> Result<(), MpiFailure> {
        if let Some(matched) = self.get()? {
            *status = UpcallMpiStatus::of(matched.message.status())?;
        }
        Ok(())
    }

    /// Receives it into memory that may have room for more. Where it is larger it is thrown away.
    pub fn receive_into(&mut self, into: &mut [u8]) -> Result<(), MpiFailure> {
        if let Some(Matched { message, _comm }) = self.get()?.take() {
            message.receive_into(into)?;
        }
        Ok(())
    }

    /// Receives it.
    pub fn receive(&mut self) -> Result<Vec<u8>, MpiFailure> {
        match self.get()?.take() {
            Some(Matched { message, _comm }) => Ok(message.receive::<u8>()?.0),
            None => Ok(Vec::new()),
        }
    }
}

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// Looks for a message from a rank and with a tag, or `UPCALL_MPI_ANY`: waits for one, or says whether one has arrived
    /// already. Whoever receives next may have it: of several threads, use `matched`.
    pub fn probe(
        &self,
        from: i32,
        tag: i32,
        wait: bool,
        status: &mut UpcallMpiStatus,
    ) -> Result<bool, MpiFailure> {
        let (comm, from, tag) = (self.peers()?, source(from, "look for a message")?, super::tag(tag));
        let found = if wait { Some(comm.probe(from, tag)?) } else { comm.try_probe(from, tag)? };
        let Some(found) = found else { return Ok(false) };
        *status = UpcallMpiStatus::of(&found)?;
        Ok(true)
    }

    /// Takes a message from a rank and with a tag, or `UPCALL_MPI_ANY`, to be received later: waits for it, or takes one that
    /// has arrived already. Returns whether there is one.
    pub fn matched(
        &self,
        from: i32,
        tag: i32,
        wait: bool,
        message: &mut UpcallMpiMessage,
    ) -> Result<bool, MpiFailure> {
        // What is there is given up first.
        message.0 = None;
        let (comm, from, tag) = (self.peers()?, source(from, "look for a message")?, super::tag(tag));
        let found = if wait { Some(comm.matched(from, tag)?) } else { comm.try_matched(from, tag)? };
        let Some(found) = found else { return Ok(false) };
        // SAFETY: the communicator lives behind what is kept beside the message, at the same address, and is dropped after it.
        let found = unsafe { transmute::<Message<'_>, Message<'static>>(found) };
        message.0 = Some(Matched { message: found, _comm: comm.clone() });
        Ok(true)
    }
}
