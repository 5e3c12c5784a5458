//! The TypeScript compiler, which the tests of the TypeScript bindings use.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use super::{say, system};
use crate::command;
use crate::workspace::Workspace;

const TYPESCRIPT: &str = "typescript@5.9.3";

/// Makes `.setup/node` unless it has the pinned compiler; returns a line that describes it.
pub fn prepare(ws: &Workspace) -> Result<String> {
    if command::which("node").is_none() || command::which("npm").is_none() {
        system::install(&["nodejs", "npm"], "the TypeScript compiler")?;
    }
    let folder = ws.setup().join("node");
    let stamp = folder.join("wanted.txt");
    let compiler = folder.join("node_modules/.bin/tsc");
    if !compiler.exists() || !fs::read_to_string(&stamp).is_ok_and(|wanted| wanted == TYPESCRIPT) {
        say("node", "installing the TypeScript compiler (23 MB)");
        fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
        let install = ["install", "--silent", "--no-save", "--no-audit", "--no-fund", "--prefix"];
        command::run(Command::new("npm").args(install).arg(&folder).arg(TYPESCRIPT))?;
        fs::write(&stamp, TYPESCRIPT).with_context(|| format!("writing {}", stamp.display()))?;
    }
    let version = command::output(Command::new("node").arg("--version"))?;
    Ok(format!("{}, .setup/node with {}", version.trim(), TYPESCRIPT.replace('@', " ")))
}
