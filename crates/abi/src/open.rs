use crate::{FrameHead, Item, Rel, Status};
use core::ffi::c_void;

/// What a handler may do with a pool: bits of [`PoolEntry::access`].
pub mod access {
    /// Objects of the pool reach the handler.
    pub const WATCH: u32 = 1;
    /// The handler may emit into the pool.
    pub const EMIT: u32 = 2;
    /// The handler may read the pool through [`crate::Services::read`].
    pub const READ: u32 = 4;
}

/// Levels of [`Services::log`].
pub mod level {
    /// Something failed.
    pub const ERROR: u32 = 1;
    /// Something looks wrong.
    pub const WARN: u32 = 2;
    /// Something worth telling.
    pub const INFO: u32 = 3;
    /// For whoever debugs the handler.
    pub const DEBUG: u32 = 4;
    /// Everything.
    pub const TRACE: u32 = 5;
}

/// The first frame that a handler sees, on the thread of its worker.
///
/// What it points to is valid during the call, except `services`, which is valid until CLOSE has returned.
#[repr(C)]
#[derive(Debug)]
pub struct OpenFrame {
    /// The head; its kind is [`crate::kind::OPEN`].
    pub head: FrameHead,
    /// The handler's name in the flow, UTF-8.
    pub name: Rel<u8>,
    /// The handler's settings.
    pub settings: Rel<Setting>,
    /// The pools that the handler watches, emits to or reads.
    pub pools: Rel<PoolEntry>,
    /// Names by sender id ([`Item::sender`]), UTF-8: 0 is who puts from outside, the rest are handlers.
    pub senders: Rel<Rel<u8>>,
    /// What the engine does for a handler.
    pub services: *const Services,
    /// Index of this worker among those that run the handler.
    pub worker: u32,
    /// How many workers run the handler.
    pub workers: u32,
}

crate::layout::layout!(OpenFrame: 160, 8 {
    head: 0, name: 80, settings: 96, pools: 112, senders: 128, services: 144, worker: 152, workers: 156
});

/// One setting of a handler: both UTF-8. What is not a plain value in the flow's file arrives as JSON text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name.
    pub name: Rel<u8>,
    /// Its value.
    pub value: Rel<u8>,
}

crate::layout::layout!(Setting: 32, 8 { name: 0, value: 16 });

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

/// What the engine does for a handler. Called on the handler's worker only.
#[repr(C)]
#[derive(Debug)]
pub struct Services {
    /// Passed to each function.
    pub context: *mut c_void,
    /// Logs `len` bytes of UTF-8 at one of [`level`], under the handler's name.
    pub log: unsafe extern "C" fn(context: *mut c_void, level: u32, text: *const u8, len: u64),
    /// Reads the newest version of a key from a pool. `OK` with `found.version` 0 means that there is none;
    /// `FAILED` that the pool may not be read by this handler. Views in `found` end with the current frame.
    pub read: unsafe extern "C" fn(
        context: *mut c_void,
        pool: u32,
        key: *const u8,
        key_len: u64,
        found: *mut Item,
    ) -> Status,
}

crate::layout::layout!(Services: 24, 8 { context: 0, log: 8, read: 16 });
