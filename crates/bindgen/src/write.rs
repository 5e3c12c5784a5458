//! Output folders: nothing half-written, nothing rewritten that is equal.

use crate::File;
use std::io;
use std::path::{Path, PathBuf};
use std::{fs, process};

/// What became of an output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Files whose text is new.
    pub changed: Vec<PathBuf>,
    /// Files that had this text already; untouched, so that builds and editors stay quiet.
    pub unchanged: Vec<PathBuf>,
}

/// Brings the files of one back end to `folder`.
///
/// Everything that changes is written beside its destination first and then renamed, so that a full disk
/// or a killed process leaves old files or new ones, never halves.
pub fn write(folder: &Path, files: &[File], written: &mut Written) -> Result<(), (PathBuf, io::Error)> {
    let mut staged = Vec::new();
    for file in files {
        let path = folder.join(&file.path);
        if fs::read(&path).is_ok_and(|old| old == file.text.as_bytes()) {
            written.unchanged.push(path);
            continue;
        }
        let beside = path.with_added_extension(format!("new-{}", process::id()));
        let stage = || {
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(&beside, &file.text)
        };
        let result = stage();
        staged.push((beside, path.clone()));
        if let Err(error) = result {
            discard(&staged);
            return Err((path, error));
        }
    }
    for index in 0..staged.len() {
        let (beside, path) = &staged[index];
        if let Err(error) = fs::rename(beside, path) {
            discard(&staged[index..]);
            return Err((path.clone(), error));
        }
        written.changed.push(path.clone());
    }
    Ok(())
}

fn discard(staged: &[(PathBuf, PathBuf)]) {
    for (beside, _) in staged {
        // It may never have been made.
        let _ = fs::remove_file(beside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_equal_is_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let files = [File::new("a/one.txt", "1\n"), File::new("two.txt", "2\n")];
        let mut first = Written::default();
        write(folder.path(), &files, &mut first).unwrap();
        assert_eq!(first.changed.len(), 2);
        let time = fs::metadata(folder.path().join("two.txt")).unwrap().modified().unwrap();
        let mut second = Written::default();
        let files = [File::new("a/one.txt", "changed\n"), files[1].clone()];
        write(folder.path(), &files, &mut second).unwrap();
        assert_eq!(second.changed, [folder.path().join("a/one.txt")]);
        assert_eq!(second.unchanged, [folder.path().join("two.txt")]);
        assert_eq!(fs::metadata(folder.path().join("two.txt")).unwrap().modified().unwrap(), time);
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_the_others_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("blocked"), "").unwrap();
        let files = [File::new("one.txt", "1\n"), File::new("blocked/two.txt", "2\n")];
        let (path, _) = write(folder.path(), &files, &mut Written::default()).unwrap_err();
        assert_eq!(path, folder.path().join("blocked/two.txt"));
        let left: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["blocked"]);
    }
}
