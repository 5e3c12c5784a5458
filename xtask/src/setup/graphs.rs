//! The real graphs that Debian ships with graph-tool, which tests compare with NetworkX on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::{say, system};
use crate::command;
use crate::workspace::Workspace;

/// What has them; Ubuntu has no such package.
pub const PACKAGE: &str = "python3-graph-tool";
const GRAPHS: &str = "./usr/lib/python3/dist-packages/graph_tool/collection/*.gt.gz";

/// The folder of `NAME.gt.gz`, once they are there.
pub fn folder(ws: &Workspace) -> PathBuf {
    ws.setup().join("graphs")
}

/// Takes the graphs out of the package, which is not installed; returns a line that describes them.
pub fn prepare(ws: &Workspace) -> Result<String> {
    let folder = folder(ws);
    if !folder.is_dir() {
        if !system::has(PACKAGE)? {
            return Ok(format!("apt has no {PACKAGE}: its graphs are not there"));
        }
        say("graphs", &format!("fetching {PACKAGE} for the graphs in it (45 MB)"));
        super::fetching(ws, |work| fetch(work, &folder))?;
    }
    let graphs = fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))?.count();
    Ok(format!("{graphs} of graph-tool's collection"))
}

fn fetch(work: &Path, to: &Path) -> Result<()> {
    command::output(Command::new("apt-get").args(["download", "-qq", PACKAGE]).current_dir(work))?;
    let mut entries = fs::read_dir(work).with_context(|| format!("reading {}", work.display()))?;
    let package =
        entries.next().with_context(|| format!("apt-get put no file into {}", work.display()))??;
    let mut reader = Command::new("dpkg-deb");
    reader.arg("--fsys-tarfile").arg(package.path()).stdout(Stdio::piped());
    let mut reading = reader.spawn().with_context(|| format!("starting `{}`", command::shown(&reader)))?;
    let mut tar = Command::new("tar");
    tar.args(["--extract", "--no-same-owner", "--strip-components=6", "--wildcards", GRAPHS])
        .current_dir(work);
    command::run(tar.stdin(reading.stdout.take().context("dpkg-deb's output was not piped")?))?;
    if !reading.wait().context("waiting for dpkg-deb")?.success() {
        bail!("`{}` failed", command::shown(&reader));
    }
    fs::rename(work.join("collection"), to).with_context(|| format!("making {}", to.display()))
}
