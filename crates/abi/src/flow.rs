use crate::{FrameHead, OpenFrame, Output, Rel, Status};
use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering::Release};

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
    /// Who put it: an index into [`crate::FlowOpen::senders`].
    pub sender: u32,
    /// A hash of the key by the engine: equal keys have equal ones as long as it runs.
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
    /// Items finished. The driver stores it after each item, behind all that the item has emitted: whoever finds it after
    /// the guest has died finds the output of so many items, too. On failure it names the one that failed.
    pub done: u32,
    /// Zero.
    pub reserved: u32,
    /// Of a batch handler, which emits for no item in particular: how far the output was at its last two reports. One of
    /// the two is that of `done`, whenever the guest dies: [`FlowFrame::report`].
    pub progress: [Progress; 2],
}

crate::layout::layout!(FlowFrame: 192, 8 {
    head: 0, items: 80, values: 96, stride: 112, out: 120, done: 152, reserved: 156, progress: 160
});

/// How far the output was when a batch handler reported items as done.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// [`Output::at`] then.
    pub at: u64,
    /// [`Output::chunk`] then.
    pub chunk: u32,
    /// Items that it reported; 0 where it has not.
    pub done: u32,
}

crate::layout::layout!(Progress: 16, 8 { at: 0, chunk: 8, done: 12 });

impl Progress {
    /// No report.
    pub const NONE: Progress = Progress { at: 0, chunk: 0, done: 0 };
}

/// What the flow engine adds to OPEN.
#[repr(C)]
#[derive(Debug)]
pub struct FlowOpen {
    /// Bytes of this struct, which grows by appending only.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// The pools that the handler watches, emits to or reads.
    pub pools: Rel<PoolEntry>,
    /// Names by sender id ([`Item::sender`]), UTF-8: 0 is who puts from outside, the rest are handlers.
    pub senders: Rel<Rel<u8>>,
    /// What the flow does for a handler; valid until CLOSE has returned.
    pub pool_services: *const PoolServices,
}

crate::layout::layout!(FlowOpen: 48, 8 { size: 0, reserved: 4, pools: 8, senders: 24, pool_services: 40 });

impl FlowFrame {
    /// A frame without items or output, of kind [`crate::kind::FLOW`] or [`crate::kind::FLUSH`].
    #[must_use]
    pub const fn new(kind: u16) -> FlowFrame {
        FlowFrame {
            head: FrameHead::new::<FlowFrame>(kind),
            items: Rel::EMPTY,
            values: Rel::EMPTY,
            stride: 0,
            out: Output::NONE,
            done: 0,
            reserved: 0,
            progress: [Progress::NONE; 2],
        }
    }

    /// The driver's part: so many items are finished, each of which has said what it emitted ([`crate::Record::item`]).
    ///
    /// # Safety
    /// `frame` must be a frame that the driver has.
    #[inline]
    pub unsafe fn finish(frame: *mut FlowFrame, done: u32) {
        // SAFETY: the caller's promise; the engine reads it when the driver has returned, or is no more.
        let place = unsafe { AtomicU32::from_ptr(&raw mut (*frame).done) };
        // A plain store on x86, which no emission is moved behind.
        place.store(done, Release);
    }

    /// The driver's part: a batch handler reports that so many items are finished, and all that was emitted so far belongs
    /// to them.
    ///
    /// # Safety
    /// As [`FlowFrame::finish`].
    #[inline]
    pub unsafe fn report(frame: *mut FlowFrame, done: u32) {
        // SAFETY: the caller's promise.
        unsafe {
            let before = (*frame).done;
            // What is emitted between two reports of the same number belongs to those that follow.
            if done != before {
                // Never the one that belongs to `before`, until `done` says so.
                let other = usize::from((*frame).progress[0].done == before);
                let (at, chunk) = ((*frame).out.at, (*frame).out.chunk);
                (*frame).progress[other] = Progress { at, chunk, done };
            }
            FlowFrame::finish(frame, done);
        }
    }
}

impl FlowOpen {
    /// What the flow adds to this frame; `None` where it is shorter than what ABI 2 began with.
    ///
    /// # Safety
    /// What the frame adds must be a [`FlowOpen`] as long as it says, and stay unchanged for `'a`.
    #[must_use]
    pub unsafe fn of<'a>(frame: &OpenFrame) -> Option<&'a FlowOpen> {
        // SAFETY: the caller's promise.
        unsafe { frame.added(core::mem::offset_of!(FlowOpen, pool_services) + size_of::<usize>()) }
    }
}

/// What a handler may do with a pool: bits of [`PoolEntry::access`].
pub mod access {
    /// Objects of the pool reach the handler.
    pub const WATCH: u32 = 1;
    /// The handler may emit into the pool.
    pub const EMIT: u32 = 2;
    /// The handler may read the pool through [`crate::PoolServices::read`].
    pub const READ: u32 = 4;
}

/// One pool that a handler watches, emits to or reads.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PoolEntry {
    /// Its path, UTF-8.
    pub path: Rel<u8>,
    /// The name of its declared value type (`u64`, `text`), empty when values are plain bytes.
    pub value_type: Rel<u8>,
    /// Bytes of a value when the type is blittable, else 0.
    pub value_size: u32,
    /// Its id, in [`Item::pool`] and [`crate::Record::pool`].
    pub id: u32,
    /// Bits of [`access`].
    pub access: u32,
    /// Zero.
    pub reserved: u32,
}

crate::layout::layout!(PoolEntry: 48, 8 {
    path: 0, value_type: 16, value_size: 32, id: 36, access: 40, reserved: 44
});

/// What the flow does for a handler. Called on the handler's worker only, while it is called; a handler that answers later
/// may call from any thread until CLOSE has returned.
#[repr(C)]
#[derive(Debug)]
pub struct PoolServices {
    /// Bytes of this struct, which grows by appending only.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Passed to each function.
    pub context: *mut c_void,
    /// Reads a key from a pool. `OK` with `found.version` 0 means that there is none; `FAILED`, with `found.tag` one of
    /// [`missing`], that it cannot be read. Views in `found` are relative to `base::BATCH` of the current frame, and end
    /// when the handler's call returns; for a handler that answers later they end when the same thread asks again.
    pub read: unsafe extern "C" fn(context: *mut c_void, query: *const Query, found: *mut Item) -> Status,
    /// Lists the keys of a pool that begin with the query's key, sorted, as they are now; `FAILED` when the handler may
    /// not read the pool, or, with [`missing::NO_ROOM`] as the list's offset, has no room for the keys. The list and the keys are relative to `base::BATCH` of the current frame, and end as what `read` finds.
    pub list:
        unsafe extern "C" fn(context: *mut c_void, query: *const Query, keys: *mut Rel<Rel<u8>>) -> Status,
}

crate::layout::layout!(local PoolServices: 32, 8 { size: 0, reserved: 4, context: 8, read: 16, list: 24 });

/// What to read from a pool.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// The key, UTF-8: an address of the handler's own.
    pub key: *const u8,
    /// Bytes of the key.
    pub key_len: u64,
    /// The pool's id.
    pub pool: u32,
    /// One of [`as_of`].
    pub as_of: u32,
    /// The version, or the time in nanoseconds since the Unix epoch, that `as_of` speaks of.
    pub at: u64,
}

crate::layout::layout!(Query: 32, 8 { key: 0, key_len: 8, pool: 16, as_of: 20, at: 24 });

/// When a [`Query`] asks about.
pub mod as_of {
    /// Now.
    pub const NOW: u32 = 0;
    /// What the key was at a version of the pool.
    pub const VERSION: u32 = 1;
    /// What the key was at a time.
    pub const TIME: u32 = 2;
}

/// Why a [`Query`] was refused, in [`Item::tag`], or in the offset of a list.
pub mod missing {
    /// The handler may not read the pool.
    pub const NOT_DECLARED: u64 = 1;
    /// What the key was then is no longer kept.
    pub const COMPACTED: u64 = 2;
    /// The engine does not know what the query's `as_of` means: the handler is newer than it.
    pub const UNKNOWN_AS_OF: u64 = 3;
    /// The memory that the guest sees has no room for what was found.
    pub const NO_ROOM: u64 = 4;
}
