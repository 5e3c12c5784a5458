//! The flow engine: described by the text of a flow's file, with handlers that the running program gives.
//!
//! What would wait is a [`UpcallTask`](task::UpcallTask): a thread waits for it, an event loop is woken.

mod background;
mod builder;
mod failure;
mod handler;
mod line;
mod log;
mod pool;
mod running;
mod stopping;
mod task;
mod thread;
mod watch;

pub(crate) use builder::threads_of;
pub(crate) use failure::{
    FlowFailure, UPCALL_GRAPH_FILE, UPCALL_INVALID, UPCALL_NOT_NOW, UPCALL_OUT_OF_MEMORY, UPCALL_PROGRAM,
    UPCALL_STOPPED,
};
use std::mem::offset_of;
pub(crate) use task::{Outcome, UpcallTask};
use upcall::Blit;

/// An object of a pool, or none: what is written beside its value.
#[derive(Clone, Copy, Blit)]
#[repr(C)]
pub struct UpcallFound {
    /// Its version; 0 for none.
    pub version: u64,
    /// Nanoseconds since the Unix epoch.
    pub time: u64,
    /// Bytes of its value.
    pub len: u64,
}

const _: () = assert!(size_of::<UpcallFound>() == 24 && offset_of!(UpcallFound, len) == 16);

/// One version that is kept of a key.
#[derive(Clone, Copy, Blit)]
#[repr(C)]
pub struct UpcallSeen {
    /// The version.
    pub version: u64,
    /// Nanoseconds since the Unix epoch.
    pub time: u64,
    /// 1 where this version removed the key, else 0.
    pub removed: u64,
}

const _: () = assert!(size_of::<UpcallSeen>() == 24 && offset_of!(UpcallSeen, removed) == 16);

/// The head of an event, before the bytes of its pool's path, its key and its value, which end at a multiple of 8.
#[derive(Clone, Copy, Blit)]
#[repr(C)]
pub struct UpcallEvent {
    /// One of `UPCALL_EVENT_PUT`, `UPCALL_EVENT_REMOVED` and `UPCALL_EVENT_MISSED`.
    pub what: u32,
    /// Bytes of the pool's path.
    pub pool: u32,
    /// Bytes of the key.
    pub key: u32,
    /// Bytes of the value.
    pub value: u32,
    /// The version; the smallest that was missed.
    pub version: u64,
    /// Nanoseconds since the Unix epoch; the largest version that was missed.
    pub time: u64,
    /// How many were missed.
    pub missed: u64,
}

// The SDKs read it at these places.
const _: () = assert!(size_of::<UpcallEvent>() == 40 && align_of::<UpcallEvent>() == 8);
const _: () = assert!(offset_of!(UpcallEvent, value) == 12 && offset_of!(UpcallEvent, version) == 16);
const _: () = assert!(offset_of!(UpcallEvent, time) == 24 && offset_of!(UpcallEvent, missed) == 32);

impl UpcallEvent {
    /// As they are handed over.
    fn bytes(&self) -> &[u8] {
        // SAFETY: it is blittable, and without padding, as is asserted below.
        unsafe { std::slice::from_raw_parts((&raw const *self).cast(), size_of::<UpcallEvent>()) }
    }
}

const _: () = assert!(!UpcallEvent::PADDED);
