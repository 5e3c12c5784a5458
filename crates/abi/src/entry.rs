use crate::{FrameHead, Status};
use core::ffi::c_void;

/// All that an engine knows about a handler: `call(state, frame) -> status`.
///
/// An entry is used on one thread at a time; the host's capabilities say whether it may move to another.
/// Whoever holds it calls `release` once, after the last `call`: it has no copy, and [`crate::Instance`] does it
/// when dropped.
#[repr(C)]
#[derive(Debug)]
pub struct Entry {
    /// Handles one frame. Nothing unwinds out of it: a failure is a [`Status`] and a filled error slot.
    pub call: unsafe extern "C" fn(state: *mut c_void, frame: *mut FrameHead) -> Status,
    /// The guest's own; engines only pass it on.
    pub state: *mut c_void,
    /// Frees `state`; `None` when there is nothing to free.
    pub release: Option<unsafe extern "C" fn(state: *mut c_void)>,
}

crate::layout::layout!(local Entry: 24, 8 { call: 0, state: 8, release: 16 });
