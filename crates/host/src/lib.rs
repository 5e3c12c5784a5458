//! Finds, starts and guards guest runtimes, and loads handlers into them.
//!
//! It is a crate of its own so that everything known about living with a foreign runtime (signal stacks,
//! thread attachment, which library to open first) is in one place, below every engine.
//!
//! A [`Host`] is one guest runtime in this process. It loads a handler once, as a [`Module`]; each worker of
//! an engine makes its own [`Instance`] of it, on its own thread, inside [`Host::worker`]. An instance owns
//! an [`Entry`], which is all that an engine calls.
//!
//! | module | guest | feature |
//! | --- | --- | --- |
//! | [`in_process`] | closures and types of this program | always |
//! | `embedded` | the program that has loaded us, in whatever language | `embedded` |
//! | `native` | a shared library that exports [`upcall_handler::handlers!`] | `native` |
//! | `clr` | C#, on .NET 8 or later | `clr` |
//! | `python` | CPython 3.11 to 3.14 | `python` |
//! | `java` | Java, on a JDK or JRE 17 or later | `java` |
//! | `node` | JavaScript and TypeScript, on Node 18 or later, in processes of their own | `node` |
//! | `wasm` | WebAssembly, by wasmtime | `wasm` |
//!
//! [`GUESTS`] is the list of those that a flow can name.
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

#[cfg(feature = "clr")]
pub mod clr;
#[cfg(any(feature = "clr", feature = "java"))]
mod copies;
mod describe;
#[cfg(feature = "embedded")]
pub mod embedded;
mod error;
#[cfg(all(feature = "clr", any(feature = "java", feature = "wasm")))]
mod faults;
#[cfg(any(feature = "native", feature = "clr", feature = "java", feature = "python", feature = "embedded"))]
mod guest;
pub mod guests;
mod handler;
pub mod in_process;
mod isolation;
#[cfg(feature = "java")]
pub mod java;
mod java_options;
mod lent;
#[cfg(any(feature = "native", feature = "clr", feature = "java", feature = "python"))]
mod loader;
#[cfg(any(feature = "clr", feature = "java", feature = "node", feature = "python"))]
mod located;
#[cfg(feature = "native")]
pub mod native;
mod nearest;
#[cfg(feature = "node")]
pub mod node;
mod opened;
#[cfg(any(feature = "clr", feature = "java", feature = "node", feature = "python", feature = "wasm"))]
mod probe;
#[cfg(feature = "program")]
pub mod program;
#[cfg(feature = "python")]
pub mod python;
#[cfg(any(feature = "clr", feature = "java", feature = "embedded"))]
mod signal_stack;
mod traits;
#[cfg(feature = "wasm")]
pub mod wasm;

pub use describe::{Description, Parameter, ValueShape, describe};
pub use error::{Error, ErrorKind};
pub use guests::{GUESTS, KnownGuest};
pub use handler::{HandlerSpec, Limits};
pub use isolation::{ISOLATED, Isolation, set_apart};
pub use java_options::JavaOptions;
pub use lent::Lent;
#[cfg(any(feature = "clr", feature = "java", feature = "node", feature = "python"))]
pub use located::{Located, Looked, installation};
pub use nearest::nearest;
pub use opened::{Opened, Opening};
pub use traits::{Capabilities, Host, Module, Threads};
pub use upcall_abi::{Entry, Instance};
