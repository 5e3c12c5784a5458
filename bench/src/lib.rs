//! What every benchmark needs: clocks and minima, the book, the peers, raw results, charts.
//!
//! One binary per question, in `src/bin/`. Each measures us and the peers in one run, alternating, takes the
//! minimum over the runs (other work on the machine only ever adds), says what is unfair, and writes
//! `results/NAME.json` and `charts/NAME.svg`, which are committed.
//!
//! ```
//! use upcall_bench::measure::{Clock, nanos_per_call};
//!
//! let mut sum = 0u64;
//! let nanos = nanos_per_call(Clock::Thread, 5, 1000, |_| sum = std::hint::black_box(sum + 1));
//! assert!(nanos >= 0.0);
//! ```

pub mod apart;
pub mod arguments;
#[cfg(feature = "bindgen")]
pub mod bindings;
pub mod book;
pub mod chart;
pub mod codecs;
pub mod columns;
pub mod command;
pub mod embed;
pub mod flows;
pub mod functions;
pub mod graph;
pub mod letters;
pub mod machine;
pub mod measure;
pub mod mpi;
pub mod peers;
pub mod plain;
pub mod results;
pub mod wordcount;
