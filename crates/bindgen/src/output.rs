use std::path::{Path, PathBuf};
use upcall_packers::File;

/// Where the files with this extension are, below a folder.
pub(crate) fn with_extension(folder: &Path, files: &[File], extension: &str) -> Vec<PathBuf> {
    let paths = files.iter().map(|file| folder.join(&file.path));
    paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
}

/// Files, moved into a folder.
pub(crate) fn below(folder: &Path, files: impl IntoIterator<Item = File>) -> Vec<File> {
    files.into_iter().map(|file| File::new(folder.join(file.path), file.text)).collect()
}
