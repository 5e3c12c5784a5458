use crate::{Context, Describe, Failure};
use upcall_abi::{BatchFrame, ErrorSlot, FrameHead, OpenFrame};

/// The part of a driver that knows one kind of frame. Everything else is the same for all kinds: the driver's.
///
/// What `run` and `flush` call of the user's is behind the driver's `caught`: they do not unwind. The others may.
pub trait Body: 'static {
    /// The batches that it takes.
    fn batch(&self) -> BatchFrame;

    /// What the handler says of itself, beside its kind.
    fn describe(&self, describe: &mut Describe<'_>);

    /// OPEN: what every handler is told is in `context`, what the engine adds in the frame.
    ///
    /// # Errors
    /// What the handler fails with: it is not opened.
    fn open(&mut self, context: &Context<'_>, frame: &OpenFrame) -> Result<(), Failure>;

    /// One batch. Does not unwind.
    ///
    /// # Errors
    /// What the handler fails with, and on which item.
    ///
    /// # Safety
    /// `frame` must be a valid frame of the body's kind.
    unsafe fn run(&mut self, frame: *mut FrameHead) -> Result<(), Failed>;

    /// The input has ended. Does not unwind.
    ///
    /// # Errors
    /// As [`Body::run`].
    ///
    /// # Safety
    /// `frame` must be a valid frame of the body's kind, without a batch.
    unsafe fn flush(&mut self, frame: *mut FrameHead) -> Result<(), Failed>;

    /// Drops the handler, which may use the engine's services until it is gone. Nothing but [`Body::closed`] comes
    /// after it.
    fn close(&mut self);

    /// Takes what the engine lent for this kind from whoever kept it.
    fn closed(&mut self) {}
}

/// What is made a body of: a handler of any kind. Implemented for [`crate::Handler`]s, and for what [`crate::batch`],
/// [`crate::typed`] and [`crate::combine`] return.
pub trait IntoBody: 'static {
    #[doc(hidden)]
    fn into_body(self) -> Box<dyn Body>;
}

/// A failure, and the item that it concerns.
#[derive(Debug)]
pub struct Failed {
    pub(crate) failure: Failure,
    pub(crate) item: u32,
}

impl Failed {
    /// A failure of the item with this index.
    pub fn item(failure: Failure, item: u32) -> Failed {
        Failed { failure, item }
    }

    /// A failure of the whole call.
    pub fn whole(failure: Failure) -> Failed {
        Failed { failure, item: ErrorSlot::NO_ITEM }
    }
}

/// The failure of a call that comes after CLOSE.
#[cold]
pub(crate) fn after_close() -> Failure {
    Failure::new("the handler was called after CLOSE, which ends it")
}
