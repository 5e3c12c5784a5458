//! Node: the generated addon beside Node-API by hand and koffi.

use super::{Row, build, cargo, compile, library, measure, sources};
use crate::book;
use crate::command::run;
use anyhow::{Context, Result};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const KOFFI: &str = "koffi@3.3.4";

/// Compiles the addons, ours and theirs, and runs the program.
pub fn rows() -> Result<Vec<Row>> {
    let library = library()?;
    let package = build().join("typescript");
    let built = cargo(&package.join("glue"))?.join(format!("{DLL_PREFIX}upcall_bench_api_node{DLL_SUFFIX}"));
    fs::copy(&built, package.join("upcall_bench_api.node"))
        .with_context(|| format!("copying {}", built.display()))?;
    let by_hand = build().join("by_hand.node");
    compile(&sources().join("node/by_hand.c"), &[&headers()?], &library, &by_hand)?;
    let mut program = Command::new("node");
    program.arg(sources().join("node/bench.js")).env("NODE_PATH", koffi()?);
    program.env("UPCALL_BENCH_BY_HAND", by_hand).env("UPCALL_BENCH_OURS", package);
    measure("Node", program.env("UPCALL_BENCH_API_LIBRARY", library))
}

/// The headers that belong to the Node on the path.
fn headers() -> Result<PathBuf> {
    let program = run(Command::new("node").args(["-p", "process.execPath"]))?;
    let root = Path::new(program.trim()).ancestors().nth(2).context("node lies in a folder `bin`")?;
    Ok(root.join("include/node"))
}

/// The folder of packages with koffi in it; installed by the first run.
fn koffi() -> Result<PathBuf> {
    let folder = book::scratch()?.join("bindgen-node");
    let stamp = folder.join("installed.txt");
    if !fs::read_to_string(&stamp).is_ok_and(|installed| installed == KOFFI) {
        fs::create_dir_all(&folder)?;
        let install = ["install", "--silent", "--no-save", "--no-audit", "--no-fund", "--prefix"];
        run(Command::new("npm").args(install).arg(&folder).arg(KOFFI))?;
        fs::write(&stamp, KOFFI).with_context(|| format!("writing {}", stamp.display()))?;
    }
    Ok(folder.join("node_modules"))
}
