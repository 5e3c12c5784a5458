//! A folder that looks like the user's, except for a few files.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// A copy of a folder: changed files are written, folders on the way to them are made, everything else is a
/// link to the original. So it costs little, and `include_str!` and relative paths still lead to the right place.
pub(super) struct Mirror {
    /// The folder that is mirrored.
    pub base: PathBuf,
    /// Where the mirror is.
    pub tree: PathBuf,
}

impl Mirror {
    /// Makes it from scratch. The keys of `changed` are paths of originals, which need not exist.
    pub fn write(&self, changed: &BTreeMap<PathBuf, String>) -> io::Result<()> {
        if self.tree.exists() {
            fs::remove_dir_all(&self.tree)?;
        }
        self.folder(&self.base, changed)?;
        for (path, text) in changed {
            fs::write(self.copy_of(path), text)?;
        }
        Ok(())
    }

    /// Where the copy of an original is.
    pub fn copy_of(&self, path: &Path) -> PathBuf {
        self.tree.join(path.strip_prefix(&self.base).unwrap_or(path))
    }

    /// The original of a path in the copy.
    pub fn original_of(&self, path: &Path) -> Option<PathBuf> {
        Some(self.base.join(path.strip_prefix(&self.tree).ok()?))
    }

    fn folder(&self, folder: &Path, changed: &BTreeMap<PathBuf, String>) -> io::Result<()> {
        fs::create_dir_all(self.copy_of(folder))?;
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        for entry in entries {
            let path = entry?.path();
            let leads_to_change = changed.keys().any(|change| change.starts_with(&path) && *change != path);
            if leads_to_change && path.is_dir() {
                self.folder(&path, changed)?;
            } else if !changed.contains_key(&path) && !self.tree.starts_with(&path) {
                link(&path, &self.copy_of(&path))?;
            }
        }
        Ok(())
    }
}

/// The deepest folder that contains all paths.
pub(super) fn common_folder<'a>(first: &Path, others: impl Iterator<Item = &'a Path>) -> PathBuf {
    let mut common = first.to_owned();
    for path in others {
        while !path.starts_with(&common) && common.pop() {}
    }
    common
}

/// An absolute path without `.` and `..`; links are not followed.
pub(super) fn absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            component => plain.push(component),
        }
    }
    plain
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

/// Links need a privilege on Windows: files are hard-linked, folders are copied.
#[cfg(not(unix))]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop));
    }
    if from.file_name().is_some_and(|name| name == "target" || name == ".git") {
        return Ok(());
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        link(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}
