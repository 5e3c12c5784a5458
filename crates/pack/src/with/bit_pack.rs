use super::{PackWith, UnpackWith};
use crate::prelude::*;
use crate::{BitArray, Error, ErrorKind, Reader, Writer};

/// Booleans of this member are written as bits, 32 to a word: a `Vec<bool>`, or an `Option` of one.
#[derive(Clone, Copy, Debug)]
pub enum BitPack {}

impl PackWith<Vec<bool>> for BitPack {
    fn pack(value: &Vec<bool>, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.count(value.len())?;
        let bits: BitArray = value.iter().copied().collect();
        writer.items(bits.words())
    }
}

impl PackWith<Option<Vec<bool>>> for BitPack {
    fn pack(value: &Option<Vec<bool>>, writer: &mut Writer<'_>) -> Result<(), Error> {
        match value {
            Some(value) => BitPack::pack(value, writer),
            None => writer.i32(-1),
        }
    }
}

impl<'a> UnpackWith<'a, Vec<bool>> for BitPack {
    fn unpack(reader: &mut Reader<'a>) -> Result<Vec<bool>, Error> {
        let place = reader.position();
        let value: Option<Vec<bool>> = BitPack::unpack(reader)?;
        value.ok_or_else(|| crate::reader::null(place))
    }
}

impl<'a> UnpackWith<'a, Option<Vec<bool>>> for BitPack {
    fn unpack(reader: &mut Reader<'a>) -> Result<Option<Vec<bool>>, Error> {
        let place = reader.position();
        let length = match reader.i32()? {
            -1 => return Ok(None),
            length => usize::try_from(length).map_err(|_| {
                Error::new(ErrorKind::LengthInvalid, place, format!("a count of {length} bits: null is -1"))
            })?,
        };
        let mut words = Vec::new();
        reader.items::<u32>(length.div_ceil(32), &mut words)?;
        Ok(Some(BitArray::from_words(words, length).iter().collect()))
    }
}
