//! Where Java is.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command;

/// The newest of the installed JDKs that have `java.lang.foreign`, which came with 22.
pub fn newest() -> Option<PathBuf> {
    let named = ["JAVA_HOME", "JDK_HOME"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    let installed = fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten().map(|entry| entry.path());
    let version = |home: &Path| {
        let about = command::output(Command::new(home.join("bin/javac")).arg("-version")).ok()?;
        about.trim().strip_prefix("javac ")?.split(['.', '-']).next()?.parse::<u32>().ok()
    };
    let homes = named.chain(installed).filter_map(|home| Some((version(&home)?, home)));
    homes.filter(|(version, _)| *version >= 22).max().map(|(_, home)| home)
}
