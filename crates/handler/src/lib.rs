//! Handlers in Rust: what a handler implements, what it is given, and the driver between it and an engine.
//!
//! It is a crate of its own, below every engine, so that a handler library takes no engine and an engine drives
//! handlers of its own program as it drives any other. Users name it as the crate `upcall`, which has it whole.
//!
//! ```
//! use upcall_handler::{Emit, Failure, Handler, Harness, Object};
//!
//! #[derive(Default)]
//! struct Shout;
//!
//! impl Handler for Shout {
//!     fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
//!         emit.put(object.key(), &object.value().to_ascii_uppercase());
//!         Ok(())
//!     }
//! }
//!
//! let mut harness = Harness::new(Shout).emits(&["/loud"]);
//! harness.put(b"greeting", b"hello").unwrap();
//! assert_eq!(harness.emitted()[0].value, b"HELLO");
//! ```
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod body;
mod combine;
mod combine_harness;
mod context;
mod describe;
mod driver;
mod ended;
mod export;
mod failure;
mod flow;
pub mod vertex;
#[cfg(target_arch = "wasm32")]
#[doc(hidden)]
pub mod wasm;

pub use combine::{Combine, IntoCombine, combine};
pub use combine_harness::CombineHarness;
pub use context::{Context, Log};
pub use describe::Describe;
pub use driver::instance;
pub use ended::Ended;
pub use failure::Failure;
#[cfg(feature = "pack")]
pub use flow::Packed;
pub use flow::{
    AsPool, Batch, BatchHandler, Decode, Drive, Emit, Emitted, Encode, Failed, Found, Handler, Harness,
    Object, Open, Out, Owned, Pool, PoolId, Started, Typed, TypedHandler, batch, closure, typed,
};
#[cfg(feature = "async")]
pub use flow::{AsyncHandler, AsyncTypedHandler, IntoLater, later};
pub use upcall_abi::{self as abi, Blit};
pub use vertex::vertices;

#[doc(hidden)]
pub use body::{Body, IntoBody};
#[doc(hidden)]
pub use export::{Export, guest, load};
