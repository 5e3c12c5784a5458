//! The streaming form: items one by one, from parts of any size.

use proptest::prelude::*;
use upcall_pack::stream::{StreamReader, StreamWriter};
use upcall_pack::{Error, ErrorKind, Form, Options, Pack, Reader, Text, Unpack, Writer};

#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack)]
struct Record {
    id: i32,
    name: String,
    values: Option<Vec<f32>>,
}

fn record(id: i32) -> Record {
    let values = (id % 3 == 0).then(|| vec![id as f32; id as usize]);
    Record { id, name: format!("record {id}"), values }
}

fn written(records: &[Record], options: Options) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = StreamWriter::with(&mut bytes, records.len(), options).unwrap();
    records.iter().for_each(|record| writer.push(record).unwrap());
    assert_eq!(writer.finish().unwrap(), bytes.len());
    bytes
}

fn read(parts: &[&[u8]]) -> Vec<Record> {
    let (mut reader, mut records) = (StreamReader::new(), Vec::new());
    for part in parts {
        reader.feed(part).unwrap();
        while let Some(record) = reader.next().unwrap() {
            records.push(record);
        }
    }
    assert!(reader.is_finished() && reader.rest().is_empty());
    records
}

#[test]
fn a_stream_is_a_list_and_a_list_is_a_stream() {
    let records: Vec<_> = (0..10).map(record).collect();
    let bytes = upcall_pack::to_vec(&records).unwrap();
    assert_eq!(written(&records, Options::new()), bytes);
    assert_eq!(read(&[&bytes]), records);
    assert_eq!(read(&[&written(&records, Options::new().text(Text::Utf16))]), records);
}

#[test]
fn an_item_may_borrow_from_what_has_arrived() {
    let bytes = upcall_pack::to_vec(&["one", "two"][..]).unwrap();
    let mut reader = StreamReader::new();
    reader.feed(&bytes).unwrap();
    assert_eq!(reader.next::<&str>().unwrap(), Some("one"));
    assert_eq!(reader.missing(), Some(1));
    assert_eq!(reader.next::<&str>().unwrap(), Some("two"));
    assert_eq!(reader.next::<&str>().unwrap(), None);
}

#[test]
fn what_follows_the_stream_is_kept() {
    let mut reader = StreamReader::new();
    reader.feed(&[1, 0, 0, 0, 7, 8, 9]).unwrap();
    assert_eq!(reader.next::<u8>().unwrap(), Some(7));
    assert_eq!(reader.next::<u8>().unwrap(), None);
    assert_eq!(reader.rest(), [8, 9]);
}

#[test]
fn a_stream_that_ends_early_is_not_finished() {
    let bytes = written(&[record(1), record(2)], Options::new());
    for length in 0..bytes.len() {
        let mut reader = StreamReader::new();
        reader.feed(&bytes[..length]).unwrap();
        while reader.next::<Record>().unwrap().is_some() {}
        assert!(!reader.is_finished(), "cut to {length} bytes");
    }
}

#[test]
fn an_item_that_is_none_is_an_error_at_its_byte_of_the_stream() {
    let mut bytes = written(&[record(1), record(2)], Options::new());
    let second = 4 + upcall_pack::packed_len(&record(1)).unwrap();
    bytes[second] = 77;
    let mut reader = StreamReader::new();
    for part in bytes.chunks(3) {
        reader.feed(part).unwrap();
        match reader.next::<Record>() {
            Ok(_) => {}
            Err(error) => {
                assert_eq!((error.kind(), error.offset()), (ErrorKind::MembersInvalid, second));
                return;
            }
        }
    }
    panic!("an object of 77 members was read");
}

#[test]
fn the_count_is_kept() {
    let mut bytes = Vec::new();
    let mut writer = StreamWriter::new(&mut bytes, 1).unwrap();
    writer.push(&1).unwrap();
    assert_eq!(writer.push(&2).unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(writer.finish().unwrap(), 8);
    let writer = StreamWriter::new(&mut bytes, 1).unwrap();
    assert_eq!(writer.finish().unwrap_err().kind(), ErrorKind::Unsupported);
    for count in [-1_i32, -2, i32::MIN] {
        let mut reader = StreamReader::new();
        reader.feed(&count.to_le_bytes()).unwrap();
        assert_eq!(reader.next::<u8>().unwrap_err().kind(), ErrorKind::LengthInvalid);
    }
}

#[test]
fn no_more_is_kept_than_the_limit() {
    let mut reader = StreamReader::new().limit(10);
    reader.feed(&[1, 0, 0, 0, 6, 0, 0, 0]).unwrap();
    assert_eq!(reader.next::<Vec<u8>>().unwrap(), None);
    assert_eq!(reader.feed(&[0; 7]).unwrap_err().kind(), ErrorKind::LengthInvalid);
    reader.feed(&[0; 6]).unwrap();
    assert_eq!(reader.next::<Vec<u8>>().unwrap(), Some(vec![0; 6]));
}

#[test]
fn an_item_above_the_limit_is_an_error_before_it_arrives() {
    let mut reader = StreamReader::new().limit(10);
    reader.feed(&[2, 0, 0, 0, 0, 0, 0, 0]).unwrap();
    assert_eq!(reader.next::<Vec<u8>>().unwrap(), Some(vec![]));
    reader.feed(&[7, 0, 0, 0]).unwrap();
    let error = reader.next::<Vec<u8>>().unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::LengthInvalid, 8));
    assert_eq!(error.message(), "an item of 11 bytes or more, where at most 10 are kept");
}

/// Reads `bytes` as the one item of a stream that has not ended.
fn refused<T: for<'a> Unpack<'a> + std::fmt::Debug>(bytes: &[u8]) -> Error {
    let mut reader = StreamReader::new();
    reader.feed(&[&1_i32.to_le_bytes(), bytes].concat()).unwrap();
    reader.next::<T>().expect_err("no more bytes make an item of these")
}

#[derive(Pack, Debug, Default, PartialEq)]
#[pack(version_tolerant, crate = upcall_pack)]
struct Tolerant {
    name: String,
}

#[test]
fn what_a_slot_lacks_is_not_waited_for() {
    // A slot of four bytes, and in it a text of nine.
    let error = refused::<Tolerant>(&[1, 4, 0xf6, 0xff, 0xff, 0xff]);
    assert_eq!((error.kind(), error.offset()), (ErrorKind::LengthInvalid, 4 + 6));
    assert_eq!(error.path().collect::<Vec<_>>(), ["Tolerant.name"]);
}

#[derive(Pack, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack)]
struct Compressed {
    #[pack(with = upcall_pack::with::Brotli)]
    bytes: Vec<u8>,
}

#[test]
fn compressed_bytes_that_do_not_end_are_not_waited_for() {
    let mut bytes = upcall_pack::to_vec(&Compressed { bytes: vec![7; 100] }).unwrap();
    bytes.pop();
    let packed = (bytes.len() - 9) as i32;
    bytes[5..9].copy_from_slice(&packed.to_le_bytes());
    let error = refused::<Compressed>(&bytes);
    assert_eq!((error.kind(), error.offset()), (ErrorKind::LengthInvalid, 4 + bytes.len()));
}

#[test]
fn a_count_that_an_array_cannot_have_is_not_waited_for() {
    for count in [0, 1, 3, i32::MAX] {
        let error = refused::<[String; 2]>(&count.to_le_bytes());
        assert_eq!((error.kind(), error.offset()), (ErrorKind::LengthInvalid, 4), "{count} items");
    }
    assert_eq!(refused::<[String; 2]>(&[0xff; 4]).kind(), ErrorKind::NullUnexpected);
    let mut reader = StreamReader::new();
    reader.feed(&[1, 0, 0, 0, 2, 0, 0, 0]).unwrap();
    assert_eq!(reader.next::<[String; 2]>().unwrap(), None);
}

thread_local! {
    static TRIES: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts how often it is tried.
#[derive(Debug, Default, PartialEq)]
struct Tried(Record);

impl Pack for Tried {
    const FORM: Form<Self> = Form::Object;
    const MIN: usize = Record::MIN;

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        self.0.pack(writer)
    }
}

impl<'a> Unpack<'a> for Tried {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        TRIES.set(TRIES.get() + 1);
        Record::unpack(reader).map(Tried)
    }
}

#[test]
fn an_item_is_tried_again_only_when_what_was_missing_has_arrived() {
    let large = Record { id: 7, name: "name ".repeat(1000), values: Some(vec![1.5; 1000]) };
    let bytes = written(&[large.clone(), record(3)], Options::new());
    let (mut reader, mut found) = (StreamReader::new(), Vec::new());
    for (index, byte) in bytes.iter().enumerate() {
        reader.feed(&[*byte]).unwrap();
        while let Some(Tried(record)) = reader.next().unwrap() {
            found.push((index, record));
        }
    }
    // Each is read as soon as its last byte has arrived.
    let first = 4 + upcall_pack::packed_len(&large).unwrap();
    assert_eq!(found, [(first - 1, large), (bytes.len() - 1, record(3))]);
    // The header, the number, both lengths of the text, the text, the count of the list, the list.
    assert!(TRIES.get() <= 2 * 8, "{} times", TRIES.get());
}

/// Ends too early without saying by how much.
#[derive(Debug)]
struct Endless;

impl Pack for Endless {
    const FORM: Form<Self> = Form::Object;
    const MIN: usize = 1;

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.u8(0)
    }
}

impl<'a> Unpack<'a> for Endless {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        TRIES.set(TRIES.get() + 1);
        Err(reader.error(ErrorKind::Truncated, "more is needed"))
    }
}

#[test]
fn nothing_is_tried_again_while_nothing_arrives() {
    let mut reader = StreamReader::new();
    reader.feed(&[1, 0, 0, 0]).unwrap();
    for arrived in 0..3 {
        let before = TRIES.get();
        assert!(reader.next::<Endless>().unwrap().is_none() && reader.next::<Endless>().unwrap().is_none());
        assert_eq!(TRIES.get() - before, 1, "after {arrived} bytes");
        reader.feed(&[0]).unwrap();
    }
}

#[test]
fn every_golden_line_comes_with_its_last_byte() {
    for case in golden::cases() {
        let mut reader = StreamReader::new();
        reader.feed(&1_i32.to_le_bytes()).unwrap();
        for (index, byte) in case.bytes.iter().enumerate() {
            let name = &case.name;
            assert_eq!(case.value.read_next(&mut reader).unwrap(), None, "{name} after {index} bytes");
            reader.feed(&[*byte]).unwrap();
        }
        assert_eq!(case.value.read_next(&mut reader).unwrap(), Some(true), "{}", case.name);
        assert!(reader.is_finished() && reader.rest().is_empty(), "{}", case.name);
    }
}

proptest! {
    #[test]
    fn parts_of_any_size_make_the_same_items(count in 0..20_i32, sizes in proptest::collection::vec(0..40_usize, 0..100)) {
        let records: Vec<_> = (0..count).map(record).collect();
        let bytes = written(&records, Options::new());
        let (mut parts, mut rest) = (Vec::new(), &bytes[..]);
        for size in sizes {
            let (part, behind) = rest.split_at(size.min(rest.len()));
            parts.push(part);
            rest = behind;
        }
        parts.push(rest);
        prop_assert_eq!(read(&parts), records);
    }
}
