//! A value to bytes and back, in one call.

use crate::prelude::*;
use crate::sink::Measure;
use crate::{Error, ErrorKind, Fixed, Options, Pack, Reader, Unpack, Writer};

impl Options {
    /// [`to_vec`] with these options.
    ///
    /// # Errors
    /// As [`to_vec`].
    pub fn to_vec<T: Pack + ?Sized>(self, value: &T) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.append(value, &mut bytes)?;
        Ok(bytes)
    }

    /// [`append`] with these options.
    ///
    /// # Errors
    /// As [`append`].
    pub fn append<T: Pack + ?Sized>(self, value: &T, bytes: &mut Vec<u8>) -> Result<usize, Error> {
        let before = bytes.len();
        let mut writer = Writer::with(bytes, self);
        match value.pack(&mut writer) {
            Ok(()) => Ok(writer.finish()),
            Err(error) => {
                bytes.truncate(before);
                Err(error)
            }
        }
    }

    /// [`to_slice`] with these options.
    ///
    /// # Errors
    /// As [`to_slice`].
    pub fn to_slice<T: Pack + ?Sized>(self, value: &T, slice: &mut [u8]) -> Result<usize, Error> {
        let whole = slice.len();
        let mut fixed = Fixed::new(slice);
        let mut writer = Writer::with(&mut fixed, self);
        match value.pack(&mut writer) {
            Ok(()) => Ok(writer.finish()),
            Err(error) if error.kind() == ErrorKind::Full => {
                let need = self.packed_len(value)?;
                let message = format!("the value takes {need} bytes, the slice has {whole}");
                Err(Error::new(ErrorKind::Full, error.offset(), message))
            }
            Err(error) => Err(error),
        }
    }

    /// [`packed_len`] with these options.
    ///
    /// # Errors
    /// As [`packed_len`].
    pub fn packed_len<T: Pack + ?Sized>(self, value: &T) -> Result<usize, Error> {
        let mut sink = Measure::default();
        let mut writer = Writer::measure(&mut sink, self);
        value.pack(&mut writer)?;
        Ok(writer.finish())
    }

    /// [`from_slice`] with these options.
    ///
    /// # Errors
    /// As [`from_slice`].
    pub fn from_slice<'a, T: Unpack<'a>>(self, bytes: &'a [u8]) -> Result<T, Error> {
        let mut reader = Reader::with(bytes, self);
        let value = T::unpack(&mut reader)?;
        end(&reader)?;
        Ok(value)
    }

    /// [`from_prefix`] with these options.
    ///
    /// # Errors
    /// As [`from_prefix`].
    pub fn from_prefix<'a, T: Unpack<'a>>(self, bytes: &'a [u8]) -> Result<(T, usize), Error> {
        let mut reader = Reader::with(bytes, self);
        let value = T::unpack(&mut reader)?;
        Ok((value, reader.position()))
    }

    /// [`from_parts`] with these options.
    ///
    /// # Errors
    /// As [`from_parts`].
    pub fn from_parts<'a, T: Unpack<'a>>(self, parts: &'a [&'a [u8]]) -> Result<T, Error> {
        let mut reader = Reader::of_parts(parts, self);
        let value = T::unpack(&mut reader)?;
        end(&reader)?;
        Ok(value)
    }

    /// [`overwrite`] with these options.
    ///
    /// # Errors
    /// As [`overwrite`].
    pub fn overwrite<'a, T: Unpack<'a>>(self, value: &mut T, bytes: &'a [u8]) -> Result<(), Error> {
        over(value, Reader::with(bytes, self))
    }

    /// [`overwrite_keeping`] with these options.
    ///
    /// # Errors
    /// As [`overwrite_keeping`].
    pub fn overwrite_keeping<'a, T: Unpack<'a>>(self, value: &mut T, bytes: &'a [u8]) -> Result<(), Error> {
        over(value, Reader::with(bytes, self).keeping())
    }

    /// [`overwrite_parts`] with these options.
    ///
    /// # Errors
    /// As [`overwrite_parts`].
    pub fn overwrite_parts<'a, T: Unpack<'a>>(
        self,
        value: &mut T,
        parts: &'a [&'a [u8]],
    ) -> Result<(), Error> {
        over(value, Reader::of_parts(parts, self))
    }
}

/// The value's bytes.
///
/// # Errors
/// When it is nested too deeply, or a part of it has no form on the wire.
pub fn to_vec<T: Pack + ?Sized>(value: &T) -> Result<Vec<u8>, Error> {
    Options::new().to_vec(value)
}

/// Appends the value to `bytes`, and returns how many bytes it took. On an error `bytes` is as it was.
///
/// # Errors
/// As [`to_vec`].
pub fn append<T: Pack + ?Sized>(value: &T, bytes: &mut Vec<u8>) -> Result<usize, Error> {
    Options::new().append(value, bytes)
}

/// Writes the value to the front of `slice`, and returns how many bytes it took.
///
/// # Errors
/// As [`to_vec`], and [`ErrorKind::Full`] when the slice is too short, which says what the value takes. The
/// slice then has a part of it.
pub fn to_slice<T: Pack + ?Sized>(value: &T, slice: &mut [u8]) -> Result<usize, Error> {
    Options::new().to_slice(value, slice)
}

/// How many bytes the value takes: as much work as writing it, without the memory.
///
/// # Errors
/// As [`to_vec`].
pub fn packed_len<T: Pack + ?Sized>(value: &T) -> Result<usize, Error> {
    Options::new().packed_len(value)
}

/// The value that takes up all of the bytes.
///
/// # Errors
/// When they are not a `T`, end too early, or continue after it ([`from_prefix`] allows that).
pub fn from_slice<'a, T: Unpack<'a>>(bytes: &'a [u8]) -> Result<T, Error> {
    Options::new().from_slice(bytes)
}

/// The value that the bytes begin with, and how many bytes it took.
///
/// # Errors
/// When they are not a `T`, or end too early.
pub fn from_prefix<'a, T: Unpack<'a>>(bytes: &'a [u8]) -> Result<(T, usize), Error> {
    Options::new().from_prefix(bytes)
}

/// The value in consecutive slices, such as a socket's or a chain of chunks. What lies across two of them is put
/// together; only what is borrowed must lie in one.
///
/// ```
/// let parts = [&[5, 0, 0][..], &[0, 1, 2, 3], &[4, 5]];
/// assert_eq!(upcall_pack::from_parts::<Vec<u8>>(&parts)?, [1, 2, 3, 4, 5]);
/// # Ok::<(), upcall_pack::Error>(())
/// ```
///
/// # Errors
/// As [`from_slice`].
pub fn from_parts<'a, T: Unpack<'a>>(parts: &'a [&'a [u8]]) -> Result<T, Error> {
    Options::new().from_parts(parts)
}

/// Reads into an existing value, reusing the memory of its strings and collections. It is then what [`from_slice`]
/// gives, but for fields that are `#[pack(ignore)]`, which stay: members that the bytes do not have, as an older
/// program did not know them, become their `Default`.
///
/// # Errors
/// As [`from_slice`]; the value is then partly the old one, partly the new.
pub fn overwrite<'a, T: Unpack<'a>>(value: &mut T, bytes: &'a [u8]) -> Result<(), Error> {
    Options::new().overwrite(value, bytes)
}

/// Reads into an existing value as [`overwrite`] does, but members that the bytes do not have stay as they are, in
/// it and in the objects that are in it already.
///
/// ```
/// # use upcall_pack::{Pack, overwrite, overwrite_keeping};
/// #[derive(Debug, PartialEq, Pack)]
/// #[pack(crate = upcall_pack)]
/// struct Limits { most: u32, least: u32 }
///
/// let older = [1, 9, 0, 0, 0];                       // one member: `most`
/// let mut limits = Limits { most: 5, least: 2 };
/// overwrite_keeping(&mut limits, &older)?;
/// assert_eq!(limits, Limits { most: 9, least: 2 });
/// overwrite(&mut limits, &older)?;
/// assert_eq!(limits, Limits { most: 9, least: 0 });
/// # Ok::<(), upcall_pack::Error>(())
/// ```
///
/// # Errors
/// As [`overwrite`].
pub fn overwrite_keeping<'a, T: Unpack<'a>>(value: &mut T, bytes: &'a [u8]) -> Result<(), Error> {
    Options::new().overwrite_keeping(value, bytes)
}

/// [`overwrite`] from consecutive slices.
///
/// # Errors
/// As [`overwrite`].
pub fn overwrite_parts<'a, T: Unpack<'a>>(value: &mut T, parts: &'a [&'a [u8]]) -> Result<(), Error> {
    Options::new().overwrite_parts(value, parts)
}

#[inline]
fn over<'a, T: Unpack<'a>>(value: &mut T, mut reader: Reader<'a>) -> Result<(), Error> {
    value.overwrite(&mut reader)?;
    end(&reader)
}

pub(crate) fn end(reader: &Reader<'_>) -> Result<(), Error> {
    match reader.remaining() {
        0 => Ok(()),
        left => {
            let message = format!("{left} bytes follow the value: `from_prefix` allows that");
            Err(reader.error(ErrorKind::Trailing, message))
        }
    }
}
