use crate::error::Error;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Writes a file beside the one at `path`, and puts it in its place once it is whole: whoever has the old one
/// open or mapped keeps it as it was, and nobody ever finds half a file. Where the system can, it has no name until
/// then, so that nothing is left of it even if the process is killed; if that happens in the moment between its getting a name and taking
/// the other's place, whoever writes there next finds it, and [`settle`] does.
pub fn replace<E: From<Error>>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), E>,
) -> Result<(), E> {
    let failed = |source| Error::io(format!("cannot write columns to {}", path.display()), source);
    let finish = |file: io::Result<File>| -> Result<File, E> {
        let mut out = BufWriter::new(file.map_err(failed)?);
        write(&mut out)?;
        Ok(out.into_inner().map_err(|error| failed(error.into_error()))?)
    };
    // A link stays: the file that it points to is replaced.
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(&place).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        // A device or a pipe cannot be replaced.
        return finish(File::create(&place)).map(drop);
    }
    let folder = place.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let beside = Beside::new(folder).map_err(failed)?;
    let file = finish(beside.file().try_clone())?;
    let kept = old.map_or(Ok(()), |old| file.set_permissions(old.permissions()));
    kept.and_then(|()| file.sync_all()).and_then(|()| beside.put(folder, &place)).map_err(failed)?;
    Ok(())
}

/// Puts a file in its place that a process had written which was killed in the moment before it could: whoever writes to the same path
/// does so, and whoever wants nothing to be left beside it may. Where there is no file at the path any more, it is removed.
///
/// # Errors
/// It is there, and cannot be moved.
pub fn settle(path: impl AsRef<Path>) -> io::Result<()> {
    let place = fs::canonicalize(&path).unwrap_or_else(|_| path.as_ref().to_owned());
    let Some(between) = between(&place) else { return Ok(()) };
    let settled = if place.exists() { fs::rename(&between, &place) } else { fs::remove_file(&between) };
    settled.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

/// The name that a file has between having none and taking the place of another: always the same, so that it can be found.
fn between(place: &Path) -> Option<PathBuf> {
    let name = place.file_name()?;
    let mut between = OsString::from(".");
    between.push(name);
    between.push(".replacing");
    // More no file's name has.
    (between.len() <= 255).then(|| place.with_file_name(between))
}

/// A new file in a folder, which is gone unless it is put somewhere.
enum Beside {
    #[cfg(target_os = "linux")]
    Nameless(File),
    Named(NamedTempFile),
}

impl Beside {
    fn new(folder: &Path) -> io::Result<Beside> {
        #[cfg(target_os = "linux")]
        if let Some(file) = nameless::new(folder) {
            return Ok(Beside::Nameless(file));
        }
        names().tempfile_in(folder).map(Beside::Named)
    }

    fn file(&self) -> &File {
        match self {
            #[cfg(target_os = "linux")]
            Beside::Nameless(file) => file,
            Beside::Named(file) => file.as_file(),
        }
    }

    fn put(self, folder: &Path, place: &Path) -> io::Result<()> {
        match self {
            #[cfg(target_os = "linux")]
            Beside::Nameless(file) => nameless::put(&file, folder, place),
            Beside::Named(file) => file.persist(place).map(drop).map_err(|error| error.error),
        }
    }
}

fn names<'a>() -> Builder<'a, 'static> {
    let mut builder = Builder::new();
    #[cfg(unix)]
    {
        // What any new file has, before the user's mask.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.suffix(".part");
    builder
}

#[cfg(target_os = "linux")]
mod nameless {
    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};
    use std::fs::{self, File};
    use std::io;
    use std::os::fd::AsRawFd;
    use std::path::Path;

    /// Where open files have names, by which one that has none gets one.
    const OPEN: &str = "/proc/self/fd";

    /// A file without a name, if the file system has such.
    pub(super) fn new(folder: &Path) -> Option<File> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(0o666);
        Path::new(OPEN).exists().then(|| open(folder, flags, mode).ok().map(File::from)).flatten()
    }

    /// Puts it in a place.
    pub(super) fn put(file: &File, folder: &Path, place: &Path) -> io::Result<()> {
        if link(file, place).is_ok() {
            // Nothing was there.
            return Ok(());
        }
        // Only a file that has a name can take another's place.
        if let Some(between) = super::between(place)
            && super::settle(place).is_ok()
            && link(file, &between).is_ok()
        {
            return match fs::rename(&between, place) {
                // Somebody else who writes here has settled it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                Err(error) => {
                    let _ = fs::remove_file(&between);
                    Err(error)
                }
                Ok(()) => Ok(()),
            };
        }
        let named = super::names().make_in(folder, |name| link(file, name))?;
        named.persist(place).map(drop).map_err(|error| error.error)
    }

    /// Gives it a name.
    fn link(file: &File, name: &Path) -> io::Result<()> {
        Ok(linkat(CWD, format!("{OPEN}/{}", file.as_raw_fd()), CWD, name, AtFlags::SYMLINK_FOLLOW)?)
    }
}
