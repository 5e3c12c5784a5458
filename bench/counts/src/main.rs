//! Executes hot paths between requests to callgrind, which counts their instructions: `cargo xtask counts`.
//!
//! `upcall-counts GROUP...`: `boundary`, `exported`, `flow`, `pack`, `columns` (by the instructions that `UPCALL_SIMD`
//! names) and `python`. Outside valgrind it does the same, and nothing is counted.

mod boundary;
mod callgrind;
mod columns;
mod exported;
mod flow;
mod pack;
mod python;

use anyhow::{Result, bail};

fn main() -> Result<()> {
    for group in std::env::args().skip(1) {
        match group.as_str() {
            "boundary" => boundary::count()?,
            "columns" => columns::count(),
            "exported" => exported::count(),
            "flow" => flow::count()?,
            "pack" => pack::count()?,
            "python" => python::count()?,
            other => bail!("counting `{other}`: there is no such group"),
        }
    }
    Ok(())
}
