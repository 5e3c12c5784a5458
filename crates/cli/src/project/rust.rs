//! Handlers in Rust: cargo builds them, natively, for WebAssembly or both.

use super::modules::Wanted;
use super::{ToolFailed, make_folder, replace};
use crate::output;
use anyhow::Context;
use std::env::consts::DLL_SUFFIX;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const INSTALL: &str = "install Rust from https://rustup.rs";

/// The target of modules that import nothing but what they are given.
const WASM: &str = "wasm32-unknown-unknown";

/// A crate whose library holds handlers.
pub(super) struct Part {
    folder: PathBuf,
    native: bool,
    wasm: bool,
}

impl Part {
    /// What the flow's file wants of it; a shared library where it says nothing.
    pub(super) fn new(folder: &Path, wanted: &Wanted) -> Part {
        Part { folder: folder.to_owned(), native: wanted.native || !wanted.wasm, wasm: wanted.wasm }
    }

    pub(super) fn build(&self) -> anyhow::Result<()> {
        if self.native {
            self.library(None, DLL_SUFFIX)?;
        }
        if self.wasm {
            self.has_target()?;
            self.library(Some(WASM), ".wasm")?;
        }
        Ok(())
    }

    /// Builds the library for a target, and puts it into `build/`.
    fn library(&self, target: Option<&str>, suffix: &str) -> anyhow::Result<()> {
        let mut cargo = self.cargo();
        cargo.args(["build", "--release", "--message-format=json-render-diagnostics"]).stdout(Stdio::piped());
        cargo.args(target.iter().flat_map(|target| ["--target", target]));
        let mut child = cargo
            .spawn()
            .with_context(|| format!("build {}: run cargo ({INSTALL})", self.folder.display()))?;
        let output = child.stdout.take().context("cargo's standard output is a pipe")?;
        let mut library = None;
        for line in BufReader::new(output).lines() {
            library = self.named(&line.context("read what cargo prints")?, suffix).or(library);
        }
        if !child.wait().context("wait for cargo")?.success() {
            return Err(ToolFailed(format!("build {}: cargo build failed", self.folder.display())).into());
        }
        let Some(library) = library else {
            anyhow::bail!(
                "build {}: the crate is no library of handlers; write crate-type = [\"cdylib\"] below [lib] in Cargo.toml",
                self.folder.display()
            );
        };
        let folder = self.folder.join("build");
        make_folder(&folder)?;
        let name = library.file_name().context("a library is a file")?;
        let (copy, to) = (folder.join(name).with_extension("new"), folder.join(name));
        fs::copy(&library, &copy)
            .with_context(|| format!("copy {} to {}", library.display(), copy.display()))?;
        replace(&copy, &to)?;
        output::line(format!("built build/{}", name.to_string_lossy()))?;
        Ok(())
    }

    pub(super) fn test(&self) -> anyhow::Result<()> {
        super::run(self.cargo().arg("test"), &format!("test {}", self.folder.display()), INSTALL)
    }

    fn cargo(&self) -> Command {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(&self.folder).stdin(Stdio::null());
        cargo
    }

    /// Refuses where Rust has nothing to compile modules with.
    fn has_target(&self) -> anyhow::Result<()> {
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc.args(["--print", "target-libdir", "--target", WASM]).current_dir(&self.folder);
        let asked = rustc.output();
        let asked =
            asked.with_context(|| format!("build {}: run rustc ({INSTALL})", self.folder.display()))?;
        let folder = String::from_utf8_lossy(&asked.stdout);
        if asked.status.success() && Path::new(folder.trim()).is_dir() {
            return Ok(());
        }
        let message = format!(
            "build {}: this Rust has no standard library for WebAssembly: run `rustup target add {WASM}`, or install the \
             package that your system has for it (Debian: libstd-rust-dev-wasm32)",
            self.folder.display()
        );
        Err(ToolFailed(message).into())
    }

    /// The library of this crate, if a message of cargo's is about it.
    fn named(&self, message: &str, suffix: &str) -> Option<PathBuf> {
        let message: serde_json::Value = serde_json::from_str(message).ok()?;
        let manifest = Path::new(message["manifest_path"].as_str()?);
        if message["reason"] != "compiler-artifact" || manifest != self.folder.join("Cargo.toml") {
            return None;
        }
        let files = message["filenames"].as_array()?.iter().filter_map(|file| file.as_str());
        files.into_iter().find(|file| file.ends_with(suffix)).map(PathBuf::from)
    }
}
