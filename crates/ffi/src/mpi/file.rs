//! Files of all ranks: MPI-IO.

use super::communicator::UpcallMpiCommunicator;
use super::failure::MpiFailure;
use std::io::SeekFrom;
use std::sync::{PoisonError, RwLock};
use upcall_mpi::{File, Place};

/// A file is to be read.
pub const UPCALL_MPI_FILE_READ: u32 = 1;
/// A file is to be written.
pub const UPCALL_MPI_FILE_WRITE: u32 = 2;
/// A file is to be written, and all pointers are at its end at first.
pub const UPCALL_MPI_FILE_APPEND: u32 = 4;
/// A file is made where there is none.
pub const UPCALL_MPI_FILE_CREATE: u32 = 8;
/// A file is made, and must not be there.
pub const UPCALL_MPI_FILE_CREATE_NEW: u32 = 16;
/// What is in a file is thrown away.
pub const UPCALL_MPI_FILE_TRUNCATE: u32 = 32;
/// A file is deleted when it is closed.
pub const UPCALL_MPI_FILE_DELETE_ON_CLOSE: u32 = 64;

/// Where in a file bytes are read or written, and by whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, upcall::Enum)]
#[repr(u32)]
pub enum UpcallMpiPlace {
    /// At an offset, in elements of the view.
    At,
    /// At an offset of each rank's own, all ranks together.
    AtAll,
    /// From this rank's pointer on, which moves behind them.
    Pointer,
    /// The same, all ranks together.
    PointerAll,
    /// From the pointer on that all ranks have, in no order.
    Shared,
    /// The same, all ranks together and in their order.
    Ordered,
}

/// From where a pointer is moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, upcall::Enum)]
#[repr(u32)]
pub enum UpcallMpiSeek {
    /// The start of the view.
    Start,
    /// Where it is.
    Current,
    /// The file's end.
    End,
}

impl UpcallMpiPlace {
    fn at(self, offset: u64) -> Place {
        match self {
            UpcallMpiPlace::At => Place::At(offset),
            UpcallMpiPlace::AtAll => Place::AtAll(offset),
            UpcallMpiPlace::Pointer => Place::Pointer,
            UpcallMpiPlace::PointerAll => Place::PointerAll,
            UpcallMpiPlace::Shared => Place::Shared,
            UpcallMpiPlace::Ordered => Place::Ordered,
        }
    }
}

/// A file that the ranks of a communicator have opened together. Offsets count the elements of the view, which are bytes until a
/// view says otherwise. `close` closes it, with all ranks together: one that is released before stays open until MPI is
/// finalized, which closes it. Any thread may call that may call MPI; closing and views wait for calls of others.
pub struct UpcallMpiFile {
    /// None when it was closed.
    file: RwLock<Option<File>>,
    path: String,
}

impl UpcallMpiFile {
    /// Does something with the file, if it is open.
    pub(super) fn with<T>(
        &self,
        call: impl FnOnce(&File) -> Result<T, upcall_mpi::Error>,
    ) -> Result<T, MpiFailure> {
        let file = self.file.read().unwrap_or_else(PoisonError::into_inner);
        Ok(call(file.as_ref().ok_or_else(|| self.closed())?)?)
    }

    /// The same alone.
    pub(super) fn alone<T>(
        &self,
        call: impl FnOnce(&mut File) -> Result<T, upcall_mpi::Error>,
    ) -> Result<T, MpiFailure> {
        let mut file = self.file.write().unwrap_or_else(PoisonError::into_inner);
        Ok(call(file.as_mut().ok_or_else(|| self.closed())?)?)
    }

    #[cold]
    fn closed(&self) -> MpiFailure {
        MpiFailure::usage(format!("use the file {}: it has been closed; open it again", self.path))
    }
}

impl Drop for UpcallMpiFile {
    fn drop(&mut self) {
        // All ranks close it together, and nobody knows when a finaliser runs: MPI's end closes what is left.
        std::mem::forget(self.file.get_mut().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// The pairs of lines of `name=value`.
fn pairs<'a>(hints: &'a str, path: &str) -> Result<Vec<(&'a str, &'a str)>, MpiFailure> {
    let pair = |line: &'a str| {
        line.split_once('=')
            .ok_or_else(|| MpiFailure::usage(format!("open {path}: its hint `{line}` is no `name=value`")))
    };
    hints.lines().map(pair).collect()
}

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// Opens a file. `how` is the sum of `UPCALL_MPI_FILE_READ` and its like; hints are lines of `name=value`, as MPI's manual has
    /// them, of which it ignores what it does not know. Collective: all ranks say the same.
    pub fn file_open(&self, path: &str, how: u32, hints: &str) -> Result<UpcallMpiFile, MpiFailure> {
        let said = |flag: u32| how & flag != 0;
        let mut options = File::options()
            .read(said(UPCALL_MPI_FILE_READ))
            .write(said(UPCALL_MPI_FILE_WRITE))
            .append(said(UPCALL_MPI_FILE_APPEND))
            .create(said(UPCALL_MPI_FILE_CREATE))
            .create_new(said(UPCALL_MPI_FILE_CREATE_NEW))
            .truncate(said(UPCALL_MPI_FILE_TRUNCATE))
            .delete_on_close(said(UPCALL_MPI_FILE_DELETE_ON_CLOSE));
        for (name, value) in pairs(hints, path)? {
            options = options.hint(name, value);
        }
        let file = options.open(self.get()?, path)?;
        Ok(UpcallMpiFile { file: RwLock::new(Some(file)), path: path.to_owned() })
    }

    /// Deletes a file: one rank does that, when none has it open.
    pub fn file_delete(&self, path: &str) -> Result<(), MpiFailure> {
        Ok(File::delete(self.get()?, path)?)
    }
}

#[upcall::export]
impl UpcallMpiFile {
    /// Closes it, when all that was begun has ended, and says whether that went well. Collective. A second call does nothing.
    pub fn close(&self) -> Result<(), MpiFailure> {
        let mut place = self.file.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = &*place {
            file.may_close()?;
        }
        let file = place.take();
        drop(place);
        Ok(file.map_or(Ok(()), File::close)?)
    }

    /// Its bytes.
    pub fn size(&self) -> Result<u64, MpiFailure> {
        self.with(File::size)
    }

    /// Makes it as large: what is behind is cut off, what is new is zero. Collective.
    pub fn set_size(&self, bytes: u64) -> Result<(), MpiFailure> {
        self.with(|file| file.set_size(bytes))
    }

    /// Takes room for so many bytes, so that writing them does not find the disk full; a larger file stays as it is. Collective.
    pub fn preallocate(&self, bytes: u64) -> Result<(), MpiFailure> {
        self.with(|file| file.preallocate(bytes))
    }

    /// Brings what was written to the disk, and what others have brought there to this rank's eyes. Collective.
    pub fn sync(&self) -> Result<(), MpiFailure> {
        self.with(File::sync)
    }

    /// Whether each read and write is done at once, as others see it, without `sync`. Off at first. Collective.
    pub fn set_atomic(&self, atomic: bool) -> Result<(), MpiFailure> {
        self.with(|file| file.set_atomic(atomic))
    }

    /// Whether it is.
    pub fn is_atomic(&self) -> Result<bool, MpiFailure> {
        self.with(File::is_atomic)
    }

    /// The hints in use, as lines of `name=value`.
    pub fn hints(&self) -> Result<String, MpiFailure> {
        let hints = self.with(File::hints)?;
        Ok(hints.into_iter().map(|(name, value)| format!("{name}={value}\n")).collect())
    }

    /// Moves this rank's pointer, or the one that all ranks have, which they do together: where it is then, in elements of the
    /// view.
    pub fn seek(&self, offset: i64, from: UpcallMpiSeek, shared: bool) -> Result<u64, MpiFailure> {
        let to = match from {
            // A negative one is before the start, which no file has.
            UpcallMpiSeek::Start => SeekFrom::Start(u64::try_from(offset).unwrap_or(u64::MAX)),
            UpcallMpiSeek::Current => SeekFrom::Current(offset),
            UpcallMpiSeek::End => SeekFrom::End(offset),
        };
        self.with(|file| if shared { file.seek_shared(to) } else { file.seek(to) })
    }

    /// Where this rank's pointer is, or the one that all ranks have, in elements of the view.
    pub fn position(&self, shared: bool) -> Result<u64, MpiFailure> {
        self.with(|file| if shared { file.position_shared() } else { file.position() })
    }

    /// Reads bytes of elements of so many each: how many bytes there were before the file's end, which may be none. `offset` is
    /// for places that have one.
    pub fn read(
        &self,
        into: &mut [u8],
        element: usize,
        place: UpcallMpiPlace,
        offset: u64,
    ) -> Result<u64, MpiFailure> {
        self.with(|file| Ok(file.read_bytes(into, element, place.at(offset))? as u64))
    }

    /// Writes bytes, all of them.
    pub fn write(&self, data: &[u8], place: UpcallMpiPlace, offset: u64) -> Result<(), MpiFailure> {
        self.with(|file| file.write_bytes(data, place.at(offset)))
    }
}
