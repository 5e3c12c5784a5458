use crate::{Error, HandlerSpec};
use std::marker::PhantomData;
use upcall_abi::{Entry, FrameHead, Status};

/// One guest runtime of this process.
pub trait Host: Send + Sync {
    /// The guest's name, as a flow's file writes it: `native`, `csharp`, `python`.
    fn guest(&self) -> &'static str;

    /// What an engine may do with its handlers.
    fn capabilities(&self) -> Capabilities;

    /// Wraps a worker's whole loop: signal stack, attachment. Called once on the worker's thread, before any
    /// instance is made there; calls `body` once.
    fn worker(&self, body: &mut dyn FnMut());

    /// Finds a handler and checks that it can be made, so that a flow fails before it starts.
    fn load(&self, handler: &HandlerSpec) -> Result<Box<dyn Module>, Error>;
}

/// One loaded handler.
pub trait Module: Send + Sync {
    /// Makes an instance, on the thread of the worker that will use it.
    fn instantiate(&self) -> Result<Instance, Error>;
}

/// What an engine may do with a guest's handlers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capabilities {
    /// From which threads an entry may be called.
    pub threads: Threads,
    /// Whether a handler that hangs can be stopped without stopping this process.
    pub killable: bool,
    /// Whether the guest reads frames where they are, or needs them copied in.
    pub sees_native_memory: bool,
    /// Items in a batch from which the boundary no longer shows.
    pub good_batch: u32,
}

/// From which threads an entry may be called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threads {
    /// Any thread, several at once.
    Any,
    /// An instance per worker, used there only.
    Own,
    /// One worker for the whole guest.
    One,
}

/// One instance of a handler: an [`Entry`] that is used on this thread only and released when dropped.
#[derive(Debug)]
pub struct Instance {
    entry: Entry,
    not_send: PhantomData<*mut ()>,
}

impl Instance {
    /// Takes ownership of an entry.
    ///
    /// # Safety
    /// `entry.call` must answer valid frames as the boundary says, and nobody else may use or release it.
    pub unsafe fn new(entry: Entry) -> Instance {
        Instance { entry, not_send: PhantomData }
    }

    /// Calls the handler.
    ///
    /// # Safety
    /// `frame` must be the start of a frame of the type that its kind tells, valid until the call returns.
    #[inline]
    pub unsafe fn call(&mut self, frame: *mut FrameHead) -> Status {
        // SAFETY: the promises of `new` and of the caller; `&mut self` makes it one call at a time.
        unsafe { (self.entry.call)(self.entry.state, frame) }
    }

    /// The entry, for who calls it directly. It stays owned by the instance.
    pub fn entry(&self) -> Entry {
        self.entry
    }

    /// Gives the entry away, and with it the duty to release it.
    pub fn into_entry(self) -> Entry {
        std::mem::ManuallyDrop::new(self).entry
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if let Some(release) = self.entry.release {
            // SAFETY: it is ours, and this is its last use.
            unsafe { release(self.entry.state) };
        }
    }
}
