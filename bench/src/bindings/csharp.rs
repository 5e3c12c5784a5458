//! C#: the generated classes beside `DllImport` by hand.

use super::{Row, library, measure, sources};
use anyhow::{Context, Result};
use std::process::Command;

/// Runs the program that `cargo xtask bench` has compiled.
pub fn rows() -> Result<Vec<Row>> {
    let dotnet = std::env::var_os("UPCALL_BENCH_DOTNET")
        .context("looking for .NET: UPCALL_BENCH_DOTNET is not set; run `cargo xtask bench bindgen`")?;
    let library = library()?;
    let folder = library.parent().context("a library lies in a folder")?;
    let program = sources().join("csharp/build/bench.dll");
    measure("C#", Command::new(dotnet).arg("exec").arg(program).env("LD_LIBRARY_PATH", folder))
}
