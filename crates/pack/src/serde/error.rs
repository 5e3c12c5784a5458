//! Errors that serde makes: without a place, which whoever reads or writes adds.

use crate::prelude::*;
use crate::{Error, ErrorKind};
use ::serde::{de, ser};
use core::fmt::Display;

/// The place of an error that does not know one.
const NOWHERE: usize = usize::MAX;

impl ser::Error for Error {
    #[cold]
    fn custom<T: Display>(message: T) -> Error {
        Error::new(ErrorKind::Unsupported, NOWHERE, message.to_string())
    }
}

impl de::Error for Error {
    #[cold]
    fn custom<T: Display>(message: T) -> Error {
        Error::new(ErrorKind::ValueInvalid, NOWHERE, message.to_string())
    }

    #[cold]
    fn invalid_length(length: usize, expected: &dyn de::Expected) -> Error {
        let message = format!(
            "{length} members or items, expected {expected}: `#[serde(default)]` on a member allows it to be missing"
        );
        Error::new(ErrorKind::MembersInvalid, NOWHERE, message)
    }
}

impl Error {
    /// The same, at `place` if nobody knew one.
    #[cold]
    pub(super) fn placed(self, place: usize) -> Error {
        if self.offset() == NOWHERE { self.moved(place) } else { self }
    }
}

/// An error of a type that the format cannot express.
#[cold]
pub(super) fn unsupported(message: impl Into<alloc::borrow::Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::Unsupported, NOWHERE, message)
}

/// The same, inside a part that may have no name.
#[cold]
pub(super) fn inside(error: Error, name: &'static str) -> Error {
    if name.is_empty() { error } else { error.inside(name) }
}
