//! Files that all ranks read and write: MPI-IO.

mod access;
mod lent;
mod options;
mod reserve;
mod start;
mod view;

pub use access::Place;
pub use lent::LentTransfer;
pub use options::FileOptions;
pub use start::FileTransfer;
pub use view::View;

use crate::communicator::Communicator;
use crate::ending::Unended;
use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::shim::{Handle, Table};
use start::Worker;
use std::ffi::{CStr, CString, c_char, c_int};
use std::fmt;
use std::io::SeekFrom;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A file that the ranks of a communicator have opened together.
///
/// Elements are written as they lie in memory, the padding of structs zeroed. Offsets count the elements of the *view*, which are
/// bytes until [`view`](File::view) or one of its kin says otherwise; a rank's view may be a part of the file, and differ from
/// the others'. There is a pointer for each rank ([`read`](File::read)) and one that all ranks have
/// ([`read_shared`](File::read_shared)), for views without gaps; [`read_at`](File::read_at) needs none.
///
/// A read returns as many elements as there are before the file's end, which may be none. A write that is not done in full is an
/// error. What one rank writes is seen by another when both have called [`sync`](File::sync), the first after writing and the
/// other before reading, or when the file is [atomic](File::set_atomic).
///
/// What is called on one file by all ranks together (opening, closing, views, and what says so) is called by all in one order.
/// Closing is such a call, and so is dropping it, before MPI is finalized.
///
/// ```no_run
/// # use upcall_mpi::{Environment, File, Threads};
/// # let mpi = Environment::start(Threads::Funneled)?;
/// let world = mpi.world();
/// let mut file = File::options().read(true).write(true).create(true).open(world, "numbers")?;
/// // Rank 0 has the first 100, rank 1 the next, and so on, round and round.
/// file.view_blocks::<f64>(0, 100)?;
/// file.write_at_all(&[world.rank() as f64; 1000], 0)?;
/// file.close()?;
/// # Ok::<_, upcall_mpi::Error>(())
/// ```
pub struct File {
    raw: Raw,
    comm: Communicator,
    readable: bool,
    writable: bool,
    /// The bytes of one of the view's elements.
    unit: usize,
    /// Whether the view of some rank has gaps.
    gaps: bool,
    worker: Worker,
}

/// What is called about a file, from whichever thread.
#[derive(Clone)]
struct Raw {
    library: &'static Library,
    handle: Handle,
    path: PathBuf,
}

impl Raw {
    fn what(&self, what: &str) -> String {
        format!("{what} {}", self.path.display())
    }

    fn call(&self, call: impl FnOnce(&Table, Handle) -> c_int, what: &str) -> Result<(), Error> {
        let called = self.library.call(|table| call(table, self.handle), || self.what(what));
        // MPICH 4.0.2 says what it is in words only.
        called.map_err(|error| match error.kind() {
            ErrorKind::Io if error.to_string().contains("No space left on device") => {
                Error::new(ErrorKind::NoSpace, error.to_string())
            }
            _ => error,
        })
    }

    fn size(&self) -> Result<u64, Error> {
        let mut bytes = 0;
        // SAFETY: a file of this MPI's, here and below.
        self.call(|table, file| unsafe { (table.file_size)(file, &mut bytes) }, "ask for the size of")?;
        Ok(u64::try_from(bytes).unwrap_or(0))
    }

    /// Where an element of the view is, in bytes.
    fn place_of(&self, element: u64) -> Result<u64, Error> {
        let Ok(element) = i64::try_from(element) else { return Ok(u64::MAX) };
        let mut bytes = 0;
        let what = "find a place in";
        // SAFETY: as above.
        self.call(|table, file| unsafe { (table.file_place)(file, element, &mut bytes) }, what)?;
        Ok(u64::try_from(bytes).unwrap_or(u64::MAX))
    }
}

/// A path as MPI takes it. What stands before a colon is a file system to MPICH, which knows no others than its own: `ufs` is any
/// of Unix's.
fn c_path(library: &Library, path: &Path, what: impl FnOnce() -> String) -> Result<CString, Error> {
    let path = path.as_os_str().as_bytes();
    let named = path.contains(&b':') && !library.name().starts_with("Open MPI");
    CString::new([if named { b"ufs:" } else { &b""[..] }, path].concat())
        .map_err(|_| Error::new(ErrorKind::Usage, format!("{}: its path has a zero in it", what())))
}

impl File {
    /// Opens a file to read. Collective.
    ///
    /// # Errors
    /// As [`FileOptions::open`].
    pub fn open(comm: &Communicator, path: impl AsRef<Path>) -> Result<File, Error> {
        File::options().read(true).open(comm, path)
    }

    /// Opens a file to write, without what may be in it. Collective.
    ///
    /// # Errors
    /// As [`FileOptions::open`].
    pub fn create(comm: &Communicator, path: impl AsRef<Path>) -> Result<File, Error> {
        File::options().write(true).create(true).truncate(true).open(comm, path)
    }

    /// How to open a file.
    pub fn options() -> FileOptions {
        FileOptions::default()
    }

    /// Deletes a file: one rank does that, when none has it open.
    ///
    /// # Errors
    /// There is none ([`ErrorKind::NotFound`]), or it may not be deleted.
    pub fn delete(comm: &Communicator, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let what = || format!("delete {}", path.display());
        let c_path = c_path(comm.library, path, what)?;
        let deleted = comm.library.call(
            // SAFETY: a text that ends with 0.
            |table| unsafe { (table.file_delete)(c_path.as_ptr()) },
            what,
        );
        deleted.map_err(|error| options::explained(error, path, None))
    }

    /// Its path, as it was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.raw.path
    }

    fn what(&self, what: &str) -> String {
        self.raw.what(what)
    }

    /// Calls it about this file.
    fn call(&self, call: impl FnOnce(&Table, Handle) -> c_int, what: &str) -> Result<(), Error> {
        self.raw.call(call, what)
    }

    /// Its bytes.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn size(&self) -> Result<u64, Error> {
        self.raw.size()
    }

    /// Makes it as large: what is behind is cut off, what is new is zero. Collective.
    ///
    /// # Errors
    /// It was not opened to be written, there is no room, or MPI refuses.
    pub fn set_size(&self, bytes: u64) -> Result<(), Error> {
        let what = "set the size of";
        let to = self.writable_to(bytes, what)?;
        // SAFETY: as above.
        self.call(|table, file| unsafe { (table.file_resize)(file, to) }, what)
    }

    /// So many bytes as a file may have, where it may be written.
    fn writable_to(&self, bytes: u64, what: &str) -> Result<i64, Error> {
        self.may(false, what)?;
        i64::try_from(bytes).map_err(|_| {
            Error::new(ErrorKind::Count, format!("{}: a file has no {bytes} bytes", self.what(what)))
        })
    }

    /// Brings what was written to the disk, and what others have brought there to this rank's eyes. Collective.
    ///
    /// # Errors
    /// The disk is full, or MPI refuses.
    pub fn sync(&self) -> Result<(), Error> {
        // SAFETY: as above.
        self.call(|table, file| unsafe { (table.file_sync)(file) }, "sync")
    }

    /// Whether each read and write is done at once, as others see it, without [`sync`](File::sync). Collective. Off at first.
    ///
    /// # Errors
    /// MPI, or the file system, does not have it.
    pub fn set_atomic(&self, atomic: bool) -> Result<(), Error> {
        let what = "set the atomicity of";
        // SAFETY: as above.
        self.call(|table, file| unsafe { (table.file_set_atomic)(file, c_int::from(atomic)) }, what)
    }

    /// Whether it is.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn is_atomic(&self) -> Result<bool, Error> {
        let mut atomic = 0;
        let what = "ask for the atomicity of";
        // SAFETY: as above.
        self.call(|table, file| unsafe { (table.file_atomic)(file, &mut atomic) }, what)?;
        Ok(atomic != 0)
    }

    /// The hints in use, by name: what MPI has made of those that it was opened with, and its own.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn hints(&self) -> Result<Vec<(String, String)>, Error> {
        let (mut hints, mut name, mut value) = (Vec::new(), [0 as c_char; 256], [0 as c_char; 1024]);
        loop {
            let mut found = 0;
            let (which, room) = (hints.len() as c_int, value.len() as c_int);
            let (to_name, to_value) = (name.as_mut_ptr(), value.as_mut_ptr());
            self.call(
                // SAFETY: as above; there is as much room as the header says.
                |table, file| unsafe { (table.file_hint)(file, which, to_name, to_value, room, &mut found) },
                "ask for the hints of",
            )?;
            if found == 0 {
                return Ok(hints);
            }
            // SAFETY: MPI has written texts that end with 0.
            let text =
                |text: &[c_char]| unsafe { CStr::from_ptr(text.as_ptr()) }.to_string_lossy().into_owned();
            hints.push((text(&name), text(&value)));
        }
    }

    /// Moves this rank's pointer: where it is then, in elements of the view. From its end, a view has no half elements.
    ///
    /// # Errors
    /// It would be before the start, or MPI refuses.
    pub fn seek(&self, to: SeekFrom) -> Result<u64, Error> {
        self.sought(to, false)?;
        self.position()
    }

    /// Moves the pointer that all ranks have. Collective.
    ///
    /// # Errors
    /// As [`seek`](File::seek).
    pub fn seek_shared(&self, to: SeekFrom) -> Result<u64, Error> {
        self.sought(to, true)?;
        // Whoever reads or writes next would move it, before others have looked.
        let position = self.position_shared();
        self.comm.barrier()?;
        position
    }

    fn sought(&self, to: SeekFrom, shared: bool) -> Result<(), Error> {
        let what = "seek in";
        let (offset, from) = match to {
            SeekFrom::Start(offset) => (i64::try_from(offset).unwrap_or(-1), 0),
            SeekFrom::Current(offset) => (offset, 1),
            SeekFrom::End(offset) if shared => (offset, 2),
            SeekFrom::End(offset) => {
                (i64::try_from(self.end()?).unwrap_or(i64::MAX).saturating_add(offset), 0)
            }
        };
        if from == 0 && offset < 0 {
            return Err(Error::new(ErrorKind::Range, format!("{}: no file is as large", self.what(what))));
        }
        // SAFETY: as above.
        self.call(|table, file| unsafe { (table.file_seek)(file, offset, from, c_int::from(shared)) }, what)
    }

    /// How many whole elements of the view there are. Open MPI 4.1.4's `MPI_SEEK_END` is one element from the start where these are
    /// of several bytes.
    fn end(&self) -> Result<u64, Error> {
        let (bytes, unit) = (self.raw.size()?, self.unit as u64);
        // Places only grow, by one byte an element at least.
        let (mut first, mut last) = (0, bytes);
        while first < last {
            let middle = first + (last - first) / 2;
            if self.raw.place_of(middle)?.saturating_add(unit) > bytes {
                last = middle;
            } else {
                first = middle + 1;
            }
        }
        Ok(first)
    }

    /// Where this rank's pointer is, in elements of the view.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn position(&self) -> Result<u64, Error> {
        self.where_is(false)
    }

    /// Where the pointer is that all ranks have, in elements of the view.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn position_shared(&self) -> Result<u64, Error> {
        self.where_is(true)
    }

    fn where_is(&self, shared: bool) -> Result<u64, Error> {
        let mut offset = 0;
        let what = "ask for the pointer of";
        self.call(
            // SAFETY: as above.
            |table, file| unsafe { (table.file_position)(file, c_int::from(shared), &mut offset) },
            what,
        )?;
        Ok(u64::try_from(offset).unwrap_or(0))
    }

    /// Closes it, as dropping does, and says whether that went well. Collective. What was begun on it is waited for.
    ///
    /// # Errors
    /// The disk is full, or MPI refuses.
    pub fn close(mut self) -> Result<(), Error> {
        // Dropping it finds it closed.
        self.closed()
    }

    /// Whether this thread may close it: where it may not, it stays as it is.
    ///
    /// # Errors
    /// It may not.
    #[doc(hidden)]
    pub fn may_close(&self) -> Result<(), Error> {
        self.call(|_, _| 0, "close")
    }

    fn closed(&mut self) -> Result<(), Error> {
        self.worker.end();
        let left = Unended::File(self.raw.handle);
        self.call(|table, _| if left.taken() { left.end(table) } else { 0 }, "close")
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // The others would wait for this rank, or this one for them: the job is about to be ended.
        if !std::thread::panicking() {
            // Nobody could be told.
            let _ = self.closed();
        }
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File").field("path", &self.raw.path).field("comm", &self.comm).finish_non_exhaustive()
    }
}
