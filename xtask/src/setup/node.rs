//! The TypeScript compilers, which the tests of the TypeScript bindings use.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::{say, system};
use crate::command;
use crate::workspace::Workspace;

const TYPESCRIPT: &str = "typescript@7.0.2";
/// The last whose API strips types for Node; users' programs are compiled by it too.
const WITH_API: &str = "typescript@5.9.3";

/// Makes `.setup/node` and `.setup/node5` unless they have the pinned compilers; returns a line that describes them.
pub fn prepare(ws: &Workspace) -> Result<String> {
    if command::which("node").is_none() || command::which("npm").is_none() {
        system::install(&["nodejs", "npm"], "the TypeScript compiler")?;
    }
    install(&ws.setup().join("node"), TYPESCRIPT)?;
    install(&ws.setup().join("node5"), WITH_API)?;
    let version = command::output(Command::new("node").arg("--version"))?;
    let named = |package: &str| package.replace('@', " ");
    Ok(format!(
        "{}, .setup/node with {}, .setup/node5 with {}",
        version.trim(),
        named(TYPESCRIPT),
        named(WITH_API)
    ))
}

fn install(folder: &Path, package: &str) -> Result<()> {
    let stamp = folder.join("wanted.txt");
    let compiler = folder.join("node_modules/.bin/tsc");
    if compiler.exists() && fs::read_to_string(&stamp).is_ok_and(|wanted| wanted == package) {
        return Ok(());
    }
    say("node", &format!("installing {package} (30 MB)"));
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    let install = ["install", "--silent", "--no-save", "--no-audit", "--no-fund", "--prefix"];
    command::run(Command::new("npm").args(install).arg(folder).arg(package))?;
    fs::write(&stamp, package).with_context(|| format!("writing {}", stamp.display()))
}
