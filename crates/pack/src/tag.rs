//! Which class of a union follows: one byte, or `FA` and two.

use crate::members::NULL;
use crate::prelude::*;
use crate::{Error, ErrorKind, Reader, Writer, reader};

/// Before a tag of two bytes, and the first number that does not fit into one byte.
const WIDE: u8 = 250;

impl Writer<'_> {
    /// Writes the tag of a union.
    ///
    /// # Errors
    /// When there is no space left.
    #[inline]
    pub fn tag(&mut self, tag: u16) -> Result<(), Error> {
        if tag < WIDE.into() {
            return self.u8(tag as u8);
        }
        let [low, high] = tag.to_le_bytes();
        self.bytes(&[WIDE, low, high])
    }
}

impl Reader<'_> {
    /// The tag of a union.
    ///
    /// # Errors
    /// When the input ends before it does, or there is null or no tag.
    #[inline]
    pub fn tag(&mut self) -> Result<u16, Error> {
        match self.u8()? {
            tag @ 0..WIDE => Ok(tag.into()),
            WIDE => self.raw::<u16>(),
            other => Err(self.no_tag(other)),
        }
    }

    /// The error for a tag, just read, that is not one of a union's.
    #[doc(hidden)]
    #[cold]
    #[must_use]
    pub fn unknown_tag(&self, tag: u16, name: &'static str) -> Error {
        let place = self.position() - if tag < WIDE.into() { 1 } else { 3 };
        let message =
            format!("the tag {tag} is not one of `{name}`: the writer's union is newer, or another");
        Error::new(ErrorKind::TagUnknown, place, message)
    }

    #[cold]
    fn no_tag(&self, found: u8) -> Error {
        let place = self.position() - 1;
        if found == NULL {
            return reader::null(place);
        }
        let message =
            format!("{found} begins no union: tags are 0 to 249, or 250 and two bytes, null is 255");
        Error::new(ErrorKind::TagUnknown, place, message)
    }
}
