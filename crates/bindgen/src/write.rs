//! Output folders: nothing is left half-written, and equal files are not rewritten.

use crate::File;
use crate::earlier::Earlier;
use std::collections::{HashSet, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, process};

/// Tells this process's files apart.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// What happened to an output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Files whose text is new.
    pub changed: Vec<PathBuf>,
    /// Files that had this text already; untouched, so that builds and editors stay quiet.
    pub unchanged: Vec<PathBuf>,
    /// Files that an earlier run had written, and nobody has changed, and that are not made any more.
    pub removed: Vec<PathBuf>,
}

/// Writes the files of all back ends to their folders, and removes what an earlier run for this library has written
/// there and this one does not.
///
/// # Errors
/// As [`write()`].
pub(crate) fn write_all(
    library: &str,
    outputs: &[(PathBuf, Vec<File>)],
) -> Result<Written, (PathBuf, io::Error)> {
    let earlier: Vec<Earlier> =
        outputs.iter().filter_map(|(folder, files)| Earlier::read(library, folder, files)).collect();
    let mut written = write(outputs)?;
    let made: HashSet<PathBuf> = written.changed.iter().chain(&written.unchanged).cloned().collect();
    for one in &earlier {
        written.removed.extend(one.remove(&made));
        if let Some((path, text)) = one.list() {
            let list = File::new(path.file_name().unwrap_or_default(), text);
            // Without it the next run removes nothing.
            let _ = write(&[(path.parent().unwrap_or(Path::new("")).to_owned(), vec![list])]);
        }
    }
    Ok(written)
}

/// Writes the files of all back ends to their folders.
///
/// Everything that changes is written beside its destination first and then renamed, so that a full disk
/// or a killed process leaves old files or new ones, never half of one. Whatever can be refused is refused
/// before the first file is renamed; folders made in vain are removed again.
///
/// # Errors
/// A file or its folder cannot be written: which one, and what the system says of it.
pub fn write(outputs: &[(PathBuf, Vec<File>)]) -> Result<Written, (PathBuf, io::Error)> {
    let mut written = Written::default();
    let mut staged = Staged::default();
    for (folder, files) in outputs {
        for file in files {
            let path = folder.join(&file.path);
            if fs::read(&path).is_ok_and(|old| old == file.text.as_bytes()) {
                written.unchanged.push(path);
            } else if let Err(error) = staged.add(&path, &file.text) {
                staged.discard();
                return Err((path, error));
            }
        }
    }
    while let Some((beside, path)) = staged.files.pop_front() {
        if let Err(error) = fs::rename(&beside, &path) {
            staged.files.push_front((beside, path.clone()));
            staged.discard();
            return Err((path, error));
        }
        written.changed.push(path);
    }
    Ok(written)
}

/// New texts beside their destinations, and the folders made for them, outer before inner.
#[derive(Default)]
struct Staged {
    files: VecDeque<(PathBuf, PathBuf)>,
    folders: Vec<PathBuf>,
}

impl Staged {
    fn add(&mut self, path: &Path, text: &str) -> io::Result<()> {
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let missing: Vec<_> = folder
            .ancestors()
            .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
            .map(Path::to_path_buf)
            .collect();
        self.folders.extend(missing.into_iter().rev());
        if !folder.as_os_str().is_empty() {
            fs::create_dir_all(folder)?;
        }
        // Several threads may write the same.
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let beside = path.with_added_extension(format!("new-{}-{number}", process::id()));
        self.files.push_back((beside.clone(), path.to_owned()));
        fs::write(beside, text)
    }

    /// Some of these may be missing, and a folder that others have filled meanwhile stays.
    fn discard(&self) {
        for (beside, _) in &self.files {
            let _ = fs::remove_file(beside);
        }
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_equal_is_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let files = [File::new("a/one.txt", "1\n"), File::new("two.txt", "2\n")];
        let first = write(&[(folder.path().into(), files.to_vec())]).unwrap();
        assert_eq!(first.changed.len(), 2);
        let time = fs::metadata(folder.path().join("two.txt")).unwrap().modified().unwrap();
        let files = vec![File::new("a/one.txt", "changed\n"), files[1].clone()];
        let second = write(&[(folder.path().into(), files)]).unwrap();
        assert_eq!(second.changed, [folder.path().join("a/one.txt")]);
        assert_eq!(second.unchanged, [folder.path().join("two.txt")]);
        assert_eq!(fs::metadata(folder.path().join("two.txt")).unwrap().modified().unwrap(), time);
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_the_others_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("blocked"), "").unwrap();
        let outputs = ["fresh/inner", "blocked"]
            .map(|name| (folder.path().join(name), vec![File::new("one.txt", "1\n")]));
        let (path, _) = write(&outputs).unwrap_err();
        assert_eq!(path, folder.path().join("blocked/one.txt"));
        let left: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["blocked"]);
    }

    #[test]
    fn a_folder_in_a_files_place_is_found_before_anything_is_written() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("two.txt")).unwrap();
        let files = vec![File::new("one.txt", "1\n"), File::new("two.txt", "2\n")];
        let (path, error) = write(&[(folder.path().into(), files)]).unwrap_err();
        assert_eq!((path, error.kind()), (folder.path().join("two.txt"), io::ErrorKind::IsADirectory));
        assert!(!folder.path().join("one.txt").exists());
    }
}
