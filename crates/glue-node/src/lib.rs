//! What the glue of Node adds to `upcall-glue`: values, calls and callbacks over Node-API.
//!
//! It is a crate of its own so that it is compiled and linted as itself; nothing links it. `upcall bindgen` copies its
//! modules ([`SOURCES`]) beside those of `upcall-glue`, which therefore are siblings here too, and writes `settings`.
//!
//! | module | its part |
//! | --- | --- |
//! | `value`, `take`, `give` | between JavaScript's values and the mirror's |
//! | `environment` | what belongs to one environment: its callbacks |
//! | `held` | what JavaScript must release, where a worker thread ends before it has |
//! | `callback`, `calling`, `exchange` | JavaScript's functions that native code calls |
//! | `kept` | those that it keeps |
//! | `queue` | calls by other threads |
//! | `module` | what index.js finds in the module |
//! | `settings` | what the user has chosen |
//!
//! All functions are for generated code: each takes the environment of its thread and values of this environment, and
//! runs within a call that Node has made.
#![cfg_attr(feature = "code", expect(clippy::missing_safety_doc, reason = "said once, above"))]

#[cfg(feature = "code")]
pub mod callback;
#[cfg(feature = "code")]
pub mod calling;
#[cfg(feature = "code")]
pub mod environment;
#[cfg(feature = "code")]
pub mod exchange;
#[cfg(feature = "code")]
pub mod give;
#[cfg(feature = "code")]
pub mod held;
#[cfg(feature = "code")]
pub mod kept;
#[cfg(feature = "code")]
pub mod module;
#[cfg(feature = "code")]
pub mod queue;
#[cfg(feature = "code")]
pub mod settings;
#[cfg(feature = "code")]
pub mod take;
#[cfg(feature = "code")]
pub mod value;

#[cfg(feature = "code")]
pub use upcall_glue::{entries, misuse, slots, stand_in};

/// The modules, by name, as they are written into generated crates: all but `settings`.
pub const SOURCES: &[(&str, &str)] = &[
    ("callback", include_str!("callback.rs")),
    ("calling", include_str!("calling.rs")),
    ("environment", include_str!("environment.rs")),
    ("exchange", include_str!("exchange.rs")),
    ("give", include_str!("give.rs")),
    ("held", include_str!("held.rs")),
    ("kept", include_str!("kept.rs")),
    ("module", include_str!("module.rs")),
    ("queue", include_str!("queue.rs")),
    ("take", include_str!("take.rs")),
    ("value", include_str!("value.rs")),
];
