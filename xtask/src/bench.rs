//! `cargo xtask bench NAME`: one benchmark, in a release build, beside its peers.

use anyhow::{Result, bail};

use crate::workspace::Workspace;
use crate::{build, command, setup};

const PACKAGE: &str = "upcall-bench";

/// Sets up, builds and runs the benchmark named by the first argument; the others are passed to it.
pub fn run(ws: &Workspace, arguments: &[String]) -> Result<()> {
    let names = ws.binaries(PACKAGE);
    let Some((name, rest)) = arguments.split_first() else {
        bail!("running a benchmark: no name given; the benchmarks are: {}", names.join(", "));
    };
    if !names.contains(name) {
        bail!("running the benchmark `{name}`: there is none of that name; there are: {}", names.join(", "));
    }
    setup::run(ws)?;
    build::run(ws)?;
    command::run(
        ws.command("cargo")
            .args(["run", "--release", "--quiet", "--package", PACKAGE, "--bin", name, "--"])
            .args(rest),
    )
}
