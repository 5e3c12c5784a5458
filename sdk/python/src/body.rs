//! The part of the driver that knows one kind of frame. Everything else is the same for all kinds: the driver's.

use crate::compiled::Compiled;
use crate::failure::{self, Failure};
use crate::flow::later::Mailbox;
use crate::py::{Outcome, Raised, Ref};
use crate::{combine, compiled, flow, support, vertex};
use std::rc::Rc;
use std::sync::Arc;
use upcall_abi::{BatchFrame, DescribeWriter, ErrorSlot, FrameHead, OpenFrame};

/// A handler of one kind. Every method needs this thread to be attached.
pub trait Body {
    /// The batches that it takes.
    fn batch(&self) -> BatchFrame;

    /// What the handler says of itself, beside its kind and its parameters.
    fn describe(&self, describe: &mut DescribeWriter<'_>);

    /// OPEN: takes over what the engine adds for the kind. Returns what the handler's `open` is called with.
    fn open(&mut self, frame: &OpenFrame) -> Outcome<Ref>;

    /// One batch.
    ///
    /// # Safety
    /// `frame` must be a valid frame of the body's kind.
    unsafe fn run(&mut self, frame: *mut FrameHead) -> Result<(), Failed>;

    /// The input has ended.
    ///
    /// # Safety
    /// `frame` must be a valid frame of the body's kind, without a batch.
    unsafe fn flush(&mut self, frame: *mut FrameHead) -> Result<(), Failed>;

    /// Where frames go that are answered later: without the interpreter's lock.
    fn mailbox(&self) -> Option<Arc<Mailbox>> {
        None
    }

    /// What answers batches without the interpreter's lock.
    fn compiled(&self) -> Option<Rc<Compiled>> {
        None
    }

    /// What the handler's `open` or `close` has returned.
    fn hook(&mut self, _returned: Ref) -> Outcome<()> {
        Ok(())
    }

    /// CLOSE: the handler's `close` is called next.
    fn closing(&mut self) -> Outcome<()> {
        Ok(())
    }

    /// The driver has panicked under `run` or `flush`: ends all that Python was given for that call.
    fn interrupted(&mut self);

    /// Forgets what the engine lent for the kind: it is the engine's only until CLOSE.
    fn closed(&mut self) {}
}

/// The body for a handler, by the method that it has.
pub fn of(handler: &Ref) -> Outcome<Box<dyn Body>> {
    let kind = support::call(c"kind_of", &[handler])?;
    match kind.text()? {
        "compiled" => compiled::body(handler),
        "combine" => combine::body(handler),
        "vertex" | "gather" | "interval" => vertex::body(handler),
        "later" => flow::later::body(handler),
        form => flow::body(handler, form == "batch"),
    }
}

/// A failure, and the item that it concerns.
pub struct Failed {
    pub failure: Failure,
    pub item: u32,
}

impl Failed {
    /// A failure of the whole call.
    pub fn whole(failure: Failure) -> Failed {
        Failed { failure, item: ErrorSlot::NO_ITEM }
    }

    /// What was raised for the item of this index.
    pub fn at(raised: Raised, index: usize) -> Failed {
        Failed { failure: failure::take(raised), item: index as u32 }
    }
}

impl From<Raised> for Failed {
    fn from(raised: Raised) -> Failed {
        Failed::whole(failure::take(raised))
    }
}
