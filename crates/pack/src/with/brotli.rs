use super::{PackWith, UnpackWith};
use crate::prelude::*;
use crate::{Error, ErrorKind, Reader, Writer, brotli, utf16};

/// The most bytes that all compressed members of a value may expand to; MemoryPack allows it for each: 128 MiB.
const LIMIT: usize = 128 << 20;

/// .NET's `CompressionLevel.Fastest`, MemoryPack's default.
const LEVEL: i32 = 1;

/// Bytes of this member are compressed: a `Vec<u8>`, or an `Option` of one. All such members of a value together are at most 128 MiB when read.
#[derive(Clone, Copy, Debug)]
pub enum Brotli {}

/// Text of this member is compressed as UTF-16: a `String`, or an `Option` of one. All such members of a value together are at most 128 MiB when read.
#[derive(Clone, Copy, Debug)]
pub enum BrotliString {}

impl PackWith<Vec<u8>> for Brotli {
    fn pack(value: &Vec<u8>, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.count(value.len())?;
        if value.is_empty() {
            return Ok(());
        }
        let packed = brotli::compress(value, LEVEL);
        writer.count(packed.len())?;
        writer.bytes(&packed)
    }
}

impl<'a> UnpackWith<'a, Option<Vec<u8>>> for Brotli {
    fn unpack(reader: &mut Reader<'a>) -> Result<Option<Vec<u8>>, Error> {
        let place = reader.position();
        let Some(length) = length(reader, 1)? else { return Ok(None) };
        if length == 0 {
            return Ok(Some(Vec::new()));
        }
        let packed = reader.count_not_null(1)?;
        let begin = reader.position();
        let bytes = brotli::decompress(reader, packed, length)?;
        exactly(place, bytes.len(), length)?;
        exactly(begin - 4, reader.position() - begin, packed)?;
        Ok(Some(bytes))
    }
}

impl PackWith<String> for BrotliString {
    fn pack(value: &String, writer: &mut Writer<'_>) -> Result<(), Error> {
        let units: Vec<u8> = value.encode_utf16().flat_map(u16::to_le_bytes).collect();
        writer.count(units.len() / 2)?;
        if units.is_empty() { Ok(()) } else { writer.bytes(&brotli::compress(&units, LEVEL)) }
    }
}

impl<'a> UnpackWith<'a, Option<String>> for BrotliString {
    fn unpack(reader: &mut Reader<'a>) -> Result<Option<String>, Error> {
        let place = reader.position();
        let Some(length) = length(reader, 2)? else { return Ok(None) };
        if length == 0 {
            return Ok(Some(String::new()));
        }
        let bytes = brotli::decompress(reader, usize::MAX, 2 * length)?;
        exactly(place, bytes.len(), 2 * length)?;
        let text = utf16::decode(&bytes);
        text.map(Some).map_err(|half| Error::new(ErrorKind::TextInvalid, place, half.to_string()))
    }
}

/// How many items of `size` bytes come out; `None` is null.
fn length(reader: &mut Reader<'_>, size: usize) -> Result<Option<usize>, Error> {
    let place = reader.position();
    let length = reader.i32()?;
    match usize::try_from(length) {
        Ok(length) if length <= (LIMIT - reader.inflated) / size => {
            reader.inflated += length * size;
            Ok(Some(length))
        }
        Err(_) if length == -1 => Ok(None),
        _ => {
            let message = format!(
                "a compressed member of {length} items: it is null (-1), or all are at most {LIMIT} bytes"
            );
            Err(Error::new(ErrorKind::LengthInvalid, place, message))
        }
    }
}

fn exactly(place: usize, found: usize, expected: usize) -> Result<(), Error> {
    if found == expected {
        return Ok(());
    }
    let message = format!("a compressed member of {expected} bytes has {found}");
    Err(Error::new(ErrorKind::LengthInvalid, place, message))
}

/// The nullable form writes null as -1; the other refuses that.
macro_rules! nullable {
    ($($formatter:ident $type:ty),*) => {$(
        impl PackWith<Option<$type>> for $formatter {
            fn pack(value: &Option<$type>, writer: &mut Writer<'_>) -> Result<(), Error> {
                match value {
                    Some(value) => $formatter::pack(value, writer),
                    None => writer.i32(-1),
                }
            }
        }

        impl<'a> UnpackWith<'a, $type> for $formatter {
            fn unpack(reader: &mut Reader<'a>) -> Result<$type, Error> {
                let place = reader.position();
                let value: Option<$type> = $formatter::unpack(reader)?;
                value.ok_or_else(|| crate::reader::null(place))
            }
        }
    )*};
}
nullable!(Brotli Vec<u8>, BrotliString String);

#[cfg(test)]
mod tests {
    use super::*;

    fn round<F, T>(value: &T) -> T
    where
        F: for<'a> UnpackWith<'a, T>,
    {
        let mut bytes = vec![];
        let mut writer = Writer::new(&mut bytes);
        F::pack(value, &mut writer).unwrap();
        writer.finish();
        for at in 0..=bytes.len() {
            let parts = [&bytes[..at], &bytes[at..]];
            let mut reader = Reader::of_parts(&parts, crate::Options::new());
            let whole = F::unpack(&mut reader);
            assert_eq!((whole.is_ok(), reader.remaining()), (true, 0), "split at {at}: {:?}", whole.err());
            assert!(F::unpack(&mut Reader::new(&bytes[..at])).is_err() || at == bytes.len());
        }
        F::unpack(&mut Reader::new(&bytes)).unwrap()
    }

    #[test]
    fn bytes_and_text_come_back_from_any_split() {
        for value in [vec![], vec![1, 2, 3], vec![7; 100_000]] {
            assert_eq!(round::<Brotli, _>(&value), value);
            assert_eq!(round::<Brotli, _>(&Some(value.clone())), Some(value));
        }
        for text in ["", "あ😀", &"text ".repeat(1000)] {
            assert_eq!(round::<BrotliString, _>(&text.to_owned()), text);
            assert_eq!(round::<BrotliString, _>(&Some(text.to_owned())).as_deref(), Some(text));
        }
        assert_eq!(round::<Brotli, _>(&None), None);
        assert_eq!(round::<BrotliString, _>(&None), None);
    }

    #[test]
    fn a_length_that_lies_is_an_error() {
        let mut bytes = vec![];
        let mut writer = Writer::new(&mut bytes);
        Brotli::pack(&vec![7_u8; 1000], &mut writer).unwrap();
        writer.finish();
        for length in [-2, 0, 1, 999, 1001, i32::MAX] {
            let mut lying = bytes.clone();
            lying[..4].copy_from_slice(&length.to_le_bytes());
            let mut reader = Reader::new(&lying);
            let read: Result<Vec<u8>, _> = Brotli::unpack(&mut reader);
            assert!(read.is_err() || reader.remaining() > 0, "{length}");
        }
    }
}
