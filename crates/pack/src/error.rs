use std::borrow::Cow;
use std::fmt;

/// What kind of failure an [`Error`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input ends inside a value, or a length says more than is left of it.
    Truncated,
    /// Bytes follow the value.
    Trailing,
    /// A count or a length that none can be.
    LengthInvalid,
    /// Null where the type has none.
    NullUnexpected,
    /// An object with more members than its type has, or with fewer where there is no default.
    MembersInvalid,
    /// Bytes that are not a value of their type.
    ValueInvalid,
    /// Text that is not UTF-8 or UTF-16, or not as long as it says.
    TextInvalid,
    /// A union's tag that is not one of its variants.
    TagUnknown,
    /// A reference to an object that was not there before, or is of another type.
    ReferenceInvalid,
    /// More objects inside one another than allowed.
    DepthExceeded,
    /// The bytes are right but cannot be borrowed as they lie.
    NotBorrowable,
    /// There is no space left to write into.
    Full,
    /// The value has no form on the wire, or its reader needs what is not there.
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
    /// Bytes that there must be more at least, where the input ends inside a value.
    missing: usize,
    /// Innermost first.
    path: Vec<&'static str>,
}

impl Error {
    /// An error at the byte `offset` of the input or of what was written. For implementations of
    /// [`Pack`](crate::Pack) by hand; a reader or a writer makes one at where it stands.
    #[cold]
    pub fn new(kind: ErrorKind, offset: usize, message: impl Into<Cow<'static, str>>) -> Error {
        Error(Box::new(Inner { kind, offset, message: message.into(), missing: 0, path: Vec::new() }))
    }

    /// What kind of failure it is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Bytes from the start of the input, or of what was written, to where it went wrong.
    pub fn offset(&self) -> usize {
        self.0.offset
    }

    /// What went wrong, without the place.
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

    /// The same, where the value goes on for so many bytes behind the end of the input, or more.
    #[cold]
    #[must_use]
    pub(crate) fn missing(mut self, bytes: usize) -> Error {
        self.0.missing = bytes;
        self
    }

    /// How many bytes that are.
    pub(crate) fn missing_bytes(&self) -> usize {
        self.0.missing
    }

    /// The same, where all bytes of the value are there: what it lacks does not come with more input.
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
        // A linked list is its own member a thousand times: the outermost and the innermost say enough.
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

impl std::error::Error for Error {}
