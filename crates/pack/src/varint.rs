//! The lengths and ids of version-tolerant and circular objects: one byte, or one that says how many follow.

use crate::prelude::*;
use crate::{Error, ErrorKind, Reader, Writer};

const U8: i8 = -121;
const I8: i8 = -122;
const U16: i8 = -123;
const I16: i8 = -124;
const U32: i8 = -125;
const I32: i8 = -126;
const U64: i8 = -127;
const I64: i8 = -128;

/// Bytes of a length, which is written as a signed number.
pub(crate) const fn length_len(length: usize) -> usize {
    match length {
        0..=0x7F => 1,
        0x80..=0x7FFF => 3,
        _ => 5,
    }
}

/// Bytes of an id, which is written as an unsigned number.
pub(crate) const fn id_len(id: u32) -> usize {
    match id {
        0..=0x7F => 1,
        0x80..=0xFFFF => 3,
        _ => 5,
    }
}

/// Bytes of the header of an object in slots: their count, their lengths, and for a circular one its id.
pub(crate) fn header_len(lengths: &[usize], id: Option<u32>) -> usize {
    1 + lengths.iter().map(|length| length_len(*length)).sum::<usize>() + id.map_or(0, id_len)
}

/// Writes that header. The lengths fit an i32.
///
/// # Safety
/// `at` must be valid for writes of [`header_len`] bytes.
pub(crate) unsafe fn write_header(mut at: *mut u8, lengths: &[usize], id: Option<u32>) {
    let mut put = |bytes: &[u8]| {
        // SAFETY: the caller's promise: these are the bytes that `header_len` has counted.
        unsafe {
            at.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            at = at.add(bytes.len());
        }
    };
    put(&[lengths.len() as u8]);
    for length in lengths {
        match *length {
            short @ 0..=0x7F => put(&[short as u8]),
            long @ 0x80..=0x7FFF => {
                let [low, high] = (long as u16).to_le_bytes();
                put(&[I16 as u8, low, high]);
            }
            longer => {
                let [a, b, c, d] = (longer as u32).to_le_bytes();
                put(&[I32 as u8, a, b, c, d]);
            }
        }
    }
    if let Some(id) = id {
        // SAFETY: the caller's promise: `header_len` has counted the id too.
        unsafe { write_id(at, id) };
    }
}

/// Writes an id.
///
/// # Safety
/// `at` must be valid for writes of [`id_len`] bytes.
unsafe fn write_id(at: *mut u8, id: u32) {
    // SAFETY: the caller's promise.
    unsafe {
        match id {
            0..=0x7F => at.write(id as u8),
            0x80..=0xFFFF => {
                at.write(U16 as u8);
                at.add(1).cast::<[u8; 2]>().write((id as u16).to_le_bytes());
            }
            _ => {
                at.write(U32 as u8);
                at.add(1).cast::<[u8; 4]>().write(id.to_le_bytes());
            }
        }
    }
}

impl Writer<'_> {
    /// Writes the id that refers back to an object.
    pub(crate) fn varint_id(&mut self, id: u32) -> Result<(), Error> {
        let room = self.reserve(id_len(id))?;
        // SAFETY: there is room for the id.
        unsafe { write_id(room, id) };
        Ok(())
    }
}

impl Reader<'_> {
    /// A length, in any of the forms that a number has.
    pub(crate) fn varint_length(&mut self) -> Result<usize, Error> {
        let place = self.position();
        let found = self.varint()?;
        match i32::try_from(found) {
            Ok(length @ 0..) => Ok(length as usize),
            _ => {
                let message = format!("a length of {found}: it is 0 or more and fits an i32");
                Err(Error::new(ErrorKind::LengthInvalid, place, message))
            }
        }
    }

    /// An id, in any of the forms that a number has.
    pub(crate) fn varint_id(&mut self) -> Result<u32, Error> {
        let place = self.position();
        let found = self.varint()?;
        u32::try_from(found).map_err(|_| {
            let message = format!("an object's id of {found}: it is 0 or more and fits a u32");
            Error::new(ErrorKind::ReferenceInvalid, place, message)
        })
    }

    fn varint(&mut self) -> Result<i128, Error> {
        Ok(match self.u8()? as i8 {
            U8 => self.raw::<u8>()?.into(),
            I8 => self.raw::<i8>()?.into(),
            U16 => self.raw::<u16>()?.into(),
            I16 => self.raw::<i16>()?.into(),
            U32 => self.raw::<u32>()?.into(),
            I32 => self.raw::<i32>()?.into(),
            U64 => self.raw::<u64>()?.into(),
            I64 => self.raw::<i64>()?.into(),
            small => small.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_signed_and_ids_unsigned() {
        let header = |lengths: &[usize], id| {
            let mut bytes = vec![0; header_len(lengths, id)];
            // SAFETY: the vector is as long as the header.
            unsafe { write_header(bytes.as_mut_ptr(), lengths, id) };
            bytes
        };
        let back = |id| {
            let mut bytes = Vec::new();
            let mut writer = Writer::new(&mut bytes);
            writer.varint_id(id).unwrap();
            writer.finish();
            bytes
        };
        for number in [0, 1, 127, 128, 199, 304, 32767, 32768, 65535, 65536, 0x7FFF_FFFF] {
            let bytes = header(&[number, number], Some(number as u32));
            let mut reader = Reader::new(&bytes);
            assert_eq!(reader.u8().unwrap(), 2);
            assert_eq!(reader.varint_length().unwrap(), number);
            assert_eq!(reader.varint_length().unwrap(), number);
            assert_eq!(reader.varint_id().unwrap(), number as u32);
            assert_eq!(reader.remaining(), 0);
            assert_eq!(Reader::new(&back(number as u32)).varint_id().unwrap(), number as u32);
        }
        assert_eq!(header(&[304, 200], Some(199)), [2, 0x84, 0x30, 0x01, 0x84, 0xC8, 0x00, 0x85, 0xC7, 0x00]);
        assert_eq!(back(199), [0x85, 0xC7, 0x00]);
    }

    #[test]
    fn a_length_below_zero_or_beyond_an_i32_is_refused() {
        let read = |bytes: &[u8]| Reader::new(bytes).varint_length();
        assert_eq!(read(&[0x87, 200]).unwrap(), 200);
        assert_eq!(read(&[0x81, 1, 0, 0, 0, 0, 0, 0, 0]).unwrap(), 1);
        for bytes in [&[0xFF][..], &[0x86, 0x80], &[0x83, 0, 0, 0, 0x80], &[0x81, 0, 0, 0, 0, 1, 0, 0, 0]] {
            assert_eq!(read(bytes).unwrap_err().kind(), ErrorKind::LengthInvalid);
        }
    }
}
