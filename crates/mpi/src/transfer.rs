//! Reads and writes of windows that were begun: the epoch keeps their buffers.

use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::request::Lent;
use crate::shim::{Constant, Handle, Table};
use crate::status::Status;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use upcall_abi::Blit;

/// Those of one epoch that have not been waited for, by number.
pub(crate) struct Transfers {
    library: &'static Library,
    kept: Mutex<(u64, Vec<Kept>)>,
}

struct Kept {
    id: u64,
    handle: Handle,
    buffer: Box<dyn Buffer>,
}

/// A `Vec` of elements of whatever type, or what keeps memory that is not Rust's. It goes to other threads as bytes do.
trait Buffer: Send {
    /// The address, length and capacity of a `Vec`: it is no more then.
    fn parts(self: Box<Self>) -> Option<(*mut (), usize, usize)>;
}

struct Elements<T>(Vec<T>);

// SAFETY: elements are bytes, without an address or anything that belongs to a thread.
unsafe impl<T: Blit> Send for Elements<T> {}

impl<T: Blit> Buffer for Elements<T> {
    fn parts(self: Box<Self>) -> Option<(*mut (), usize, usize)> {
        let mut elements = std::mem::ManuallyDrop::new(self.0);
        Some((elements.as_mut_ptr().cast(), elements.len(), elements.capacity()))
    }
}

impl<K: Send> Buffer for Lent<K> {
    fn parts(self: Box<Self>) -> Option<(*mut (), usize, usize)> {
        None
    }
}

/// The buffer of a transfer that has ended; else the transfer.
type Ended = Result<Box<dyn Buffer>, Kept>;

impl Transfers {
    pub(crate) fn new(library: &'static Library) -> Transfers {
        Transfers { library, kept: Mutex::new((0, Vec::new())) }
    }

    /// Keeps the buffer of a request of MPI's until it has ended.
    pub(crate) fn keep<T: Blit>(&self, handle: Handle, buffer: Vec<T>) -> Transfer<'_, T> {
        let id = self.add(handle, Box::new(Elements(buffer)));
        Transfer { all: self, id, of: std::marker::PhantomData }
    }

    /// Keeps lent memory until a request of MPI's has ended: the transfer's number.
    pub(crate) fn keep_lent<K: Send + 'static>(&self, handle: Handle, memory: Lent<K>) -> u64 {
        self.add(handle, Box::new(memory))
    }

    fn add(&self, handle: Handle, buffer: Box<dyn Buffer>) -> u64 {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.0 += 1;
        let id = kept.0;
        kept.1.push(Kept { id, handle, buffer });
        id
    }

    /// Whether the one of this number has ended, for which it may `wait`. What is kept for it is let go then.
    pub(crate) fn has_ended(&self, id: u64, wait: bool) -> Result<bool, Error> {
        let Some(kept) = self.take(id) else { return Ok(true) };
        match self.ended(kept, wait, false)? {
            Ok(_) => Ok(true),
            Err(kept) => {
                self.put_back(kept);
                Ok(false)
            }
        }
    }

    /// Whether nobody has waited for the one of this number to its end.
    pub(crate) fn has(&self, id: u64) -> bool {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.1.iter().any(|kept| kept.id == id)
    }

    fn take(&self, id: u64) -> Option<Kept> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let index = kept.1.iter().position(|kept| kept.id == id)?;
        Some(kept.1.swap_remove(index))
    }

    fn put_back(&self, kept: Kept) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).1.push(kept);
    }

    /// Waits for all that nobody has waited for.
    pub(crate) fn drain(&self) -> Result<(), Error> {
        let mut first = Ok(());
        loop {
            let next = self.kept.lock().unwrap_or_else(PoisonError::into_inner).1.pop();
            let Some(kept) = next else { return first };
            if let Err(error) = self.ended(kept, true, true) {
                first = first.and(Err(error));
            }
        }
    }

    /// Its buffer where it has ended; else it itself. Where the epoch `drains`, nobody takes it after that.
    fn ended(&self, mut kept: Kept, wait: bool, drains: bool) -> Result<Ended, Error> {
        let (mut done, mut status) = (1, Status::EMPTY);
        let handle = &mut kept.handle;
        let mut called = false;
        // SAFETY: a request of MPI's, which is waited for once.
        let call = |table: &Table| unsafe {
            called = true;
            if wait {
                (table.wait)(handle, &mut status)
            } else {
                (table.test)(handle, &mut done, &mut status)
            }
        };
        let what = || "wait for a transfer".to_owned();
        let ended = if drains { self.library.end(call, what) } else { self.library.call(call, what) };
        match ended {
            Ok(()) if done == 0 => Ok(Err(kept)),
            Ok(()) => Ok(Ok(kept.buffer)),
            Err(error) if !called => {
                // This thread was refused: the epoch waits for it.
                self.put_back(kept);
                Err(error)
            }
            Err(error) => {
                if kept.handle != self.library.constant(Constant::RequestNull) {
                    // MPI may still read or fill it.
                    std::mem::forget(kept.buffer);
                }
                Err(error)
            }
        }
    }
}

/// A read or write of another rank's memory that was begun, with the elements that it fills or reads: it gives them back when it
/// has ended.
///
/// Where it is dropped or forgotten, its epoch waits for it.
#[must_use = "a transfer gives its elements back when it is waited for"]
pub struct Transfer<'o, T> {
    all: &'o Transfers,
    id: u64,
    of: std::marker::PhantomData<T>,
}

impl<T: Blit> Transfer<'_, T> {
    /// Waits until it has ended: its elements.
    ///
    /// # Errors
    /// What was begun has failed.
    pub fn wait(self) -> Result<Vec<T>, Error> {
        let ended = match self.taken() {
            Some(kept) => self.all.ended(kept, true, false)?,
            None => return Err(gone()),
        };
        match ended {
            Ok(buffer) => Ok(given(buffer)),
            Err(_) => Err(gone()),
        }
    }

    /// What [`wait`](Transfer::wait) returns, where it has ended; else the transfer.
    ///
    /// # Errors
    /// As there.
    pub fn test(self) -> Result<Result<Vec<T>, Self>, Error> {
        let Some(kept) = self.taken() else { return Err(gone()) };
        match self.all.ended(kept, false, false)? {
            Ok(buffer) => Ok(Ok(given(buffer))),
            Err(kept) => {
                self.all.put_back(kept);
                Ok(Err(self))
            }
        }
    }

    fn taken(&self) -> Option<Kept> {
        self.all.take(self.id)
    }
}

/// The elements of a buffer of these.
fn given<T: Blit>(buffer: Box<dyn Buffer>) -> Vec<T> {
    let (elements, length, capacity) = buffer.parts().expect("what is kept for a `Vec` is one");
    // SAFETY: what is kept under a transfer's number is a `Vec` of its type: `keep` gives both.
    unsafe { Vec::from_raw_parts(elements.cast::<T>(), length, capacity) }
}

fn gone() -> Error {
    Error::new(ErrorKind::Usage, "wait for a transfer: it has ended already")
}

impl<T> fmt::Debug for Transfer<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Transfer {}", self.id)
    }
}
