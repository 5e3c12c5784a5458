use crate::prelude::*;
use alloc::borrow::Cow;
use core::fmt;

/// What kind of failure an [`Error`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input ends inside a value, or a length exceeds what is left of it.
    Truncated,
    /// Bytes follow the value.
    Trailing,
    /// An impossible count or length.
    LengthInvalid,
    /// Null where the type does not allow it.
    NullUnexpected,
    /// An object with more members than its type has, or with fewer where there is no default.
    MembersInvalid,
    /// Bytes that are not a value of their type.
    ValueInvalid,
    /// Text that is not UTF-8 or UTF-16, or not as long as it says.
    TextInvalid,
    /// A union's tag that is not one of its variants.
    TagUnknown,
    /// A reference to an object that has not come before, or is of another type.
    ReferenceInvalid,
    /// More objects inside one another than allowed.
    DepthExceeded,
    /// The bytes are right but cannot be borrowed as they lie.
    NotBorrowable,
    /// There is no space left to write into.
    Full,
    /// The value has no form on the wire, or reading it needs something that is missing.
    Unsupported,
}

/// Why a value could not be written or read, and at which byte.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    offset: usize,
    message: Cow<'static, str>,
    /// The fewest additional bytes needed, where the input ends inside a value.
    missing: usize,
    /// Innermost first.
    path: Vec<&'static str>,
}

impl Error {
    /// An error at the byte `offset` of the input or of what was written. For hand-written implementations of
    /// [`Pack`](crate::Pack); a reader or a writer makes one at its own position.
    #[cold]
    pub fn new(kind: ErrorKind, offset: usize, message: impl Into<Cow<'static, str>>) -> Error {
        Error(Box::new(Inner { kind, offset, message: message.into(), missing: 0, path: Vec::new() }))
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Bytes from the start of the input, or of what was written, to the failure.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.0.offset
    }

    /// What went wrong, without the place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The member that was being read, outermost first: `Order.customer`, `Customer.name`.
    pub fn path(&self) -> impl Iterator<Item = &'static str> {
        self.0.path.iter().rev().copied()
    }

    /// The same, where what was read or written begins `bytes` after the start.
    #[cold]
    #[must_use]
    pub(crate) fn behind(mut self, bytes: usize) -> Error {
        self.0.offset += bytes;
        self
    }

    /// The same, at another byte.
    #[cfg(feature = "serde")]
    #[cold]
    #[must_use]
    pub(crate) fn moved(mut self, offset: usize) -> Error {
        self.0.offset = offset;
        self
    }

    /// The same, where the value goes on for at least this many bytes past the end of the input.
    #[cold]
    #[must_use]
    pub(crate) fn missing(mut self, bytes: usize) -> Error {
        self.0.missing = bytes;
        self
    }

    /// How many bytes those are.
    pub(crate) fn missing_bytes(&self) -> usize {
        self.0.missing
    }

    /// The same, where all bytes of the value are there: more input would not help.
    #[cold]
    #[must_use]
    pub(crate) fn whole(mut self) -> Error {
        if self.0.kind == ErrorKind::Truncated {
            (self.0.kind, self.0.missing) = (ErrorKind::LengthInvalid, 0);
        }
        self
    }

    /// The same, inside `member`.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn inside(mut self, member: &'static str) -> Error {
        self.0.path.push(member);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.0.message, self.0.offset)?;
        // A linked list may be nested in itself a thousand times: the outermost and innermost members say enough.
        const SHOWN: usize = 8;
        let (path, mut before) = (&self.0.path, ", in ");
        for (index, member) in self.path().enumerate() {
            match index {
                SHOWN if path.len() > 2 * SHOWN => write!(f, "{before}…")?,
                _ if index > SHOWN && index + SHOWN < path.len() => {}
                _ => write!(f, "{before}{member}")?,
            }
            before = ", ";
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.0.kind)
    }
}

impl core::error::Error for Error {}
