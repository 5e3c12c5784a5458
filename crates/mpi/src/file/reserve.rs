//! Room on the disk, taken before it is written.
//!
//! Not by `MPI_File_preallocate`: Open MPI 4.1.4's writes through the view, whose elements it overwrites and whose end it leaves
//! behind the file's, and a rank that asks for the size when rank 0 has begun leaves the others alone in a broadcast.

use super::File;
use crate::error::{Error, ErrorKind};
use std::fs::OpenOptions;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;

impl File {
    /// Takes room for so many bytes, so that writing them does not find the disk full; a larger file stays as it is, and what is
    /// new is zero. Rank 0 does that, by the path with which it was opened. Collective.
    ///
    /// # Errors
    /// It was not opened to be written, there is no room ([`ErrorKind::NoSpace`]) or no such file any more, the ranks want
    /// different sizes, or MPI refuses: on all ranks.
    pub fn preallocate(&self, bytes: u64) -> Result<(), Error> {
        let what = "take room for";
        let to = self.writable_to(bytes, what)?;
        // So many bytes, and the system's number of what has failed.
        let mut outcome = [bytes, 0];
        if self.comm.rank() == 0 {
            outcome[1] = reserve(&self.raw.path, to).err().map_or(0, number_of);
        }
        self.comm.broadcast(&mut outcome, 0)?;
        let refused = |kind, why: &str| Err(Error::new(kind, format!("{}: {why}", self.what(what))));
        let [of_rank_0, failed] = outcome;
        if self.comm.all_gather(&[bytes])?.iter().any(|bytes| *bytes != of_rank_0) {
            return refused(ErrorKind::Usage, "the ranks want different sizes");
        }
        if failed == 0 {
            return Ok(());
        }
        let error = io::Error::from_raw_os_error(i32::try_from(failed).unwrap_or(libc::EIO));
        let kind = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                ErrorKind::NoSpace
            }
            io::ErrorKind::NotFound => ErrorKind::NotFound,
            io::ErrorKind::PermissionDenied => ErrorKind::Access,
            _ => ErrorKind::Io,
        };
        refused(kind, &format!("{bytes} bytes: {error}"))
    }
}

fn number_of(error: io::Error) -> u64 {
    u64::from(error.raw_os_error().unwrap_or(libc::EIO).unsigned_abs())
}

fn reserve(path: &Path, bytes: i64) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    if bytes == 0 {
        return Ok(());
    }
    // SAFETY: a file that is open for the call. It writes zeros where the file system has no such thing.
    match unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, bytes) } {
        0 => Ok(()),
        number => Err(io::Error::from_raw_os_error(number)),
    }
}
