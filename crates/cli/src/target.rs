//! Where a dump goes: into a file that takes the place of the one before when it is whole, or straight into whatever
//! else lies at the path.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, BufWriter, Seek, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// What others give a file that they create, before the user's mask.
const NEW: u32 = 0o666;

/// What is open already: writing there must not cut off what was written before.
const OPEN: [&str; 4] = ["/dev/fd", "/dev/stderr", "/proc/self/fd", "/dev/tty"];

/// What lies at a path.
enum Found {
    /// A device, a pipe, a terminal.
    Special,
    /// The file that the path leads to.
    Regular(PathBuf, Metadata),
    /// Nothing, or a symbolic link to nothing.
    Nothing,
}

fn find(path: &Path) -> io::Result<Found> {
    match fs::metadata(path) {
        Ok(about) if about.is_dir() => Err(io::Error::other("it is a folder; name a file in it")),
        Ok(about) if about.is_file() && !OPEN.iter().any(|open| path.starts_with(open)) => {
            Ok(Found::Regular(fs::canonicalize(path)?, about))
        }
        Ok(_) => Ok(Found::Special),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Nothing),
        Err(error) => Err(error),
    }
}

/// Finds out, without changing anything, whether a file can be written here. Returns the file's own path, by which
/// two that are the same can be told; a device or a pipe has none.
pub(crate) fn check(path: &Path) -> io::Result<Option<PathBuf>> {
    match find(path)? {
        // Opening a pipe would wait for its reader.
        Found::Special => Ok(None),
        Found::Regular(place, _) => OpenOptions::new().write(true).open(&place).map(|_| Some(place)),
        Found::Nothing if fs::symlink_metadata(path).is_ok() => Ok(None),
        Found::Nothing => {
            let folder = folder(path);
            if !folder.is_dir() {
                return Err(io::Error::other(format!("there is no folder {}", folder.display())));
            }
            tempfile::tempfile_in(folder)?;
            Ok(Some(fs::canonicalize(folder)?.join(path.file_name().unwrap_or_default())))
        }
    }
}

/// The files of a command, none of which is written in the place of another.
pub(crate) struct Places(Vec<PathBuf>);

impl Places {
    /// Those that are read.
    pub(crate) fn read<'a>(files: impl IntoIterator<Item = &'a Path>) -> Places {
        Places(files.into_iter().filter_map(|file| fs::canonicalize(file).ok()).collect())
    }

    /// [`check`]s one that is to be written; an error where it is one of the others.
    pub(crate) fn writes(&mut self, file: &Path) -> io::Result<()> {
        let Some(place) = check(file)? else { return Ok(()) };
        if self.0.contains(&place) {
            return Err(io::Error::other(
                "this command reads it, or writes something else there; name another file",
            ));
        }
        self.0.push(place);
        Ok(())
    }
}

/// Writes a file: `write` is called once.
pub(crate) fn write(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let whole = |file: &File| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        Ok(out.flush()?)
    };
    let (place, old) = match find(path)? {
        Found::Special => return whole(&OpenOptions::new().append(true).open(path)?),
        // The link stays, and what it names comes to be.
        Found::Nothing if fs::symlink_metadata(path).is_ok() => return whole(&File::create(path)?),
        Found::Nothing => (path.to_owned(), None),
        Found::Regular(place, old) => (place, Some(old)),
    };
    let mut new = match beside(&place) {
        Ok(new) => new,
        // The folder takes no new file, but the old one can be written.
        Err(_) if old.is_some() => return whole(&File::create(&place)?),
        Err(error) => return Err(error.into()),
    };
    whole(new.as_file())?;
    let Some(old) = old else {
        new.persist(&place)?;
        return Ok(());
    };
    if old.nlink() == 1 && keep(new.as_file(), &old).is_ok() {
        match new.persist(&place) {
            Ok(_) => return Ok(()),
            // A file that is mounted, as in a container, cannot be replaced.
            Err(error) => new = error.file,
        }
    }
    new.rewind()?;
    io::copy(&mut new, &mut File::create(&place)?)?;
    Ok(())
}

/// A new file in the same folder, which is removed unless it takes its place.
fn beside(place: &Path) -> io::Result<NamedTempFile> {
    let mut name = std::ffi::OsString::from(".");
    name.push(place.file_name().unwrap_or_default());
    // A name may have 255 bytes; a long one is no part of the new file's.
    let prefix = if name.len() < 200 { name } else { ".dump".into() };
    let new = Permissions::from_mode(NEW);
    Builder::new().prefix(&prefix).suffix(".part").permissions(new).tempfile_in(folder(place))
}

/// Gives a file the mode and the owner of the one that it replaces.
fn keep(file: &File, old: &Metadata) -> io::Result<()> {
    let now = file.metadata()?;
    if (now.uid(), now.gid()) != (old.uid(), old.gid()) {
        fchown(file, Some(old.uid()), Some(old.gid()))?;
    }
    file.set_permissions(old.permissions())
}

fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}
