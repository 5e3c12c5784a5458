//! The boundary itself: what an engine passes to a handler and what comes back, as plain `#[repr(C)]` memory.
//!
//! It is a crate of its own because everybody stands on it (engines, hosts, the SDK of every language) and
//! it stands on nothing: no dependency, no allocation, no `std`.
//!
//! An engine knows a handler only as an [`Entry`]: a C function pointer and a state pointer. It calls the
//! entry with one *frame*, whose first field is a [`FrameHead`]. `kind` says what the frame is:
//!
//! | kind | frame | when |
//! | --- | --- | --- |
//! | [`kind::OPEN`] | [`OpenFrame`] | once, on the worker's thread, before anything else |
//! | [`kind::FLOW`] | [`FlowFrame`] | a batch of [`Item`]s |
//! | [`kind::FLUSH`] | [`FlowFrame`] without items | the input has ended; the handler may emit |
//! | [`kind::CLOSE`] | [`FrameHead`] alone | once, after everything else |
//! | [`kind::PING`] | [`FrameHead`] alone | to measure what a crossing costs |
//!
//! What a handler emits is written into the frame's [`Output`] as [`Record`]s: memory, not calls.
//!
//! ```
//! use upcall_abi::{Entry, FrameHead, Status};
//!
//! unsafe extern "C" fn call(_state: *mut core::ffi::c_void, frame: *mut FrameHead) -> Status {
//!     // SAFETY: an engine passes a frame that is valid for the length of the call.
//!     if unsafe { (*frame).abi } == upcall_abi::ABI { Status::OK } else { Status::FAILED }
//! }
//! let entry = Entry { call, state: core::ptr::null_mut(), release: None };
//! let mut close = FrameHead::new::<FrameHead>(upcall_abi::kind::CLOSE);
//! // SAFETY: `call` takes any state, and the frame lives until it returns.
//! assert_eq!(unsafe { (entry.call)(entry.state, &mut close) }, Status::OK);
//! ```
#![no_std]

mod blit;
mod driver;
mod entry;
mod error_slot;
mod export;
mod flow;
mod frame;
mod layout;
mod open;
mod output;
mod rel;
mod status;

pub use blit::{Blit, Field};
pub use driver::{DriverTable, Refusal, refusal};
pub use entry::Entry;
pub use error_slot::ErrorSlot;
pub use export::{EXPORT_SYMBOL, Export, ExportTable};
pub use flow::{FlowFrame, Item};
pub use frame::{FrameHead, base, kind};
pub use layout::{FieldLayout, Layout, layouts};
pub use open::{OpenFrame, PoolEntry, Services, Setting, access, level};
pub use output::{Mark, Output, Record, Records, Writer};
pub use rel::Rel;
pub use status::Status;

/// The number of this boundary. A guest built for another number is refused when it is loaded.
///
/// Frames grow only by appending ([`FrameHead::size`] says how much is there), which does not change it.
pub const ABI: u16 = 1;
