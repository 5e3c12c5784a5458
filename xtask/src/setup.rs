//! `cargo xtask setup`: the one place that installs anything.
//!
//! It is quick when all is there: each step first looks, then acts, and says in one line what it found.

pub mod arm;
pub mod dotnet;
mod native;
pub mod node;
pub mod python;
mod system;

use std::path::Path;

use anyhow::Result;

use crate::workspace::Workspace;

/// Makes sure that Python, its packages, .NET, and compilers of C#, TypeScript, C, C++ and Java are there.
pub fn run(ws: &Workspace) -> Result<()> {
    let _lock = ws.lock(&ws.setup())?;
    let found = python::prepare(ws)?;
    say("python", &found);
    let compiler = dotnet::prepare(ws)?;
    say(".NET", &format!("{} ({})", compiler.version, shown(ws, &compiler.dotnet)));
    say("C#", &shown(ws, &compiler.csc));
    say("node", &node::prepare(ws)?);
    say("native", &native::prepare()?);
    say("rust", &arm::prepare());
    Ok(())
}

/// Prints what a step found or is about to do.
fn say(step: &str, what: &str) {
    eprintln!("setup: {step:<7} {what}");
}

fn shown(ws: &Workspace, path: &Path) -> String {
    path.strip_prefix(&ws.root).unwrap_or(path).display().to_string()
}
