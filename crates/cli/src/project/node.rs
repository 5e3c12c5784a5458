//! Handlers in JavaScript: nothing is built, but what Node would refuse is found, and the package `upcall` is put where it
//! finds it.

use super::{NoTests, files_below, home, make_folder};
use crate::output;
use anyhow::Context;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use upcall_host::node::{self, NodeOptions};

/// What strips files of TypeScript that a program imports, as a flow strips its handlers.
const STRIPS: &str = "sdk/node/build/register.js";

/// What checks files of TypeScript.
const CHECKS: &str = "sdk/node/build/check.js";

const INSTALL: &str = "see `upcall doctor node`";

/// Folders whose files are not the project's own.
const OTHERS: [&str; 3] = ["node_modules", "build", "target"];

/// A folder with a package.json.
pub(super) struct Part {
    folder: PathBuf,
}

impl Part {
    pub(super) fn new(folder: &Path) -> Part {
        Part { folder: folder.to_owned() }
    }

    pub(super) fn build(&self) -> anyhow::Result<()> {
        self.link()?;
        let mut files = Vec::new();
        for extension in ["mjs", "js", "cjs"] {
            files.extend(files_below(&self.folder, extension, &OTHERS)?);
        }
        for file in &files {
            let what = format!("check {}", file.display());
            super::run(self.node()?.arg("--check").arg(file), &what, INSTALL)?;
        }
        let typed = self.typed()?;
        if !typed.is_empty() {
            let what = format!("check the TypeScript of {}", self.folder.display());
            super::run(self.node()?.arg(home(CHECKS)?.join(CHECKS)).args(typed), &what, INSTALL)?;
        }
        let checked =
            format!("checked {} JavaScript file{}", files.len(), if files.len() == 1 { "" } else { "s" });
        output::line(checked)
    }

    pub(super) fn test(&self) -> anyhow::Result<()> {
        self.link()?;
        let what = format!("test {}", self.folder.display());
        let mut files = Vec::new();
        for extension in ["mjs", "js", "cjs", "ts", "mts"] {
            files.extend(files_below(&self.folder, extension, &OTHERS)?);
        }
        let is_test = |file: &PathBuf| {
            let name = file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            name.ends_with(".test")
        };
        files.retain(is_test);
        if files.is_empty() {
            return Err(NoTests { language: "JavaScript", write: "NAME.test.mjs" }.into());
        }
        let mut node = self.node()?;
        if !self.typed()?.is_empty() && node::locate(&NodeOptions::default()).into_result()?.has_hooks() {
            node.arg("--import").arg(home(STRIPS)?.join(STRIPS));
        }
        super::run(node.arg("--test").args(files), &what, INSTALL)
    }

    /// Its files of TypeScript, without those that only declare types.
    fn typed(&self) -> anyhow::Result<Vec<PathBuf>> {
        let mut files = files_below(&self.folder, "ts", &OTHERS)?;
        files.extend(files_below(&self.folder, "mts", &OTHERS)?);
        files.retain(|file| {
            !file.to_string_lossy().trim_end_matches(".mts").trim_end_matches(".ts").ends_with(".d")
        });
        Ok(files)
    }

    /// Node, in the project's folder.
    fn node(&self) -> anyhow::Result<Command> {
        let found = node::locate(&NodeOptions::default()).into_result()?;
        let arguments = found.arguments();
        let mut node = Command::new(found.program);
        node.args(arguments)
            .current_dir(&self.folder)
            .env("UPCALL_HOME", home("sdk/node/package.json")?)
            .stdin(Stdio::null());
        Ok(node)
    }

    /// Makes `node_modules/upcall` lead to the SDK, unless there is such a package already.
    pub(super) fn link(&self) -> anyhow::Result<()> {
        let modules = self.folder.join("node_modules");
        let link = modules.join("upcall");
        let sdk = home("sdk/node/build/testing.js")?.join("sdk/node");
        match fs::read_link(&link) {
            // npm's links are relative.
            Ok(_) if link.canonicalize().is_ok_and(|found| found == sdk) => return Ok(()),
            // Upcall was somewhere else before.
            Ok(_) => {
                fs::remove_file(&link).with_context(|| format!("remove {}", link.display()))?;
            }
            Err(_) if link.exists() => return Ok(()),
            Err(_) => {}
        }
        make_folder(&modules)?;
        symlink(&sdk, &link).with_context(|| format!("link {} to {}", link.display(), sdk.display()))
    }
}
