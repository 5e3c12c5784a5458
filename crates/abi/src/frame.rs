use crate::{ABI, ErrorSlot, Status};

/// What a frame is, in [`FrameHead::kind`]: a step of every handler's life, or a batch of the kind that the handler is of.
/// A guest answers a kind that it does not know with `FAILED`.
pub mod kind {
    /// [`crate::OpenFrame`]: settings, worker, and what the engine adds.
    pub const OPEN: u16 = 1;
    /// The input has ended; what is held back may be emitted. The frame is the one of the handler's kind, without a batch.
    pub const FLUSH: u16 = 3;
    /// [`crate::FrameHead`] alone: release what is held, flush the guest's standard output.
    pub const CLOSE: u16 = 4;
    /// [`crate::FrameHead`] alone: answered with `OK` and nothing else; measures what a crossing costs.
    pub const PING: u16 = 5;
    /// [`crate::DescribeFrame`]: the handler says what it is.
    pub const DESCRIBE: u16 = 6;
    /// [`crate::CancelFrame`]: a frame that was answered with [`crate::Status::PENDING`] is no longer waited for.
    pub const CANCEL: u16 = 7;

    /// Numbers from here on are batches, one for each way in which an engine calls a handler.
    pub const FIRST_BATCH: u16 = 16;
    /// [`crate::FlowFrame`]: objects of a flow, one by one or a batch at a time as the handler likes.
    pub const FLOW: u16 = 16;
    /// [`crate::CombineFrame`]: two arrays, of which the second takes what the first adds to it.
    pub const COMBINE: u16 = 17;
    /// [`crate::VertexFrame`]: vertices of a graph, with what they see.
    pub const VERTEX: u16 = 18;

    /// The name of a kind of batch, for messages.
    #[must_use]
    pub const fn name(kind: u16) -> Option<&'static str> {
        match kind {
            FLOW => Some("FLOW"),
            COMBINE => Some("COMBINE"),
            VERTEX => Some("VERTEX"),
            _ => None,
        }
    }
}

/// Which of [`FrameHead::base`] an offset is relative to. Four, because an engine's batch, its mapped
/// files, its columns and its output may live in different mappings.
pub mod base {
    /// Items, keys, values, settings, names.
    pub const BATCH: usize = 0;
    /// Mapped files.
    pub const FILES: usize = 1;
    /// Columns.
    pub const COLUMNS: usize = 2;
    /// Output chunks and the error slot.
    pub const OUTPUT: usize = 3;
}

/// The first field of every frame. `abi` to `error` stay where they are in every ABI, so that a driver can
/// say why it refuses a frame.
#[repr(C)]
#[derive(Debug)]
pub struct FrameHead {
    /// [`crate::ABI`] of the engine.
    pub abi: u16,
    /// One of [`kind`].
    pub kind: u16,
    /// Bytes of the whole frame. Frames only grow by appending, so a field that ends beyond it is absent.
    /// [`FrameHead::check`] compares it.
    pub size: u32,
    /// What the offsets of a slice are relative to, by [`base`]; all 0 in-process.
    pub base: [u64; 4],
    /// Where a failure is described.
    pub error: ErrorSlot,
    /// Called once, from any thread, for a frame that was answered with [`Status::PENDING`], with what the frame would have
    /// been answered otherwise; the frame is the engine's again. Null where a frame has to be answered at once.
    pub complete: Option<unsafe extern "C" fn(frame: *mut FrameHead, status: Status)>,
}

crate::layout::layout!(FrameHead: 80, 8 { abi: 0, kind: 2, size: 4, base: 8, error: 40, complete: 72 });

impl FrameHead {
    /// A head for a frame of type `F`, with every base 0 and no room for error text.
    #[must_use]
    pub const fn new<F>(kind: u16) -> FrameHead {
        FrameHead {
            abi: ABI,
            kind,
            size: size_of::<F>() as u32,
            base: [0; 4],
            error: ErrorSlot::EMPTY,
            complete: None,
        }
    }
}
