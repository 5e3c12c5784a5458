//! The numbers that a benchmark is told on its command line.

use anyhow::{Context, Result};

/// Reads them in order.
pub struct Numbers(std::iter::Skip<std::env::Args>);

impl Numbers {
    /// Those of this program.
    pub fn of_this_program() -> Numbers {
        Numbers(std::env::args().skip(1))
    }

    /// The next one, or `default` where there is none. An error names it by `name`.
    pub fn next(&mut self, name: &str, default: usize) -> Result<usize> {
        let Some(text) = self.0.next() else { return Ok(default) };
        text.parse().with_context(|| format!("reading {name}: found {text:?}, which is not a number"))
    }
}
