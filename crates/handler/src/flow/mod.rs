//! Handlers of the flow engine: objects in, emissions out.

mod body;
mod emit;
mod form;
mod handler;
mod harness;
#[cfg(feature = "async")]
mod later;
mod object;
mod open;
mod out;
#[cfg(feature = "pack")]
mod packed;
mod typed;

pub use emit::{Emit, Found};
pub use form::Owned;
pub use form::{Decode, Encode};
pub use handler::{BatchHandler, Drive, Handler, batch};
pub use harness::{Emitted, Failed, Harness, Started};
#[cfg(feature = "async")]
pub use later::{AsyncHandler, AsyncTypedHandler, IntoLater, later};
pub use object::{Batch, Object};
pub use open::{AsPool, Open, Pool, PoolId};
pub use out::{Out, closure};
#[cfg(feature = "pack")]
pub use packed::Packed;
pub use typed::{Typed, TypedHandler, typed};
