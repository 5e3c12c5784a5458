//! Files without a name, which are gone when they are closed, however the process ends.

use crate::error::{Error, ErrorKind};
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(crate) struct Temporary {
    file: File,
    folder: PathBuf,
    length: u64,
}

impl Temporary {
    pub(crate) fn new(folder: &Path) -> Result<Temporary, Error> {
        let file = tempfile::tempfile_in(folder).map_err(|error| failed("make", folder, &error))?;
        Ok(Temporary { file, folder: folder.to_owned(), length: 0 })
    }

    /// How many bytes there are.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(|error| failed("write", &self.folder, &error))?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    pub(crate) fn read(&self, bytes: &mut [u8], at: u64) -> Result<(), Error> {
        self.file.read_exact_at(bytes, at).map_err(|error| failed("read", &self.folder, &error))
    }
}

fn failed(what: &str, folder: &Path, error: &io::Error) -> Error {
    let error = Error::io(&format!("{what} a temporary file in"), folder, error);
    match error.kind() {
        ErrorKind::NoSpace => error.hint("make room there, or name another folder for temporary files"),
        _ => error,
    }
}

/// Bytes that are written one after the other, and then read once: in memory while they are few.
#[derive(Debug)]
pub(crate) struct Spool {
    folder: PathBuf,
    file: Option<Temporary>,
    buffer: Vec<u8>,
}

impl Spool {
    /// How many bytes of it are in memory.
    pub(crate) const BUFFER: usize = 1 << 17;

    pub(crate) fn new(folder: &Path) -> Spool {
        Spool { folder: folder.to_owned(), file: None, buffer: Vec::new() }
    }

    /// Adds bytes, fewer than the buffer has.
    #[inline]
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if self.buffer.len() + bytes.len() > Spool::BUFFER {
            self.flush()?;
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    #[cold]
    fn flush(&mut self) -> Result<(), Error> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(Temporary::new(&self.folder)?),
        };
        file.append(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Gives what was written to `take`, a piece at a time; a piece ends where one that was pushed does.
    pub(crate) fn drain(
        self,
        mut take: impl FnMut(&[u8]) -> Result<(), Error>,
        size: usize,
    ) -> Result<(), Error> {
        let Spool { file, buffer, .. } = self;
        if let Some(file) = file {
            let mut piece = vec![0; Spool::BUFFER / size * size];
            let mut at = 0;
            while at < file.length() {
                let length = (file.length() - at).min(piece.len() as u64) as usize;
                file.read(&mut piece[..length], at)?;
                take(&piece[..length])?;
                at += length as u64;
            }
        }
        take(&buffer)
    }
}
