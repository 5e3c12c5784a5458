//! How a file is opened.

use super::start::Worker;
use super::{File, Raw, c_path};
use crate::communicator::Communicator;
use crate::ending::Unended;
use crate::error::{Error, ErrorKind};
use std::ffi::{CString, c_char, c_int};
use std::path::Path;

/// How a [`File`] is opened, as the standard library's `OpenOptions`: all ranks say the same.
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is opened before `open` is called"]
pub struct FileOptions {
    read: bool,
    write: bool,
    append: bool,
    create: bool,
    create_new: bool,
    truncate: bool,
    delete_on_close: bool,
    hints: Vec<(String, String)>,
}

impl FileOptions {
    /// It is to be read.
    pub fn read(mut self, read: bool) -> FileOptions {
        self.read = read;
        self
    }

    /// It is to be written.
    pub fn write(mut self, write: bool) -> FileOptions {
        self.write = write;
        self
    }

    /// It is to be written, and all pointers are at its end at first. What is written elsewhere is written there.
    pub fn append(mut self, append: bool) -> FileOptions {
        self.append = append;
        self
    }

    /// It is made where there is none.
    pub fn create(mut self, create: bool) -> FileOptions {
        self.create = create;
        self
    }

    /// It is made, and must not be there ([`ErrorKind::Exists`]).
    pub fn create_new(mut self, create_new: bool) -> FileOptions {
        self.create_new = create_new;
        self
    }

    /// What is in it is thrown away.
    pub fn truncate(mut self, truncate: bool) -> FileOptions {
        self.truncate = truncate;
        self
    }

    /// It is deleted when it is closed.
    pub fn delete_on_close(mut self, delete: bool) -> FileOptions {
        self.delete_on_close = delete;
        self
    }

    /// Tells MPI something that may make it faster, as its manual says: `("striping_factor", "8")`. What it does not know it
    /// ignores.
    pub fn hint(mut self, name: impl Into<String>, value: impl Into<String>) -> FileOptions {
        self.hints.push((name.into(), value.into()));
        self
    }

    /// Opens it. Collective.
    ///
    /// # Errors
    /// There is none ([`ErrorKind::NotFound`]) or one too many ([`ErrorKind::Exists`]), it may not be accessed so
    /// ([`ErrorKind::Access`]), what is said here contradicts itself ([`ErrorKind::Usage`]), or MPI refuses.
    pub fn open(&self, comm: &Communicator, path: impl AsRef<Path>) -> Result<File, Error> {
        let path = path.as_ref();
        let what = || format!("open {}", path.display());
        let wrong = |why: &str| Err(Error::new(ErrorKind::Usage, format!("{}: {why}", what())));
        let writable = self.write || self.append;
        if !self.read && !writable {
            return wrong("say whether it is to be read or written");
        }
        if !writable && (self.create || self.create_new || self.truncate) {
            return wrong("it can be made or emptied only where it is to be written");
        }
        let c_path = c_path(comm.library, path, what)?;
        let mut texts = Vec::new();
        // With it, MPICH 4.0.2 fills what lies between a rank's elements with what is in its memory.
        let sieve = ("romio_ds_write".to_owned(), "disable".to_owned());
        let mut hints = self.hints.clone();
        if hints.iter().all(|(name, _)| *name != sieve.0) {
            hints.push(sieve);
        }
        for text in hints.iter().flat_map(|(name, value)| [name, value]) {
            // MPI's limits, in both.
            match CString::new(text.as_str()) {
                Ok(c_text) if (1..=255).contains(&text.len()) => texts.push(c_text),
                _ => return wrong("its hints have texts of 1 to 255 bytes without a zero"),
            }
        }
        let texts_at: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
        let mode = [
            self.read,
            writable,
            self.create || self.create_new,
            self.create_new,
            self.append,
            self.delete_on_close,
        ];
        let mode = mode.iter().rev().fold(0, |mode, bit| 2 * mode + c_int::from(*bit));
        // Its messages are MPI's about the file, and ours, which must not meet the program's.
        let comm = comm.duplicate()?;
        let mut handle = 0;
        let opened = comm.library.call(
            // SAFETY: texts that end with 0, two for each hint.
            |table| unsafe {
                let texts = texts_at.as_ptr();
                (table.file_open)(
                    comm.handle,
                    c_path.as_ptr(),
                    mode,
                    texts,
                    hints.len() as c_int,
                    &mut handle,
                )
            },
            what,
        );
        opened.map_err(|error| explained(error, path, Some(self)))?;
        Unended::File(handle).made();
        let library = comm.library;
        let raw = Raw { library, handle, path: path.to_owned() };
        let file = File {
            raw,
            comm,
            readable: self.read,
            writable,
            unit: 1,
            gaps: false,
            worker: Worker::default(),
        };
        if self.truncate {
            file.set_size(0)?;
        }
        Ok(file)
    }
}

/// An error about a file that could not be opened or deleted, with what the file system says where MPI does not, and a way out.
pub(super) fn explained(error: Error, path: &Path, options: Option<&FileOptions>) -> Error {
    use std::io::ErrorKind as Io;
    let found = std::fs::metadata(path);
    let kind = match (error.kind(), &found) {
        (ErrorKind::Mpi | ErrorKind::Io | ErrorKind::NotFound, Err(error))
            if error.kind() == Io::NotFound =>
        {
            ErrorKind::NotFound
        }
        (ErrorKind::Mpi | ErrorKind::Io, Err(error)) if error.kind() == Io::PermissionDenied => {
            ErrorKind::Access
        }
        (ErrorKind::Mpi | ErrorKind::Io, Ok(_)) if options.is_some_and(|options| options.create_new) => {
            ErrorKind::Exists
        }
        (kind, _) => kind,
    };
    let creates = options.is_some_and(|options| options.create || options.create_new);
    let way_out = match kind {
        ErrorKind::NotFound if creates => "its folder must be there, on the machine of each rank",
        ErrorKind::NotFound if options.is_some() => {
            "open it with `create` to make it; it must be there on the machine of each rank"
        }
        ErrorKind::Exists => "open it with `create` to take the one that is there",
        ErrorKind::Access => "look at its permissions, and those of its folder",
        _ if found.is_ok_and(|found| found.is_dir()) => "it is a folder",
        _ => return error,
    };
    Error::new(kind, format!("{error}; {way_out}"))
}
