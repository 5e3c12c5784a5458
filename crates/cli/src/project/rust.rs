//! Handlers in Rust: cargo builds them.

use super::{ToolFailed, make_folder, replace};
use crate::output;
use anyhow::Context;
use std::env::consts::DLL_SUFFIX;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const INSTALL: &str = "install Rust from https://rustup.rs";

/// A crate whose shared library holds handlers.
pub(super) struct Part {
    folder: PathBuf,
}

impl Part {
    pub(super) fn new(folder: &Path) -> Part {
        Part { folder: folder.to_owned() }
    }

    pub(super) fn build(&self) -> anyhow::Result<()> {
        let mut cargo = self.cargo();
        cargo.args(["build", "--release", "--message-format=json-render-diagnostics"]).stdout(Stdio::piped());
        let mut child = cargo
            .spawn()
            .with_context(|| format!("build {}: run cargo ({INSTALL})", self.folder.display()))?;
        let output = child.stdout.take().context("cargo's standard output is a pipe")?;
        let mut library = None;
        for line in BufReader::new(output).lines() {
            library = self.library(&line.context("read what cargo prints")?).or(library);
        }
        if !child.wait().context("wait for cargo")?.success() {
            return Err(ToolFailed(format!("build {}: cargo build failed", self.folder.display())).into());
        }
        let Some(library) = library else {
            anyhow::bail!(
                "build {}: the crate is no shared library; write crate-type = [\"cdylib\"] below [lib] in Cargo.toml",
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

    /// The shared library of this crate, if a message of cargo's is about it.
    fn library(&self, message: &str) -> Option<PathBuf> {
        let message: serde_json::Value = serde_json::from_str(message).ok()?;
        let manifest = Path::new(message["manifest_path"].as_str()?);
        if message["reason"] != "compiler-artifact" || manifest != self.folder.join("Cargo.toml") {
            return None;
        }
        let files = message["filenames"].as_array()?.iter().filter_map(|file| file.as_str());
        files.into_iter().find(|file| file.ends_with(DLL_SUFFIX)).map(PathBuf::from)
    }
}
