//! Sends that are copied and return whether or not anybody receives them, up to so many bytes at once.
//!
//! The copies are ours, and sent without waiting: where MPI_Bsend finds its buffer full, Open MPI 4.1.4 says so, and no later
//! message to that rank arrives.

use crate::communicator::Communicator;
use crate::datatype::{amount, place};
use crate::environment::Environment;
use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::owned::Owned;
use crate::padding::clean;
use crate::point::Tag;
use crate::request::Request;
use crate::shim::{Constant, Handle, Mode};
use crate::status::Status;
use std::ffi::c_int;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Mutex, MutexGuard, PoisonError};
use upcall_abi::Blit;

/// The room for buffered sends, from when it is attached until it is detached or dropped, which waits until all that was sent by
/// it has left.
#[must_use = "a buffer that is dropped is detached"]
pub struct SendBuffer<'e> {
    library: &'static Library,
    bytes: usize,
    detached: bool,
    environment: PhantomData<&'e Environment>,
}

/// What is attached: one per process.
struct Room {
    /// How many bytes may be under way; `None` where nothing is attached.
    bytes: Option<usize>,
    /// Whether nobody has what was attached any more.
    left: bool,
    used: usize,
    sent: Vec<(Handle, Vec<u8>)>,
    /// With so many under way it is looked which have left.
    look_at: usize,
}

const FEW: usize = 32;

static ROOM: Mutex<Room> =
    Mutex::new(Room { bytes: None, left: false, used: 0, sent: Vec::new(), look_at: FEW });

fn room() -> MutexGuard<'static, Room> {
    ROOM.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Environment {
    /// Attaches room for `bytes` bytes of messages at once, for [`send_buffered`](Communicator::send_buffered) by all
    /// communicators and threads of the process. Nothing is allocated before messages are sent.
    ///
    /// # Errors
    /// There is one already; or MPI has been finalized, as [`close`](Environment::close) does.
    pub fn attach_buffer(&self, bytes: usize) -> Result<SendBuffer<'_>, Error> {
        self.world().library.call(|_| 0, || format!("attach a buffer of {bytes} bytes for sends"))?;
        let mut room = room();
        if let Some(attached) = room.bytes.filter(|_| !room.left) {
            let message = format!(
                "attach a buffer of {bytes} bytes for sends: one of {attached} is attached already; detach it first"
            );
            return Err(Error::new(ErrorKind::Usage, message));
        }
        (room.bytes, room.left) = (Some(bytes), false);
        Ok(SendBuffer { library: self.world().library, bytes, detached: false, environment: PhantomData })
    }
}

impl Communicator {
    /// As [`send`](Communicator::send); the elements are copied into the [buffer of sends](Environment::attach_buffer), and it
    /// returns whether or not anybody receives them.
    ///
    /// # Errors
    /// As there; or the buffer is full, or none is attached ([`ErrorKind::Buffer`]): then nothing was sent.
    pub fn send_buffered<T: Blit>(&self, data: &[T], to: usize, tag: i32) -> Result<(), Error> {
        let what = || format!("send {} to rank {to} with tag {tag} from the buffer", amount::<T>(data.len()));
        let (peer, tag) = (self.peer(to, what)?, self.tag(Tag::Is(tag), what)?);
        sent(self.library, self.handle, data, peer, tag, what)
    }

    /// As [`send_buffered`](Communicator::send_buffered), with a request that has ended when it is begun.
    ///
    /// # Errors
    /// As there.
    pub fn start_send_buffered<B: Owned>(&self, data: B, to: usize, tag: i32) -> Result<Request<B>, Error> {
        self.send_buffered(data.elements(), to, tag)?;
        Ok(Request::of_ended(self.library, data))
    }
}

/// Sends a copy of the elements.
pub(crate) fn sent<T: Blit>(
    library: &'static Library,
    comm: Handle,
    data: &[T],
    peer: c_int,
    tag: c_int,
    what: impl Fn() -> String,
) -> Result<(), Error> {
    let copy = clean(data)?;
    let data = copy.as_deref().unwrap_or(data);
    let bytes = size_of_val(data);
    // Its room is taken before it is sent: no lock is held while MPI is called, which may free what other threads have left.
    if !taken(bytes, true, &what)? {
        look(library)?;
        taken(bytes, false, &what)?;
    }
    let mut copy = Vec::<u8>::with_capacity(bytes);
    // SAFETY: there is room for so many bytes, each of which is one of the elements', whose padding was zeroed.
    unsafe {
        copy.as_mut_ptr().copy_from_nonoverlapping(place(data).cast(), bytes);
        copy.set_len(bytes);
    }
    let mut handle = 0;
    let begun = library.call(
        // SAFETY: there are so many bytes, which stay where they are until MPI has read them.
        |table| unsafe {
            let (byte, mode) = (library.constant(Constant::Byte), Mode::Standard as c_int);
            (table.isend)(place(&copy), bytes as i64, byte, peer, tag, comm, mode, &mut handle)
        },
        what,
    );
    let mut room = room();
    match &begun {
        Ok(()) => room.sent.push((handle, copy)),
        Err(_) => room.used -= bytes,
    }
    begun
}

/// Takes so many bytes of the room; or says, where it is to be looked `first` which have left, that it is not clear.
fn taken(bytes: usize, first: bool, what: impl Fn() -> String) -> Result<bool, Error> {
    let mut room = room();
    let full = |why: String| Err(Error::new(ErrorKind::Buffer, format!("{}: {why}", what())));
    let Some(limit) = room.bytes else {
        return full("none is attached; attach one first".to_owned());
    };
    let fits = room.used.checked_add(bytes).is_some_and(|used| used <= limit);
    if first && (!fits || room.sent.len() >= room.look_at) {
        return Ok(false);
    }
    if !fits {
        return full(format!(
            "{} of its {limit} bytes are taken by {} messages that nobody has received yet, and this one has {bytes}; attach a \
             larger one, or receive first",
            room.used,
            room.sent.len()
        ));
    }
    room.used += bytes;
    Ok(true)
}

/// Takes out what has left.
fn look(library: &Library) -> Result<(), Error> {
    let all = std::mem::take(&mut room().sent);
    let (mut go_on, mut freed, mut outcome) = (Vec::new(), 0, Ok(()));
    for (mut handle, copy) in all {
        let (mut done, mut status) = (0, Status::EMPTY);
        let tested = library.call(
            // SAFETY: a request of MPI's that has not ended.
            |table| unsafe { (table.test)(&mut handle, &mut done, &mut status) },
            || "look at a buffered send".to_owned(),
        );
        if done != 0 || (tested.is_err() && handle == library.constant(Constant::RequestNull)) {
            freed += copy.len();
        } else {
            go_on.push((handle, copy));
        }
        outcome = outcome.and(tested);
    }
    let mut room = room();
    room.used -= freed;
    room.sent.extend(go_on);
    room.look_at = FEW.max(2 * room.sent.len());
    outcome
}

impl SendBuffer<'_> {
    /// How many bytes of messages may be under way at once.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many are under way.
    ///
    /// # Errors
    /// MPI says that a send has failed.
    pub fn used(&self) -> Result<usize, Error> {
        look(self.library)?;
        Ok(room().used)
    }

    /// Waits until all that was sent by it has left, and takes it away.
    ///
    /// # Errors
    /// MPI says that a send has failed.
    pub fn detach(mut self) -> Result<(), Error> {
        self.detached()
    }

    /// Leaves it attached, without waiting, until another one takes its place: for a language whose objects end on any thread and
    /// at any time, where dropping would wait.
    pub fn leave(mut self) {
        self.detached = true;
        room().left = true;
    }

    fn detached(&mut self) -> Result<(), Error> {
        if self.detached {
            return Ok(());
        }
        self.detached = true;
        loop {
            let looked = look(self.library);
            // Where threads call one at a time, another one's call ends.
            let failed = looked.as_ref().is_err_and(|error| error.kind() != ErrorKind::Usage);
            let mut room = room();
            if failed || looked.is_ok() && room.used == 0 && room.sent.is_empty() {
                // What MPI may still read stays where it is. What other threads are about to send is counted by them.
                let sent = std::mem::take(&mut room.sent);
                room.used -= sent.iter().map(|(_, copy)| copy.len()).sum::<usize>();
                room.bytes = None;
                std::mem::forget(sent);
                return looked;
            }
            drop(room);
            std::thread::yield_now();
        }
    }
}

impl Drop for SendBuffer<'_> {
    fn drop(&mut self) {
        // Nobody could be told.
        let _ = self.detached();
    }
}

impl fmt::Debug for SendBuffer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SendBuffer").field("bytes", &self.bytes).finish()
    }
}
