//! Files of columns: what is written, and what is refused.

use proptest::prelude::*;
use upcall_derive::{Blit, Soa};
use upcall_soa::file::{HEADER_MAGIC, Header, Mapped, schema, verify, view};
use upcall_soa::{COLUMN_ALIGN, ErrorKind};

#[derive(Clone, Copy, Debug, PartialEq, Blit)]
#[blit(crate = upcall_abi)]
#[repr(C)]
struct Vec3 {
    x: f32,
    y: f32,
    z: f32,
}

#[derive(Clone, Debug, PartialEq, Soa)]
#[soa(crate = upcall_soa)]
struct Place {
    at: Vec3,
    cell: u64,
}

#[derive(Clone, Debug, PartialEq, Soa)]
#[soa(crate = upcall_soa)]
struct Body {
    kind: u8,
    #[soa(flatten)]
    place: Place,
    grid: [i16; 3],
}

fn body(number: u8) -> Body {
    let at = Vec3 { x: f32::from(number), y: -1.0, z: f32::NAN };
    let place = Place { at: Vec3 { z: 0.5, ..at }, cell: u64::from(number) << 40 };
    Body { kind: number, place, grid: [i16::from(number), -1, 2] }
}

/// As a file lies in memory once it is mapped.
struct Page(Vec<[u64; 8]>, usize);

impl Page {
    fn of(bytes: &[u8]) -> Page {
        let mut page = Page(vec![[0; 8]; bytes.len() / 64 + 2], bytes.len());
        page.bytes_mut().copy_from_slice(bytes);
        page
    }

    fn start(&self) -> usize {
        self.0.as_ptr().addr().next_multiple_of(COLUMN_ALIGN) - self.0.as_ptr().addr()
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: any bytes are bytes; there are 128 more than are asked for.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast::<u8>().add(self.start()), self.1) }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and nobody else looks at them.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast::<u8>().add(self.start()), self.1) }
    }
}

fn written(rows: &BodySoaVec) -> Vec<u8> {
    let mut bytes = Vec::new();
    rows.write_to(&mut bytes).unwrap();
    bytes
}

/// The end of the offsets and checksums of four columns.
const HEAD: usize = 32 + 4 * 8 + 4 * 4;

/// CRC-32, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(
            crc ^ u32::from(*byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 },
        )
    })
}

/// The same with a checksum of the head that is right.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = crc(&bytes[..HEAD]);
    bytes[HEAD..HEAD + 4].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// The same file as version 1 has it: columns of 10 bodies, behind their offsets.
fn older(rows: &BodySoaVec) -> Vec<u8> {
    let mut bytes = written(rows);
    bytes[8] = 1;
    bytes.drain(64..128);
    for at in (32..64).step_by(8) {
        let offset = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) - 64;
        bytes[at..at + 8].copy_from_slice(&offset.to_le_bytes());
    }
    bytes
}

fn refusal(bytes: &[u8]) -> ErrorKind {
    view::<Body>(Page::of(bytes).bytes()).map(|rows| rows.len()).expect_err("it is damaged").kind()
}

#[test]
fn a_file_is_header_offsets_and_aligned_columns() {
    let rows: BodySoaVec = (1..=3).map(body).collect();
    let bytes = written(&rows);
    assert_eq!(bytes[..8], *b"\x89SOA\r\n\x1a\n");
    let header = Header::from_bytes(&bytes).unwrap();
    let expected = Header { magic: HEADER_MAGIC, version: 2, columns: 4, schema: schema::<Body>(), rows: 3 };
    assert_eq!(header, expected);
    let offsets: Vec<u64> =
        bytes[32..64].chunks(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap())).collect();
    assert_eq!(offsets, [128, 192, 256, 320]);
    assert_eq!(bytes.len(), 320 + 3 * 6);
    assert_eq!(bytes[128..132], [1, 2, 3, 0]);
    assert_eq!(bytes[192..196], 1f32.to_le_bytes());
    assert_eq!(bytes[256..264], (1u64 << 40).to_le_bytes());
    assert_eq!(bytes[320..326], [1, 0, 255, 255, 2, 0]);
    let checksums: Vec<u32> =
        bytes[64..HEAD].chunks(4).map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap())).collect();
    let columns = [128..131, 192..192 + 36, 256..256 + 24, 320..320 + 18];
    assert_eq!(checksums, columns.map(|column| crc(&bytes[column])));
    assert_eq!(bytes[HEAD..HEAD + 4], crc(&bytes[..HEAD]).to_le_bytes());
    assert_eq!(crc(b"123456789"), 0xCBF4_3926, "the value that its catalogue gives");
}

#[test]
fn a_file_of_version_1_is_read_and_cannot_be_verified() {
    let rows: BodySoaVec = (0..10).map(body).collect();
    let page = Page::of(&older(&rows));
    assert_eq!(*view::<Body>(page.bytes()).unwrap(), *rows);
    let error = verify::<Body>(page.bytes()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoChecksums);
    assert!(error.to_string().contains("save the rows again"), "{error}");
}

#[test]
fn a_changed_bit_is_found_in_the_head_at_once_and_in_a_column_when_it_is_asked_for() {
    let bytes = written(&(0..10).map(body).collect());
    verify::<Body>(Page::of(&bytes).bytes()).unwrap();
    let (columns, lengths) = ([128, 192, 320, 448], [10, 120, 80, 60]);
    for at in 12..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        let page = Page::of(&bytes);
        let opened = view::<Body>(page.bytes()).map(|_| ()).map_err(|error| error.kind());
        let column = (0..4).find(|index| (columns[*index]..columns[*index] + lengths[*index]).contains(&at));
        if at < HEAD + 4 {
            // Another number of columns says that the checksum is elsewhere.
            let expected = if at < 16 { opened.unwrap_err() } else { ErrorKind::Damaged };
            assert_eq!(opened, Err(expected), "byte {at}");
            assert!([ErrorKind::Damaged, ErrorKind::Truncated].contains(&expected));
            continue;
        }
        assert_eq!(opened, Ok(()), "byte {at}");
        let verified = verify::<Body>(page.bytes());
        match column {
            Some(index) => {
                let error = verified.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Damaged);
                assert!(error.to_string().contains(&format!("column {index} has the checksum ")), "{error}");
            }
            None => assert!(verified.is_ok(), "byte {at} is between columns"),
        }
    }
}

#[test]
fn columns_that_overlap_and_false_numbers_of_rows_are_refused_in_both_versions() {
    let rows: BodySoaVec = (0..10).map(body).collect();
    let files = [(written(&rows), true), (older(&rows), false)];
    for (bytes, new) in files {
        let with = |at: usize, value: u64| {
            let mut bytes = bytes.clone();
            bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
            refusal(&if new { sealed(bytes) } else { bytes })
        };
        let offset = |column: usize| u64::from_le_bytes(*bytes[32 + 8 * column..].first_chunk().unwrap());
        for column in 1..4 {
            assert_eq!(
                with(32 + 8 * column, offset(column - 1)),
                ErrorKind::Misplaced,
                "over the one before"
            );
            assert_eq!(with(32 + 8 * column, offset(column) - 64), ErrorKind::Misplaced, "over its end");
            assert_eq!(with(32 + 8 * column, offset(column) + 64), ErrorKind::Misplaced, "behind a gap");
        }
        assert_eq!(with(32, 0), ErrorKind::Misplaced, "over the head");
        // Fewer rows than there are, whose columns would lie elsewhere; and those that lie where they do.
        for rows in (0..10).chain(11..200) {
            let kind = with(24, rows);
            let expected = [ErrorKind::Misplaced, ErrorKind::RowsDiffer, ErrorKind::Truncated];
            assert!(expected.contains(&kind), "{rows} rows: {kind:?}");
        }
        let more = [&bytes[..], &[0]].concat();
        assert_eq!(refusal(&more), ErrorKind::RowsDiffer);
    }
}

#[test]
fn what_was_written_is_read_where_it_lies() {
    for count in [0, 1, 17, 200] {
        let rows: BodySoaVec = (0..count).map(body).collect();
        let page = Page::of(&written(&rows));
        let view = view::<Body>(page.bytes()).unwrap();
        assert_eq!(*view, *rows);
        if count > 0 {
            assert!(page.bytes().as_ptr_range().contains(&view.columns().kind.as_ptr()));
        }
    }
}

#[test]
fn a_mapped_file_is_the_rows_that_were_saved() {
    let path = std::env::temp_dir().join(format!("upcall-soa-mapped-{}.soa", std::process::id()));
    let rows: BodySoaVec = (0..100).map(body).collect();
    rows.save(&path).unwrap();
    // SAFETY: nobody else uses the file.
    let mapped = unsafe { Mapped::<Body>::open(&path) }.unwrap();
    assert_eq!(*mapped, *rows);
    mapped.verify().unwrap();
    assert_eq!(mapped.place().cell()[7], 7 << 40);
    assert!(mapped.grid().as_ptr().addr().is_multiple_of(COLUMN_ALIGN));
    drop(mapped);
    std::fs::remove_file(&path).unwrap();
    // SAFETY: there is no file.
    let error = unsafe { Mapped::<Body>::open(&path) }.map(|_| ()).expect_err("there is no file");
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().starts_with("cannot map "), "{error}");
}

#[test]
fn rows_may_be_saved_over_the_file_that_they_are_mapped_from() {
    let folder = std::env::temp_dir().join(format!("upcall-soa-saved-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("bodies.soa");
    let many: BodySoaVec = (0..200).cycle().take(20_000).map(body).collect();
    many.save(&path).unwrap();
    // SAFETY: nobody else uses the file; saving puts another in its place.
    let mapped = unsafe { Mapped::<Body>::open(&path) }.unwrap();
    mapped.save(&path).unwrap();
    assert_eq!(*mapped, *many);
    let few: BodySoaVec = (0..3).map(body).collect();
    few.save(&path).unwrap();
    assert_eq!(*mapped, *many);
    // SAFETY: as above.
    assert_eq!(*unsafe { Mapped::<Body>::open(&path) }.unwrap(), *few);
    drop(mapped);
    let error = few.save(&folder).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().starts_with("cannot write columns to "), "{error}");
    let names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["bodies.soa"]);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn each_damage_has_its_name() {
    let bytes = written(&(0..10).map(body).collect());
    let with = |at: usize, value: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        refusal(&sealed(bytes))
    };
    assert_eq!(with(0, b"PNG"), ErrorKind::NotColumns);
    assert_eq!(with(8, &[3]), ErrorKind::VersionUnknown);
    assert_eq!(with(8, &[0]), ErrorKind::VersionUnknown);
    assert_eq!(with(12, &[255; 4]), ErrorKind::Truncated);
    assert_eq!(with(16, &[bytes[16] ^ 1]), ErrorKind::SchemaDiffers);
    assert_eq!(with(24, &u64::MAX.to_le_bytes()), ErrorKind::TooManyRows);
    assert_eq!(with(24, &(u64::MAX / 2).to_le_bytes()), ErrorKind::Truncated);
    assert_eq!(with(24, &(1u64 << 61).to_le_bytes()), ErrorKind::Truncated);
    assert_eq!(with(24, &1000u64.to_le_bytes()), ErrorKind::Truncated);
    assert_eq!(with(32, &[129]), ErrorKind::Misplaced);
    assert_eq!(with(32, &[0]), ErrorKind::Misplaced);
    assert_eq!(with(32, &(u64::MAX - 63).to_le_bytes()), ErrorKind::Misplaced);
    for len in 0..bytes.len() {
        assert_eq!(refusal(&bytes[..len]), ErrorKind::Truncated, "{len} bytes");
    }
    let mut aside = Page::of(&[&[0; 4], &bytes[..]].concat());
    let shifted = view::<Body>(&aside.bytes_mut()[4..]).map(|rows| rows.len());
    assert_eq!(shifted.unwrap_err().kind(), ErrorKind::Misplaced);
}

#[test]
fn another_type_has_another_schema() {
    mod renamed {
        #[derive(upcall_derive::Soa)]
        #[soa(crate = upcall_soa)]
        pub(super) struct Place {
            at: super::Vec3,
            row: u64,
        }
    }
    mod reordered {
        #[derive(upcall_derive::Soa)]
        #[soa(crate = upcall_soa)]
        pub(super) struct Place {
            cell: u64,
            at: super::Vec3,
        }
    }
    mod retyped {
        #[derive(upcall_derive::Soa)]
        #[soa(crate = upcall_soa)]
        pub(super) struct Place {
            at: super::Vec3,
            cell: i64,
        }
    }
    let schemas = [
        schema::<Place>(),
        schema::<renamed::Place>(),
        schema::<reordered::Place>(),
        schema::<retyped::Place>(),
    ];
    for (index, schema) in schemas.iter().enumerate() {
        assert!(!schemas[..index].contains(schema), "{schemas:x?}");
    }
    let mut bytes = Vec::new();
    PlaceSoaVec::new().write_to(&mut bytes).unwrap();
    let error = view::<retyped::Place>(Page::of(&bytes).bytes()).map(|rows| rows.len()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SchemaDiffers);
    let message = error.to_string();
    assert!(message.ends_with("at:Vec3:12:4{x:f32:0:4,y:f32:4:4,z:f32:8:4,}, cell:i64:8:8"), "{message}");
}

proptest! {
    #[test]
    fn whatever_the_bytes_are_they_are_rows_or_an_error(
        changes in prop::collection::vec((0usize..HEAD, any::<u8>()), 0..4),
        cut in 0usize..600,
    ) {
        let mut bytes = written(&(0..10).map(body).collect());
        bytes.truncate(cut.max(HEAD + 4));
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        let bytes = sealed(bytes);
        if let Ok(rows) = view::<Body>(Page::of(&bytes).bytes()) {
            let sum: u64 = rows.iter().map(|row| u64::from(*row.kind) + row.place.cell).sum();
            std::hint::black_box(sum);
        }
    }
}
