//! Upcall in Rust: write handlers, export functions to other languages, embed an engine.
//!
//! It is the one crate that a user names. It has no code of its own: handlers are `upcall-handler`, exported functions
//! `upcall-export`, and each engine, codec and container is behind a feature, so that a handler library takes
//! no engine and no loader.
//!
//! # Handlers
//!
//! ```
//! use upcall::{Emit, Failure, Handler, Object};
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
//! // A library of `crate-type = ["cdylib"]` exports its handlers by name, once:
//! upcall::handlers! { "shout" => Shout::default() }
//!
//! // A test runs a handler without an engine:
//! let mut harness = upcall::Harness::new(Shout).emits(&["/loud"]);
//! harness.put(b"greeting", b"hello").unwrap();
//! assert_eq!(harness.emitted()[0].value, b"HELLO");
//! ```
//!
//! A handler that wants the whole batch implements [`BatchHandler`] and is exported as
//! `upcall::batch(handler)`; one that takes a type instead of bytes is a [`TypedHandler`] and
//! `upcall::typed(handler)`; one that waits for something is an `AsyncHandler` and `upcall::later(handler)`,
//! with the feature `async`. A panic in a handler is caught by the driver and fails the item, so a handler
//! library must not be built with `panic = "abort"`.
//!
//! # Exported functions
//!
//! ```
//! #[upcall::export]
//! fn words(text: &str) -> u64 {
//!     text.split_whitespace().count() as u64
//! }
//! ```
//!
//! [`macro@export`] writes the C function that other languages call, and `upcall bindgen` the callers.
//!
//! # Features
//!
//! None is on by default.
//!
//! - `async`: handlers that answer later, `AsyncHandler` and `later`, with tokio's runtime.
//! - `flow`: the engine of pools and handlers on their paths, `upcall-flow` as `upcall::flow`.
//! - `config`: a flow described by a file, `upcall-config` as `upcall::config`; brings `flow` along.
//! - `csharp`, `java`, `python`, `native`: handlers that an engine loads from files, `upcall-host` as `upcall::host`. No runtime is
//!   needed to build, and none is started before the program asks for it.
//! - `process`: handlers in processes of their own, `upcall-apart` as `upcall::apart`. Linux only.
//! - `pack`: values in MemoryPack's wire format, `Packed<T>` in typed handlers, and the crate `upcall-pack` as
//!   `upcall::pack`. Each of these brings it along: `zstd`, `lz4`, `brotli` (codecs), `bytes` (a socket's buffer), `chrono`,
//!   `uuid`, `half`, `num-bigint`, `rust_decimal` (conversions), `serde` (types that have its traits).
//! - `graph`: vertex programs over graphs on disk, the crate `upcall-graph` as `upcall::graph`.
//! - `mpi`: message passing over Open MPI or MPICH, the crate `upcall-mpi` as `upcall::mpi`.
//! - `soa`: structs of arrays, `#[derive(Soa)]` and the crate `upcall-soa` as `upcall::soa`.

#[cfg(feature = "process")]
pub use upcall_apart as apart;
#[cfg(feature = "config")]
pub use upcall_config as config;
#[cfg(feature = "soa")]
pub use upcall_derive::Soa;
pub use upcall_derive::{Blit, Enum, export};
#[doc(hidden)]
pub use upcall_export as shim;
pub use upcall_export::Code;
#[cfg(feature = "flow")]
pub use upcall_flow as flow;
#[cfg(feature = "graph")]
pub use upcall_graph as graph;
pub use upcall_handler::*;
#[cfg(any(
    feature = "csharp",
    feature = "java",
    feature = "native",
    feature = "process",
    feature = "python"
))]
pub use upcall_host as host;
#[cfg(feature = "mpi")]
pub use upcall_mpi as mpi;
#[cfg(feature = "pack")]
pub use upcall_pack as pack;
#[cfg(feature = "soa")]
pub use upcall_soa as soa;

/// The README and the book's chapters on typed handlers and on embedding, whose snippets are tested as this crate's are.
#[cfg(all(doctest, feature = "async", feature = "flow", feature = "pack"))]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../../../docs/typed.md")]
struct Book;

#[cfg(all(doctest, feature = "config", feature = "csharp", feature = "pack", feature = "python"))]
#[doc = include_str!("../../../docs/embedding.md")]
struct Embedding;

#[cfg(all(doctest, feature = "flow", feature = "process"))]
#[doc = include_str!("../../../docs/isolation.md")]
struct Isolated;

#[cfg(all(doctest, feature = "graph"))]
#[doc = include_str!("../../../docs/graph.md")]
struct Graphs;

/// Its snippets run on one rank, without a launcher.
#[cfg(all(doctest, feature = "mpi"))]
#[doc = include_str!("../../../docs/mpi.md")]
struct Ranks;
