//! The boundary itself: what an engine passes to a handler and what comes back, as plain `#[repr(C)]` memory.
//!
//! It is a crate of its own because everything stands on it (engines, hosts, the SDK of every language) and
//! it stands on nothing: no dependency, no allocation, no `std`. The feature `alloc` makes owned buffers from
//! `Vec` and `String`.
//!
//! An engine knows a handler only as an [`Entry`]: a C function pointer and a state pointer. It calls the
//! entry with one *frame*, whose first field is a [`FrameHead`]. `kind` says what the frame is:
//!
//! | kind | frame | when |
//! | --- | --- | --- |
//! | [`kind::DESCRIBE`] | [`DescribeFrame`] | before OPEN, where somebody wants to know what the handler is |
//! | [`kind::OPEN`] | [`OpenFrame`] | once, on the worker's thread, before any batch |
//! | [`kind::FLOW`] | [`FlowFrame`] | a batch of [`Item`]s, for handlers of this kind |
//! | [`kind::COMBINE`] | [`CombineFrame`] | two arrays, for handlers of this kind |
//! | [`kind::VERTEX`] | [`VertexFrame`] | vertices of a graph, for handlers of this kind |
//! | [`kind::FLUSH`] | that of the handler's kind, without a batch | the input has ended; the handler may emit |
//! | [`kind::CLOSE`] | [`FrameHead`] alone | once, after everything else |
//! | [`kind::PING`] | [`FrameHead`] alone | to measure what a crossing costs |
//!
//! What a handler emits is written into the frame's [`Output`] as [`Record`]s: memory, not calls.
//!
//! Exported functions are the other way across: a guest calls native code. What they take and return besides
//! numbers and structs is [`Slice`], [`SliceMut`], [`Str`], [`Buffer`], [`Text`], and a [`Failure`].
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
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "alloc")]
mod ask;
mod blit;
mod buffer;
mod cancel;
#[cfg(feature = "std")]
pub mod caught;
#[cfg(feature = "alloc")]
mod chain;
mod check;
mod combine;
mod copy;
mod describe;
#[cfg(feature = "alloc")]
mod describe_writer;
mod entry;
mod error_slot;
mod failure;
mod flow;
mod frame;
mod guest;
mod instance;
mod invalid;
mod layout;
mod open;
mod open_record;
mod output;
mod prefetch;
mod rel;
mod shape;
mod slice;
mod slice_mut;
mod status;
mod str;
mod text;
mod value;
mod vertex;

#[cfg(feature = "alloc")]
pub use ask::{CallFailed, Frame};
pub use blit::{Blit, Field};
pub use buffer::{Buffer, Release};
pub use cancel::{CancelFrame, cancelled};
#[cfg(feature = "alloc")]
pub use chain::{Chain, Chained, Chunk, Emitting, Filled, Written};
pub use check::BatchFrame;
pub use combine::{CombineFrame, CombineOpen};
pub use copy::copy_short;
pub use describe::{DescribeFrame, about};
#[cfg(feature = "alloc")]
pub use describe_writer::{DescribeWriter, read_parameter};
pub use entry::Entry;
pub use error_slot::ErrorSlot;
pub use failure::{FAILURE_RELEASE_SYMBOL, Failure};
pub use flow::{FlowFrame, FlowOpen, Item, PoolEntry, PoolServices, Progress, Query, access, as_of, missing};
pub use frame::{FrameHead, base, kind};
pub use guest::{GUEST_SYMBOL, GuestTable, HandlerName, Refusal, Start, refusal};
pub use instance::Instance;
pub use invalid::Invalid;
pub use layout::{FieldLayout, Layout, layouts};
pub use open::{OpenFrame, Services, Setting, level};
pub use open_record::OpenRecord;
pub use output::{Mark, Output, Record, Records, Writer};
pub use prefetch::{ahead, dense, prefetch, side_by_side};
pub use rel::Rel;
pub use shape::{Shape, ShapeMember, ShapeOf, Shaped, Unshaped};
pub use slice::Slice;
pub use slice_mut::SliceMut;
pub use status::Status;
pub use str::Str;
pub use text::Text;
pub use value::{Numbered, Value};
pub use vertex::{Edges, VertexFrame, VertexLent, VertexOpen, VertexTally, phase};

/// The number of this boundary. A guest built for another number is refused when it is loaded.
///
/// Frames grow only by appending ([`FrameHead::size`] says how much is there), which does not change it. A
/// driver asks [`FrameHead::check`] before it reads a frame.
pub const ABI: u16 = 2;
