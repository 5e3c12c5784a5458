use crate::{FrameHead, Output, Rel};

/// One object that reaches a handler: one cache line. All slices are relative to `base::BATCH`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// The key, UTF-8.
    pub key: Rel<u8>,
    /// The value.
    pub value: Rel<u8>,
    /// Strictly increasing per key, unique per pool, at least 1; 0 for a sample that was never put.
    pub version: u64,
    /// Nanoseconds since the Unix epoch, never backward within a pool.
    pub time: u64,
    /// The pool's id.
    pub pool: u32,
    /// Who put it: an index into [`crate::OpenFrame::senders`].
    pub sender: u32,
    /// The engine's own.
    pub tag: u64,
}

crate::layout::layout!(Item: 64, 8 { key: 0, value: 16, version: 32, time: 40, pool: 48, sender: 52, tag: 56 });

impl Item {
    /// Nothing: what a read of an absent key finds.
    pub const ABSENT: Item =
        Item { key: Rel::EMPTY, value: Rel::EMPTY, version: 0, time: 0, pool: 0, sender: 0, tag: 0 };
}

/// The flow engine's batch, or its FLUSH.
#[repr(C)]
#[derive(Debug)]
pub struct FlowFrame {
    /// The head; its kind is [`crate::kind::FLOW`] or [`crate::kind::FLUSH`].
    pub head: FrameHead,
    /// The batch, relative to `base::BATCH`.
    pub items: Rel<Item>,
    /// All values side by side where the engine has them so, relative to `base::BATCH`; else empty.
    pub values: Rel<u8>,
    /// Bytes from one value to the next in `values`; 0 when they are scattered.
    pub stride: u64,
    /// Where emissions go.
    pub out: Output,
    /// Items finished. The driver stores it after each item; on failure it names the one that failed.
    pub done: u32,
    /// Zero.
    pub reserved: u32,
}

crate::layout::layout!(FlowFrame: 160, 8 {
    head: 0, items: 80, values: 96, stride: 112, out: 120, done: 152, reserved: 156
});
