use crate::FrameHead;

/// Tells a handler that a frame which it has answered with [`crate::Status::PENDING`] is no longer waited for: whatever it
/// does for that frame is to be cancelled by its language's own means. The frame is completed all the same, now or as soon
/// as the handler can, with [`crate::Status::FAILED`]; one that was completed meanwhile is passed over.
///
/// Comes on the handler's worker, for an open frame only. At CLOSE a handler cancels what is still open by itself.
#[repr(C)]
#[derive(Debug)]
pub struct CancelFrame {
    /// The head; its kind is [`crate::kind::CANCEL`].
    pub head: FrameHead,
    /// The frame that is no longer waited for.
    pub call: *mut FrameHead,
    /// One of [`cancelled`].
    pub why: u32,
    /// Zero.
    pub reserved: u32,
}

crate::layout::layout!(local CancelFrame: 96, 8 { head: 0, call: 80, why: 88, reserved: 92 });

impl CancelFrame {
    /// For this frame, and why.
    #[must_use]
    pub const fn new(call: *mut FrameHead, why: u32) -> CancelFrame {
        CancelFrame { head: FrameHead::new::<CancelFrame>(crate::kind::CANCEL), call, why, reserved: 0 }
    }
}

/// Why a frame is no longer waited for. A handler must be able to tell these apart, and from what its own code cancels.
pub mod cancelled {
    /// It took longer than the handler's deadline.
    pub const TIMED_OUT: u32 = 1;
    /// Somebody outside the handler has cancelled it: the flow is being stopped.
    pub const FROM_OUTSIDE: u32 = 2;
}
