//! The lengths and ids of version-tolerant and circular objects: one byte, or one that says how many follow.

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

impl Writer<'_> {
    pub(crate) fn varint_length(&mut self, length: usize) -> Result<(), Error> {
        match i32::try_from(length) {
            Ok(length @ 0..=0x7F) => self.u8(length as u8),
            Ok(length @ ..=0x7FFF) => {
                self.u8(I16 as u8)?;
                self.bytes(&(length as i16).to_le_bytes())
            }
            Ok(length) => {
                self.u8(I32 as u8)?;
                self.i32(length)
            }
            Err(_) => Err(self.too_long(length)),
        }
    }

    pub(crate) fn varint_id(&mut self, id: u32) -> Result<(), Error> {
        match id {
            0..=0x7F => self.u8(id as u8),
            0x80..=0xFFFF => {
                self.u8(U16 as u8)?;
                self.bytes(&(id as u16).to_le_bytes())
            }
            _ => {
                self.u8(U32 as u8)?;
                self.bytes(&id.to_le_bytes())
            }
        }
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
        let written = |write: &dyn Fn(&mut Writer<'_>) -> Result<(), Error>| {
            let mut bytes = Vec::new();
            let mut writer = Writer::new(&mut bytes);
            write(&mut writer).unwrap();
            writer.finish();
            bytes
        };
        for number in [0, 1, 127, 128, 199, 304, 32767, 32768, 65535, 65536, 0x7FFF_FFFF] {
            let bytes = written(&|writer| writer.varint_length(number));
            assert_eq!(bytes.len(), length_len(number));
            assert_eq!(Reader::new(&bytes).varint_length().unwrap(), number);
            let bytes = written(&|writer| writer.varint_id(number as u32));
            assert_eq!(bytes.len(), id_len(number as u32));
            assert_eq!(Reader::new(&bytes).varint_id().unwrap(), number as u32);
        }
        assert_eq!(written(&|writer| writer.varint_length(304)), [0x84, 0x30, 0x01]);
        assert_eq!(written(&|writer| writer.varint_length(200)), [0x84, 0xC8, 0x00]);
        assert_eq!(written(&|writer| writer.varint_id(199)), [0x85, 0xC7, 0x00]);
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
