//! Files of columns: what is written, and what is refused.

use proptest::prelude::*;
use upcall_derive::{Blit, Soa};
use upcall_soa::file::{HEADER_MAGIC, Header, Mapped, schema, view};
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

fn refusal(bytes: &[u8]) -> ErrorKind {
    view::<Body>(Page::of(bytes).bytes()).map(|rows| rows.len()).expect_err("it is damaged").kind()
}

#[test]
fn a_file_is_header_offsets_and_aligned_columns() {
    let rows: BodySoaVec = (1..=3).map(body).collect();
    let bytes = written(&rows);
    assert_eq!(bytes[..8], *b"\x89SOA\r\n\x1a\n");
    let header = Header::from_bytes(&bytes).unwrap();
    let expected = Header { magic: HEADER_MAGIC, version: 1, columns: 4, schema: schema::<Body>(), rows: 3 };
    assert_eq!(header, expected);
    let offsets: Vec<u64> =
        bytes[32..64].chunks(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap())).collect();
    assert_eq!(offsets, [64, 128, 192, 256]);
    assert_eq!(bytes.len(), 256 + 3 * 6);
    assert_eq!(bytes[64..68], [1, 2, 3, 0]);
    assert_eq!(bytes[128..132], 1f32.to_le_bytes());
    assert_eq!(bytes[192..200], (1u64 << 40).to_le_bytes());
    assert_eq!(bytes[256..262], [1, 0, 255, 255, 2, 0]);
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
        refusal(&bytes)
    };
    assert_eq!(with(0, b"PNG"), ErrorKind::NotColumns);
    assert_eq!(with(8, &[2]), ErrorKind::VersionUnknown);
    assert_eq!(with(12, &[5]), ErrorKind::SchemaDiffers);
    assert_eq!(with(16, &[bytes[16] ^ 1]), ErrorKind::SchemaDiffers);
    assert_eq!(with(24, &u64::MAX.to_le_bytes()), ErrorKind::TooManyRows);
    assert_eq!(with(24, &(u64::MAX / 2).to_le_bytes()), ErrorKind::Truncated);
    assert_eq!(with(24, &(1u64 << 61).to_le_bytes()), ErrorKind::Truncated);
    assert_eq!(with(24, &100u64.to_le_bytes()), ErrorKind::Truncated);
    assert_eq!(with(32, &[65]), ErrorKind::Misplaced);
    assert_eq!(with(32, &[0]), ErrorKind::Misplaced);
    assert_eq!(with(32, &(u64::MAX - 63).to_le_bytes()), ErrorKind::Truncated);
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
        changes in prop::collection::vec((0usize..64, any::<u8>()), 0..4),
        cut in 0usize..400,
    ) {
        let mut bytes = written(&(0..10).map(body).collect());
        bytes.truncate(cut.max(64));
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        if let Ok(rows) = view::<Body>(Page::of(&bytes).bytes()) {
            let sum: u64 = rows.iter().map(|row| u64::from(*row.kind) + row.place.cell).sum();
            std::hint::black_box(sum);
        }
    }
}
