//! The compiler of handlers in AssemblyScript.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::{say, system};
use crate::command;
use crate::workspace::Workspace;

/// The last one that Node 18 runs, which is Debian's.
const PACKAGE: &str = "assemblyscript@0.27.37";

/// Makes `.setup/assemblyscript` unless it has the pinned compiler; returns a line that describes it.
pub fn prepare(ws: &Workspace) -> Result<String> {
    if command::which("node").is_none() || command::which("npm").is_none() {
        system::install(&["nodejs", "npm"], "the AssemblyScript compiler")?;
    }
    let folder = folder(ws);
    let stamp = folder.join("wanted.txt");
    if !compiler(ws).exists() || !fs::read_to_string(&stamp).is_ok_and(|wanted| wanted == PACKAGE) {
        say("wasm", "installing the AssemblyScript compiler (33 MB)");
        fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
        let install = ["install", "--silent", "--no-save", "--no-audit", "--no-fund", "--prefix"];
        command::run(Command::new("npm").args(install).arg(&folder).arg(PACKAGE))?;
        fs::write(&stamp, PACKAGE).with_context(|| format!("writing {}", stamp.display()))?;
    }
    Ok(format!(".setup/assemblyscript with {}", PACKAGE.replace('@', " ")))
}

fn folder(ws: &Workspace) -> PathBuf {
    ws.setup().join("assemblyscript")
}

/// The compiler that [`prepare`] installs, as a module of JavaScript.
pub fn compiler(ws: &Workspace) -> PathBuf {
    folder(ws).join("node_modules/assemblyscript/dist/asc.js")
}
