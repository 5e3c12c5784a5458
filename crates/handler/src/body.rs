use crate::{Context, Describe, Ended, Failure};
use upcall_abi::{BatchFrame, ErrorSlot, FrameHead, OpenFrame, Status};

/// The part of a driver that knows one kind of frame. Everything else is the same for all kinds: the driver's.
///
/// What `run` and `flush` call of the user's is behind the driver's `caught`: they do not unwind. The others may.
pub trait Body: 'static {
    /// The batches that it takes.
    fn batch(&self) -> BatchFrame;

    /// Whether a frame may be pending, and then has one item.
    fn answers_later(&self) -> bool {
        false
    }

    /// What the handler says of itself, beside its kind.
    ///
    /// # Errors
    /// It cannot be asked.
    fn describe(&mut self, describe: &mut Describe<'_>) -> Result<(), Failure>;

    /// OPEN: what every handler is told is in `context`, what the engine adds in the frame.
    ///
    /// # Errors
    /// What the handler fails with: it is not opened.
    fn open(&mut self, context: &Context<'_>, frame: &OpenFrame) -> Result<(), Failure>;

    /// One batch: done, failed with the failure in the frame's error slot, or pending. Does not unwind.
    ///
    /// # Safety
    /// `frame` must be a valid frame of the body's kind, until it is completed where it is pending.
    unsafe fn run(&mut self, frame: *mut FrameHead) -> Status;

    /// The input has ended. Does not unwind.
    ///
    /// # Safety
    /// As [`Body::run`], for a frame without a batch.
    unsafe fn flush(&mut self, frame: *mut FrameHead) -> Status;

    /// A frame that is pending is no longer waited for. It is completed all the same.
    fn cancel(&mut self, frame: *mut FrameHead, why: Ended) {
        let _ = (frame, why);
    }

    /// Completes what is pending and drops the handler, which may use the engine's services until it is gone. Nothing but
    /// [`Body::closed`] comes after it.
    fn close(&mut self);

    /// Takes what the engine lent for this kind from whoever kept it.
    fn closed(&mut self) {}
}

/// What is made a body of: a handler of any kind. Implemented for [`crate::Handler`]s, and for what [`crate::batch`],
/// [`crate::typed`], [`crate::combine`], [`crate::vertices`] and `later` return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a handler",
    note = "implement `Handler`, or wrap what it implements: `batch(handler)`, `typed(handler)`, `combine(handler)`, `vertices(program)`, `later(handler)`"
)]
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
