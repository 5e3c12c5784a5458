use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::shim::RawStatus;
use std::fmt;
use std::mem::MaybeUninit;

/// What is known of a message that has arrived.
#[derive(Clone, Copy)]
pub struct Status {
    raw: RawStatus,
    library: &'static Library,
}

/// Source, tag, error and whether it was cancelled.
type Told = (i32, i32, i32, bool);

impl Status {
    /// One without a message.
    pub(crate) const EMPTY: RawStatus = RawStatus(MaybeUninit::new([0; 4]));
    /// Room for one, which a receive writes before anybody reads it. Of a matched message MPICH 4.0.2 leaves a part as it is, in which
    /// it then finds whether it was cancelled: that is `EMPTY` before.
    pub(crate) const ROOM: RawStatus = RawStatus(MaybeUninit::uninit());

    #[inline]
    pub(crate) fn new(raw: RawStatus, library: &'static Library) -> Status {
        Status { raw, library }
    }

    fn told(&self) -> Result<Told, Error> {
        let (mut source, mut tag, mut error, mut cancelled) = (0, 0, 0, 0);
        self.library.call(
            // SAFETY: the status is one that MPI has written.
            |table| unsafe {
                (table.status_get)(&self.raw, &mut source, &mut tag, &mut error, &mut cancelled)
            },
            || "read a status".to_owned(),
        )?;
        Ok((source, tag, error, cancelled != 0))
    }

    /// The rank that has sent it, its tag and whether the receive was cancelled, in one call; no rank where it was.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn envelope(&self) -> Result<(Option<usize>, i32, bool), Error> {
        let (source, tag, _, cancelled) = self.told()?;
        // Both MPIs leave a source in it.
        let source = if cancelled { None } else { usize::try_from(source).ok() };
        Ok((source, tag, cancelled))
    }

    /// The rank that has sent it.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn source(&self) -> Result<usize, Error> {
        usize::try_from(self.told()?.0)
            .map_err(|_| Error::new(ErrorKind::Rank, "read a status: it has no source"))
    }

    /// Its tag.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn tag(&self) -> Result<i32, Error> {
        Ok(self.told()?.1)
    }

    /// Whether the receive was cancelled before anything arrived.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn is_cancelled(&self) -> Result<bool, Error> {
        Ok(self.told()?.3)
    }

    /// Its bytes.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn bytes(&self) -> Result<usize, Error> {
        let mut bytes = 0;
        self.library.call(
            // SAFETY: the status is one that MPI has written.
            |table| unsafe { (table.status_bytes)(&self.raw, &mut bytes) },
            || "read a status".to_owned(),
        )?;
        counted(bytes)
    }

    /// How many elements it has.
    ///
    /// # Errors
    /// It is no whole number of them, or MPI has been finalized.
    pub fn count<T>(&self) -> Result<usize, Error> {
        elements::<T>(self.bytes()?)
    }
}

/// The bytes of a message as MPI says them.
#[inline]
pub(crate) fn counted(bytes: i64) -> Result<usize, Error> {
    usize::try_from(bytes)
        .map_err(|_| Error::new(ErrorKind::Type, "read a status: its bytes cannot be counted"))
}

/// How many elements so many bytes are.
///
/// # Errors
/// They are no whole number of them.
#[inline]
pub(crate) fn elements<T>(bytes: usize) -> Result<usize, Error> {
    let each = size_of::<T>().max(1);
    if bytes.is_multiple_of(each) { Ok(bytes / each) } else { Err(no_elements(bytes, each)) }
}

#[cold]
#[inline(never)]
fn no_elements(bytes: usize, each: usize) -> Error {
    let message =
        format!("receive elements of {each} bytes: the message has {bytes} bytes, no whole number of them");
    Error::new(ErrorKind::Type, message)
}

impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Status");
        if let (Ok((source, tag, ..)), Ok(bytes)) = (self.told(), self.bytes()) {
            shown.field("source", &source).field("tag", &tag).field("bytes", &bytes);
        }
        shown.finish()
    }
}
