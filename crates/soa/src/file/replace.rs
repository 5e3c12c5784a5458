use crate::error::Error;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::Path;
use tempfile::{Builder, NamedTempFile};

/// Writes a file beside the one at `path`, and puts it in its place once it is whole: whoever has the old one
/// open or mapped keeps it as it was, and nobody ever finds half a file.
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
    let mut beside = beside(&place).map_err(failed)?;
    finish(beside.as_file_mut().try_clone())?;
    let file = beside.as_file();
    let kept = old.map_or(Ok(()), |old| file.set_permissions(old.permissions()));
    kept.and_then(|()| file.sync_all()).map_err(failed)?;
    beside.persist(&place).map_err(|error| failed(error.error))?;
    Ok(())
}

/// A new file in the same folder, which is removed unless it takes its place.
fn beside(place: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    #[cfg(unix)]
    {
        // What any new file has, before the user's mask.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let folder = place.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    builder.suffix(".part").tempfile_in(folder)
}
