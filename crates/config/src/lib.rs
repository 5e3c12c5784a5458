//! A flow's file: TOML, checked whole before anything starts.
//!
//! It is a crate of its own so that the engine knows no file format: a program that describes its flow itself, by
//! `Flow::builder`, compiles no parser and no renderer of diagnostics. What makes no sense in a flow, whoever has
//! described it, is found by [`upcall_flow::check`]; this crate shows it at its place in the text.
//!
//! ```
//! use upcall_config::Config;
//!
//! let error = Config::parse("[pool.\"/lines\"]\nkept = 3", "flow.toml").unwrap_err();
//! assert!(error.to_string().contains("did you mean `keep`?"));
//! ```

#![warn(clippy::missing_errors_doc, clippy::must_use_candidate)]

mod config;
mod fields;
mod files;
mod flow;
mod handler;
mod isolation;
mod java;
pub mod keys;
mod mistake;
mod place;
mod quantity;
mod settings;
#[cfg(test)]
mod tests;
mod warm;

pub use config::Config;
pub use mistake::ConfigError;

/// A number of bytes as a flow's file has it: `16 MiB`.
///
/// # Errors
/// What is wrong with it, and what was probably meant.
pub fn bytes(text: &str) -> Result<u64, String> {
    quantity::bytes(text).map_err(|refused| match refused.nearest {
        Some(near) => format!("{}; did you mean {near}?", refused.why),
        None => refused.why,
    })
}
