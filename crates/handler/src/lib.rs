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

mod driver;
mod emit;
mod failure;
mod form;
mod handler;
mod handlers;
mod harness;
mod object;
mod open;
#[cfg(feature = "pack")]
mod packed;
mod typed;

pub use driver::instance;
pub use emit::{Emit, Found};
pub use failure::Failure;
pub use form::{Decode, Encode};
pub use handler::{BatchHandler, Drive, Handler, batch};
pub use harness::{Emitted, Failed, Harness};
pub use object::{Batch, Object};
pub use open::{Log, Open, Pool, PoolId};
#[cfg(feature = "pack")]
pub use packed::Packed;
pub use typed::{TypedHandler, typed};
pub use upcall_abi::{self as abi, Blit};

#[doc(hidden)]
pub use handlers::create;
