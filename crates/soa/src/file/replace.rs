use crate::error::Error;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file beside the one at `path`, and puts it in its place once it is whole: who has the old one
/// open or mapped keeps it as it was, and nobody ever finds half a file.
pub fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), Error>,
) -> Result<(), Error> {
    let failed = |source| Error::io(format!("cannot write columns to {}", path.display()), source);
    let finish = |file: io::Result<File>| {
        let mut out = BufWriter::new(file.map_err(failed)?);
        write(&mut out)?;
        out.into_inner().map_err(|error| failed(error.into_error()))
    };
    // A link stays: the file that it leads to is replaced.
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(&place).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        // A device or a pipe cannot be replaced.
        return finish(File::create(&place)).map(drop);
    }
    let (beside, file) = create_beside(&place).map_err(failed)?;
    let written = finish(Ok(file)).and_then(|file| {
        let kept = old.map_or(Ok(()), |old| file.set_permissions(old.permissions()));
        kept.and_then(|()| file.sync_all()).and_then(|()| fs::rename(&beside, &place)).map_err(failed)
    });
    if written.is_err() {
        // What went wrong before is the error to report.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// A file whose name no other call has, nor what a process before left that was killed.
fn create_beside(place: &Path) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut name = OsString::from(place);
        name.push(format!(".{}-{next}.part", process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (name.into(), file)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn what_a_killed_process_left_is_passed_over() {
        let folder = std::env::temp_dir().join(format!("upcall-replace-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let place = folder.join("columns");
        let (here, _) = create_beside(&place).unwrap();
        let here = here.to_str().unwrap().trim_end_matches(".part").rsplit_once('-').unwrap().1;
        let here: u64 = here.parse().unwrap();
        let left: Vec<PathBuf> = (here + 1..here + 4)
            .map(|number| folder.join(format!("columns.{}-{number}.part", process::id())))
            .collect();
        left.iter().for_each(|part| fs::write(part, "half").unwrap());
        let write = |out: &mut BufWriter<File>| {
            out.write_all(b"whole").unwrap();
            Ok(())
        };
        replace(&place, write).unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"whole");
        assert!(left.iter().all(|part| fs::read(part).unwrap() == b"half"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
