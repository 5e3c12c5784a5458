use crate::{Error, HandlerSpec, Instance, Lent};

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
    ///
    /// # Errors
    /// The file or the handler in it is missing, is not what it should be, or was built for another ABI.
    fn load(&self, handler: &HandlerSpec) -> Result<Box<dyn Module>, Error>;
}

/// One loaded handler.
pub trait Module: Send + Sync {
    /// Makes an instance, on the thread of the worker that will use it.
    ///
    /// # Errors
    /// The handler's constructor fails.
    fn instantiate(&self) -> Result<Instance, Error>;

    /// The same for an engine whose frames point into memory that stays where it is for as long as the instance lives: a guest whose
    /// host [`maps_lent`](Capabilities::maps_lent) memory is sent no copies of what lies there. The guest only reads it.
    ///
    /// # Errors
    /// As [`instantiate`](Module::instantiate).
    fn instantiate_with(&self, lent: &[Lent]) -> Result<Instance, Error> {
        let _ = lent;
        self.instantiate()
    }
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
    /// Whether a guest that does not see it maps the files of what an engine lends ([`Module::instantiate_with`]).
    pub maps_lent: bool,
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
