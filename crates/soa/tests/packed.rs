//! Columns on the wire: the same as a class of arrays.

mod counted;

use counted::live;
use proptest::prelude::*;
use upcall_pack::{Error, ErrorKind, Fixed, Form, Pack, Reader, Unpack, Writer, from_slice, to_vec};
use upcall_soa::{SoaBox, SoaVec};

#[derive(Clone, Debug, PartialEq, upcall_derive::Soa)]
#[soa(crate = upcall_soa)]
struct Place {
    x: f32,
    y: f32,
}

#[derive(Clone, Debug, PartialEq, upcall_derive::Soa)]
#[soa(crate = upcall_soa)]
struct Body {
    id: u64,
    #[soa(flatten)]
    place: Place,
    awake: bool,
    name: Option<String>,
    tags: Vec<u8>,
}

/// The same as any reader of the format sees it.
#[derive(Debug, PartialEq, Pack)]
#[pack(crate = upcall_pack)]
struct Arrays {
    id: Vec<u64>,
    x: Vec<f32>,
    y: Vec<f32>,
    awake: Vec<bool>,
    name: Vec<Option<String>>,
    tags: Vec<Vec<u8>>,
}

fn body(number: u8) -> Body {
    Body {
        id: u64::from(number) << 32,
        place: Place { x: f32::from(number), y: 0.5 },
        awake: number.is_multiple_of(2),
        name: (!number.is_multiple_of(3)).then(|| format!("number {number}")),
        tags: vec![number; usize::from(number % 4)],
    }
}

fn bodies(count: u8) -> BodySoaVec {
    (0..count).map(body).collect()
}

#[test]
fn columns_are_an_object_of_lists() {
    let points: PlaceSoaVec = [Place { x: 1.0, y: 2.0 }, Place { x: 3.0, y: 4.0 }].into();
    let bytes = to_vec(&points).unwrap();
    let mut expected = vec![2];
    for column in [[1f32, 3.0], [2.0, 4.0]] {
        expected.extend(2i32.to_le_bytes());
        expected.extend(column.iter().flat_map(|number| number.to_le_bytes()));
    }
    assert_eq!(bytes, expected);
    assert_eq!(to_vec(&points.as_slice()).unwrap(), expected);
    assert_eq!(to_vec(&points.clone().into_boxed()).unwrap(), expected);
}

#[test]
fn a_class_of_arrays_reads_columns_and_columns_read_it() {
    for count in [0, 1, 50] {
        let rows = bodies(count);
        let bytes = to_vec(&rows).unwrap();
        let arrays: Arrays = from_slice(&bytes).unwrap();
        assert_eq!(arrays.id, rows.id());
        assert_eq!((&*arrays.x, &*arrays.y), (rows.place().x(), rows.place().y()));
        assert_eq!((&*arrays.awake, &*arrays.name, &*arrays.tags), (rows.awake(), rows.name(), rows.tags()));
        assert_eq!(to_vec(&arrays).unwrap(), bytes);
        assert_eq!(from_slice::<SoaVec<Body>>(&bytes).unwrap(), rows);
        assert_eq!(from_slice::<SoaBox<Body>>(&bytes).unwrap().into_vec(), rows);
    }
}

#[test]
fn reading_over_a_container_keeps_its_memory() {
    let mut rows = bodies(50);
    let before = rows.id().as_ptr();
    upcall_pack::overwrite(&mut rows, &to_vec(&bodies(20)).unwrap()).unwrap();
    assert_eq!(rows, bodies(20));
    assert_eq!(rows.id().as_ptr(), before);
}

#[test]
fn each_damage_is_an_error() {
    let bytes = to_vec(&bodies(9)).unwrap();
    let refusal = |bytes: &[u8]| from_slice::<SoaVec<Body>>(bytes).expect_err("it is damaged").kind();
    for len in 0..bytes.len() {
        refusal(&bytes[..len]);
    }
    let with = |at: usize, value: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        refusal(&bytes)
    };
    assert_eq!(with(0, &[5]), ErrorKind::MembersInvalid);
    assert_eq!(with(0, &[7]), ErrorKind::MembersInvalid);
    assert_eq!(with(0, &[255]), ErrorKind::NullUnexpected);
    assert_eq!(with(1, &i32::MAX.to_le_bytes()), ErrorKind::Truncated);
    assert_eq!(with(1, &[8]), ErrorKind::LengthInvalid);
    let y = 1 + (4 + 9 * 8) + (4 + 9 * 4);
    assert_eq!(with(y, &[8]), ErrorKind::LengthInvalid);
    let awake = y + 4 + 9 * 4;
    assert_eq!(with(awake + 4, &[2]), ErrorKind::ValueInvalid);
}

#[test]
fn a_count_that_a_later_column_cannot_have_is_not_waited_for() {
    let points: PlaceSoaVec = [Place { x: 1.0, y: 2.0 }].into();
    let mut bytes = to_vec(&points).unwrap();
    bytes[9..13].copy_from_slice(&i32::MAX.to_le_bytes());
    let error = from_slice::<SoaVec<Place>>(&bytes).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::LengthInvalid, 9));
}

/// Takes no memory, but a byte on the wire.
#[derive(Debug)]
struct Mark;

impl Pack for Mark {
    const FORM: Form<Self> = Form::Object;
    const MIN: usize = 1;

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.u8(0)
    }
}

#[derive(Debug, upcall_derive::Soa)]
#[soa(crate = upcall_soa)]
struct Marked {
    mark: Mark,
}

#[test]
fn more_rows_than_an_i32_says_are_refused_before_room_is_asked_for() {
    let mut rows = SoaVec::<Marked>::new();
    rows.reserve(1 << 31);
    // SAFETY: a value without memory is there wherever it is looked for.
    unsafe { rows.set_len(1 << 31) };
    let mut bytes = [0; 16];
    let mut sink = Fixed::new(&mut bytes);
    let error = rows.pack(&mut Writer::new(&mut sink)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
}

#[test]
fn a_column_that_is_null_is_an_error_that_says_what_to_write() {
    for at in [1, 5] {
        let mut bytes = to_vec(&bodies(0)).unwrap();
        bytes[at..at + 4].fill(255);
        let error = from_slice::<SoaVec<Body>>(&bytes).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::NullUnexpected, at));
        assert_eq!(error.message(), "null, but a column is never null: its writer sends an empty array");
    }
}

/// Counts itself, and is read from one byte, of which 255 is none.
#[derive(Clone, Debug, PartialEq)]
struct Wired(counted::Counted);

impl Pack for Wired {
    const FORM: upcall_pack::Form<Self> = upcall_pack::Form::Object;
    const MIN: usize = 1;

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.u8(*self.0.0 as u8)
    }
}

impl<'a> Unpack<'a> for Wired {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        match reader.u8()? {
            255 => Err(reader.error(ErrorKind::ValueInvalid, "on request")),
            number => Ok(Wired(counted::Counted::new(number.into()))),
        }
    }
}

#[derive(upcall_derive::Soa)]
#[soa(crate = upcall_soa)]
struct Pair {
    a: Wired,
    b: Wired,
}

#[test]
fn what_was_read_before_an_error_is_dropped() {
    let good = [2, 3, 0, 0, 0, 1, 2, 3, 3, 0, 0, 0, 4, 5, 6];
    assert_eq!(*from_slice::<SoaVec<Pair>>(&good).unwrap().b()[1].0.0, 5);
    for at in [5, 6, 7, 12, 13, 14] {
        let mut bad = good;
        bad[at] = 255;
        assert!(from_slice::<SoaVec<Pair>>(&bad).is_err());
        assert_eq!(live(), 0);
    }
}

/// Takes much more memory than bytes: one, of which 255 is none.
#[derive(Clone, Debug, PartialEq)]
struct Wide(Wired, [u8; 1 << 14]);

impl Pack for Wide {
    const FORM: upcall_pack::Form<Self> = upcall_pack::Form::Object;
    const MIN: usize = 1;

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        self.0.pack(writer)
    }
}

impl<'a> Unpack<'a> for Wide {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Wide(Wired::unpack(reader)?, [7; 1 << 14]))
    }
}

#[derive(Clone, Debug, PartialEq, upcall_derive::Soa)]
#[soa(crate = upcall_soa)]
struct Sparse {
    #[soa(flatten)]
    inner: Inner,
    number: u16,
}

#[derive(Clone, Debug, PartialEq, upcall_derive::Soa)]
#[soa(crate = upcall_soa)]
struct Inner {
    wide: Wide,
}

#[test]
fn a_count_of_wide_rows_is_only_a_claim() {
    const CLAIMED: usize = 1 << 25;
    let mut bytes = vec![255; 5 + 3 * CLAIMED];
    bytes[0] = 2;
    bytes[1..5].copy_from_slice(&(CLAIMED as i32).to_le_bytes());
    assert_eq!(from_slice::<SoaVec<Sparse>>(&bytes).unwrap_err().kind(), ErrorKind::ValueInvalid);
}

#[test]
fn wide_rows_are_read_and_what_was_read_before_an_error_is_dropped() {
    let row = |number: u16| {
        let wired = Wired(counted::Counted::new(number.into()));
        Sparse { inner: Inner { wide: Wide(wired, [7; 1 << 14]) }, number }
    };
    let rows: SoaVec<Sparse> = (0..100).map(row).collect();
    let mut bytes = to_vec(&rows).unwrap();
    assert_eq!(from_slice::<SoaVec<Sparse>>(&bytes).unwrap(), rows);
    drop(rows);
    assert_eq!(live(), 0);
    bytes[5 + 100] = 99;
    assert_eq!(from_slice::<SoaVec<Sparse>>(&bytes).unwrap_err().kind(), ErrorKind::LengthInvalid);
    bytes[5 + 50] = 255;
    assert_eq!(from_slice::<SoaVec<Sparse>>(&bytes).unwrap_err().kind(), ErrorKind::ValueInvalid);
    assert_eq!(live(), 0);
}

proptest! {
    #[test]
    fn whatever_the_bytes_are_they_are_rows_or_an_error(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let mut bytes = to_vec(&bodies(7)).unwrap();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(rows) = from_slice::<SoaVec<Body>>(&bytes) {
            // Not the same bytes: the format has several forms of one string.
            let again = to_vec(&rows).unwrap();
            prop_assert_eq!(to_vec(&from_slice::<SoaVec<Body>>(&again).unwrap()).unwrap(), again);
        }
    }
}
