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
    reader.feed(&[1, 0, 0, 0, 100, 0, 0, 0]).unwrap();
    assert_eq!(reader.next::<Vec<u8>>().unwrap(), None);
    assert_eq!(reader.feed(&[0; 7]).unwrap_err().kind(), ErrorKind::LengthInvalid);
    reader.feed(&[0; 6]).unwrap();
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
    // Neither is read later than with its last byte.
    let first = 4 + upcall_pack::packed_len(&large).unwrap();
    assert_eq!(found, [(first - 1, large), (bytes.len() - 1, record(3))]);
    // The header, the number, both lengths of the text, the text, the count of the list, the list.
    assert!(TRIES.get() <= 2 * 8, "{} times", TRIES.get());
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
