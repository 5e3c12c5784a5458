//! Reading and writing.

use super::{File, Raw};
use crate::datatype::{place, place_mut, zeroed};
use crate::error::{Error, ErrorKind};
use crate::operation::{Max, Sum};
use crate::padding::{clean, may_travel};
use crate::status::Status;
use std::ffi::c_int;
use upcall_abi::Blit;

/// Where elements are in a file, and who calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// At an element of the view, as [`File::read_at`].
    At(u64),
    /// The same, all ranks together, as [`File::read_at_all`].
    AtAll(u64),
    /// From this rank's pointer on, as [`File::read`].
    Pointer,
    /// The same, all ranks together, as [`File::read_all`].
    PointerAll,
    /// From the pointer on that all ranks have, as [`File::read_shared`].
    Shared,
    /// The same, all ranks together and in their order, as [`File::read_ordered`].
    Ordered,
}

impl Place {
    /// As the shim numbers them.
    pub(super) fn number(self) -> c_int {
        match self {
            Place::At(_) => 0,
            Place::AtAll(_) => 1,
            Place::Pointer => 2,
            Place::PointerAll => 3,
            Place::Shared => 4,
            Place::Ordered => 5,
        }
    }

    pub(super) fn offset(self) -> u64 {
        match self {
            Place::At(offset) | Place::AtAll(offset) => offset,
            _ => 0,
        }
    }

    /// Whether all ranks call it together, so that none may stay away.
    fn is_collective(self) -> bool {
        matches!(self, Place::AtAll(_) | Place::PointerAll | Place::Ordered)
    }
}

impl File {
    /// Whether it was opened so: all ranks have, so that all are told.
    pub(super) fn may(&self, read: bool, what: &str) -> Result<(), Error> {
        if if read { self.readable } else { self.writable } {
            return Ok(());
        }
        let word = if read { "read" } else { "write" };
        let message = format!("{}: it was not opened to {word}; open it with `{word}`", self.what(what));
        Err(Error::new(ErrorKind::Access, message))
    }

    /// Whether the ranks' views may share a pointer: all ranks know.
    fn may_share(&self, how: Place, what: &str) -> Result<(), Error> {
        if self.gaps && matches!(how, Place::Shared | Place::Ordered) {
            let message =
                format!("{}: a pointer of all ranks is for one view of all, without gaps", self.what(what));
            return Err(Error::new(ErrorKind::Usage, message));
        }
        Ok(())
    }

    /// The place of so many bytes, if the view has such: an offset as MPI has it.
    pub(super) fn placed(&self, how: Place, bytes: usize, what: &str) -> Result<i64, Error> {
        if !bytes.is_multiple_of(self.unit) {
            let message = format!(
                "{}: {bytes} bytes are no whole number of the view's elements of {}",
                self.what(what),
                self.unit
            );
            return Err(Error::new(ErrorKind::Type, message));
        }
        let count = (bytes / self.unit) as u64;
        let end = how.offset().checked_add(count).and_then(|end| end.checked_mul(self.unit as u64));
        match (i64::try_from(how.offset()), end.and_then(|end| i64::try_from(end).ok())) {
            (Ok(offset), Some(_)) => Ok(offset),
            _ => Err(Error::new(ErrorKind::Range, format!("{}: no file is as large", self.what(what)))),
        }
    }

    /// Reads elements into a slice: how many there were.
    fn reads<T: Blit>(&self, into: &mut [T], how: Place) -> Result<usize, Error> {
        let what = "read from";
        self.may(true, what)?;
        self.may_share(how, what)?;
        let placed = self.placed(how, size_of_val(into), what);
        if placed.is_err() && !how.is_collective() {
            return placed.map(|_| 0);
        }
        // Where the others wait it takes part, with nothing.
        let (into, offset) = match placed {
            Ok(offset) => (into, offset),
            Err(_) => (&mut [][..], 0),
        };
        let most = self.before_end(how, size_of_val(into));
        let read = self.raw.read(into, how, offset);
        placed?;
        self.raw.whole(read?.min(most?), size_of::<T>())
    }

    /// Reads bytes of elements of so many each, whose type is somebody else's affair: how many bytes there were.
    ///
    /// # Errors
    /// As [`read_at`](File::read_at).
    pub fn read_bytes(&self, into: &mut [u8], element: usize, place: Place) -> Result<usize, Error> {
        let bytes = self.reads(into, place)?;
        self.raw.whole(bytes, element)?;
        Ok(bytes)
    }

    /// Writes bytes of elements, whose type is somebody else's affair.
    ///
    /// # Errors
    /// As [`write_at`](File::write_at).
    pub fn write_bytes(&self, data: &[u8], place: Place) -> Result<(), Error> {
        self.writes(data, place)
    }

    fn reads_new<T: Blit>(&self, count: usize, how: Place) -> Result<Vec<T>, Error> {
        let mut into = match zeroed::<T>(count) {
            Ok(room) => room,
            Err(error) if how.is_collective() => {
                // The others wait for it.
                self.reads::<T>(&mut [], how)?;
                return Err(error);
            }
            Err(error) => return Err(error),
        };
        let read = self.reads(&mut into, how)?;
        into.truncate(read);
        Ok(into)
    }

    fn writes<T: Blit>(&self, data: &[T], how: Place) -> Result<(), Error> {
        let what = "write to";
        self.may(false, what)?;
        self.may_share(how, what)?;
        may_travel::<T>()?;
        // Where there is no memory for a copy the others wait, as where a place is wrong.
        let (copy, placed) = match clean(data) {
            Ok(copy) => (copy, self.placed(how, size_of_val(data), what)),
            Err(error) => (None, Err(error)),
        };
        let data = copy.as_deref().unwrap_or(data);
        if placed.is_err() && !how.is_collective() {
            return placed.map(drop);
        }
        let (data, offset) = match placed {
            Ok(offset) => (data, offset),
            Err(_) => (&[][..], 0),
        };
        if !how.is_collective() {
            return self.raw.write(data, how, offset);
        }
        let end = self.end_of(how, size_of_val(data));
        self.filled(end.as_ref().map_or(0, |end| *end))?;
        let written = self.raw.write(data, how, offset);
        let failed = self.comm.all_reduce(&[u64::from(written.is_err())], Sum)?[0];
        placed?;
        written?;
        // Open MPI 4.1.4 keeps it to itself where such a write fails.
        if failed > 0 || self.size()? < end? {
            let message = format!(
                "{}: it does not have all that was written by {} ranks together; is the disk full, or a limit on files reached?",
                self.what(what),
                self.comm.size()
            );
            return Err(Error::new(ErrorKind::NoSpace, message));
        }
        Ok(())
    }

    /// Fills a file up to where all ranks write with zeroes, where the views have gaps: MPICH 4.0.2 leaves there what is in its
    /// memory.
    fn filled(&self, end: u64) -> Result<(), Error> {
        if !self.gaps || self.raw.library.name().starts_with("Open MPI") {
            return Ok(());
        }
        let end = self.comm.all_reduce(&[[self.size().unwrap_or(0), end]], Max)?[0];
        if end[1] > end[0] { self.set_size(end[1]) } else { Ok(()) }
    }

    /// Where in the file so many bytes end.
    fn end_of(&self, how: Place, bytes: usize) -> Result<u64, Error> {
        let first = self.first(how, bytes)?;
        match (bytes / self.unit) as u64 {
            0 => Ok(0),
            count => Ok(self.raw.place_of(first + count - 1)?.saturating_add(self.unit as u64)),
        }
    }

    /// The element of the view where so many bytes begin.
    fn first(&self, how: Place, bytes: usize) -> Result<u64, Error> {
        match how {
            Place::At(offset) | Place::AtAll(offset) => Ok(offset),
            Place::Pointer | Place::PointerAll => self.position(),
            Place::Shared | Place::Ordered => {
                let at = self.position_shared();
                // All have looked when it has ended.
                let before = self.comm.exclusive_scan(&[(bytes / self.unit) as u64], Sum)?;
                self.comm.barrier()?;
                at.map(|at| at + before.map_or(0, |before| before[0]))
            }
        }
    }

    /// Place many bytes of a view there are before the file's end, where MPI's word for that is not to be trusted: of what all
    /// ranks read together, and of a view with gaps, MPICH 4.0.2 says that all was read.
    pub(super) fn before_end(&self, how: Place, bytes: usize) -> Result<usize, Error> {
        if !how.is_collective() && !self.gaps {
            return Ok(usize::MAX);
        }
        let first = self.first(how, bytes)?;
        self.raw.before_end(first, bytes, self.unit)
    }
}

impl Raw {
    /// Place many of so many bytes, from an element of the view on, there are before the file's end.
    pub(super) fn before_end(&self, first: u64, bytes: usize, unit: usize) -> Result<usize, Error> {
        let (size, count) = (self.size()?, (bytes / unit) as u64);
        let fits = |count: u64| match count.checked_sub(1) {
            Some(last) => {
                let end = self.place_of(first.saturating_add(last))?.checked_add(unit as u64);
                Ok(end.is_some_and(|end| end <= size))
            }
            None => Ok::<bool, Error>(true),
        };
        if fits(count)? {
            return Ok(bytes);
        }
        // So many fit, and so many do not.
        let (mut low, mut high) = (0, count);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if fits(middle)? { low = middle } else { high = middle }
        }
        Ok(low as usize * unit)
    }

    /// Reads elements: how many bytes there were.
    pub(super) fn read<T: Blit>(&self, into: &mut [T], how: Place, offset: i64) -> Result<usize, Error> {
        let (bytes, mut status) = (size_of_val(into) as i64, Status::EMPTY);
        self.call(
            // SAFETY: a file of this MPI's, and so many bytes of elements, which may be any.
            |table, file| unsafe {
                (table.file_read)(file, how.number(), offset, place_mut(into), bytes, &mut status)
            },
            "read from",
        )?;
        Status::new(status, self.library).bytes()
    }

    /// Place many elements so many bytes are.
    pub(super) fn whole(&self, bytes: usize, each: usize) -> Result<usize, Error> {
        let each = each.max(1);
        if bytes.is_multiple_of(each) {
            return Ok(bytes / each);
        }
        let ends = "it ends within an element";
        let message =
            format!("{}: {ends}: there are {bytes} bytes, and {each} are one", self.what("read from"));
        Err(Error::new(ErrorKind::Type, message))
    }

    /// Writes elements, all of them.
    pub(super) fn write<T: Blit>(&self, data: &[T], how: Place, offset: i64) -> Result<(), Error> {
        let (bytes, mut status) = (size_of_val(data) as i64, Status::EMPTY);
        self.call(
            // SAFETY: as above.
            |table, file| unsafe {
                (table.file_write)(file, how.number(), offset, place(data), bytes, &mut status)
            },
            "write to",
        )?;
        let written = Status::new(status, self.library).bytes()?;
        if written == size_of_val(data) {
            return Ok(());
        }
        let message = format!(
            "{}: {written} of {bytes} bytes were written; is the disk full, or a limit on files reached?",
            self.what("write to")
        );
        Err(Error::new(ErrorKind::NoSpace, message))
    }
}

macro_rules! accesses {
    ($($(#[$doc:meta])* $read:ident $read_into:ident $(#[$write_doc:meta])* $write:ident ($($offset:ident)?) $how:expr;)*) => {
        impl File {$(
            $(#[$doc])*
            ///
            /// # Errors
            /// It was not opened to be read, it ends within an element, the elements are no whole number of the view's, or MPI
            /// refuses.
            pub fn $read<T: Blit>(&self, $($offset: u64,)? count: usize) -> Result<Vec<T>, Error> {
                self.reads_new(count, $how)
            }

            #[doc = concat!("As [`", stringify!($read), "`](File::", stringify!($read), "), into a slice: how many elements there were.")]
            ///
            /// # Errors
            /// As there.
            pub fn $read_into<T: Blit>(&self, into: &mut [T] $(, $offset: u64)?) -> Result<usize, Error> {
                self.reads(into, $how)
            }

            $(#[$write_doc])*
            ///
            /// # Errors
            /// It was not opened to be written, the elements are no whole number of the view's, their padding cannot be zeroed,
            /// the disk is full ([`ErrorKind::NoSpace`]), or MPI refuses.
            pub fn $write<T: Blit>(&self, data: &[T] $(, $offset: u64)?) -> Result<(), Error> {
                self.writes(data, $how)
            }
        )*}
    };
}

accesses! {
    /// Reads elements from a place in the view on.
    read_at read_at_into
    /// Writes elements from a place in the view on.
    write_at (offset) Place::At(offset);
    /// As [`read_at`](File::read_at), all ranks together, each from a place of its own, which MPI may read at once. Collective.
    read_at_all read_at_all_into
    /// As [`write_at`](File::write_at), all ranks together, each to a place of its own, which MPI may write at once. Collective.
    write_at_all (offset) Place::AtAll(offset);
    /// Reads elements from this rank's pointer on, and moves that behind them.
    read read_into
    /// Writes elements from this rank's pointer on, and moves that behind them.
    write () Place::Pointer;
    /// As [`read`](File::read), all ranks together. Collective.
    read_all read_all_into
    /// As [`write`](File::write), all ranks together. Collective.
    write_all () Place::PointerAll;
    /// Reads elements from the pointer on that all ranks have, and moves that behind them: no two ranks read the same, in no
    /// order. All ranks must have the same view.
    read_shared read_shared_into
    /// Writes elements from the pointer on that all ranks have, and moves that behind them: no two ranks write to the same place,
    /// in no order. All ranks must have the same view.
    write_shared () Place::Shared;
    /// As [`read_shared`](File::read_shared), all ranks together, in the order of the ranks. Collective.
    read_ordered read_ordered_into
    /// As [`write_shared`](File::write_shared), all ranks together, in the order of the ranks. Collective.
    write_ordered () Place::Ordered;
}
