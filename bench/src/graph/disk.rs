//! The disk below the page cache, which is dropped so that a file is read from there.

use anyhow::{Context, Result, ensure};
use std::fs::{self, File};
use std::io::Read;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::command;

const DROP: &str = "/proc/sys/vm/drop_caches";

/// Whether this process may drop the page cache.
#[must_use]
pub fn can_drop() -> bool {
    File::options().write(true).open(DROP).is_ok()
}

/// Drops the page cache, and looks whether a file has left it.
///
/// # Errors
/// It may not be dropped, or some of the file stays: somebody has it mapped.
pub fn drop_cache(path: &Path) -> Result<()> {
    command::run(&mut Command::new("sync"))?;
    fs::write(DROP, "3").with_context(|| format!("dropping the page cache by {DROP}"))?;
    let (cached, pages) = cached(path)?;
    ensure!(
        cached * 100 <= pages,
        "dropping the page cache: {cached} of {pages} pages of {} are still in it",
        path.display()
    );
    Ok(())
}

/// How long it takes to read a file from front to back, 8 MiB at a time.
///
/// # Errors
/// It cannot be read.
pub fn read_through(path: &Path) -> Result<f64> {
    let read = || -> std::io::Result<f64> {
        let mut buffer = vec![0; 8 << 20];
        let began = Instant::now();
        let mut file = File::open(path)?;
        while file.read(&mut buffer)? > 0 {}
        Ok(began.elapsed().as_secs_f64())
    };
    read().with_context(|| format!("reading {}", path.display()))
}

/// How many of a file's pages are in the page cache, and how many there are.
fn cached(path: &Path) -> Result<(usize, usize)> {
    let asked = || format!("asking how much of {} is in memory", path.display());
    let file = File::open(path).with_context(asked)?;
    let length = usize::try_from(file.metadata().with_context(asked)?.len()).with_context(asked)?;
    if length == 0 {
        return Ok((0, 0));
    }
    // SAFETY: it takes a name of a number.
    let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).with_context(asked)?;
    let mut pages = vec![0u8; length.div_ceil(page)];
    // SAFETY: a new mapping, which nobody reads: it is only asked for, over its whole length, with a byte for each page,
    // and goes before this function ends.
    let refused = unsafe {
        let map =
            libc::mmap(std::ptr::null_mut(), length, libc::PROT_READ, libc::MAP_SHARED, file.as_raw_fd(), 0);
        ensure!(map != libc::MAP_FAILED, "mapping {}: {}", path.display(), std::io::Error::last_os_error());
        let refused = libc::mincore(map, length, pages.as_mut_ptr());
        libc::munmap(map, length);
        refused
    };
    ensure!(refused == 0, "{}: {}", asked(), std::io::Error::last_os_error());
    Ok((pages.iter().filter(|page| **page & 1 != 0).count(), pages.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_just_written_is_in_the_cache_and_can_be_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), vec![1; 100_000]).unwrap();
        let (cached, pages) = cached(file.path()).unwrap();
        assert!(pages >= 1 && cached == pages, "{cached} of {pages}");
        assert!(read_through(file.path()).unwrap() > 0.0);
        assert_eq!(super::cached(Path::new("/dev/null")).unwrap(), (0, 0));
    }
}
