use crate::{
    CancelFrame, CombineFrame, DescribeFrame, ErrorSlot, FlowFrame, FrameHead, Instance, OpenFrame, Rel,
    Status, VertexFrame, base,
};
use alloc::string::String;
use alloc::vec;
use core::fmt;

/// Bytes of room for what a handler says when it fails.
const ROOM: usize = 16 << 10;

/// A frame of any kind.
///
/// # Safety
/// It is `repr(C)` and begins with its [`FrameHead`], which `head` returns.
pub unsafe trait Frame {
    /// Its head.
    fn head(&mut self) -> &mut FrameHead;
}

// SAFETY: it is one.
unsafe impl Frame for FrameHead {
    fn head(&mut self) -> &mut FrameHead {
        self
    }
}

macro_rules! frames {
    ($($frame:ty),+) => {$(
        // SAFETY: as its layout says.
        unsafe impl Frame for $frame {
            fn head(&mut self) -> &mut FrameHead {
                &mut self.head
            }
        }
    )+};
}

frames!(OpenFrame, CancelFrame, DescribeFrame, FlowFrame, CombineFrame, VertexFrame);

/// What a handler failed with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallFailed {
    /// The type of the error.
    pub type_name: String,
    /// Its message.
    pub message: String,
    /// Where it happened, as the language tells it; may be empty.
    pub stack: String,
    /// The item that failed; `None` when the whole call did.
    pub item: Option<u32>,
}

impl fmt::Display for CallFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.type_name, self.message)
    }
}

impl core::error::Error for CallFailed {}

impl CallFailed {
    /// What the head's slot says, after a call that failed.
    ///
    /// # Safety
    /// The slot's room must be initialised, and nobody may write it meanwhile.
    pub unsafe fn of(head: &FrameHead) -> CallFailed {
        // SAFETY: the caller's promise.
        let (type_name, message, stack) = unsafe { head.error.read(head.base[base::OUTPUT]) };
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let item = (head.error.item != ErrorSlot::NO_ITEM).then_some(head.error.item);
        CallFailed { type_name: text(type_name), message: text(message), stack: text(stack), item }
    }

    /// All of it: type and message, and the stack on the lines below, if there is one.
    #[must_use]
    pub fn told(&self) -> String {
        String::from(alloc::format!("{self}\n{}", self.stack).trim_end())
    }
}

impl Instance {
    /// Calls the handler with a frame, and lends it the room to say what it fails with. For frames that are not on the
    /// way of every item: the room is allocated.
    ///
    /// # Errors
    /// What the handler failed with.
    ///
    /// # Safety
    /// As [`Instance::call`].
    pub unsafe fn ask<F: Frame>(&mut self, frame: &mut F) -> Result<(), CallFailed> {
        let mut room = vec![0u8; ROOM];
        let head = frame.head();
        let place = room.as_mut_ptr().expose_provenance() as u64;
        head.error = ErrorSlot {
            text: Rel::new(place.wrapping_sub(head.base[base::OUTPUT]), ROOM as u64),
            ..ErrorSlot::EMPTY
        };
        // SAFETY: the caller's promise; the frame begins with its head, and the room lives until the call returns.
        let status = unsafe { self.call((&raw mut *frame).cast()) };
        let head = frame.head();
        let outcome = match status {
            Status::OK => Ok(()),
            // SAFETY: the room is initialised, and the call has returned.
            _ => Err(unsafe { CallFailed::of(head) }),
        };
        head.error = ErrorSlot::EMPTY;
        outcome
    }
}
