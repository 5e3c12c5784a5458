//! Unions, version-tolerant and circular objects whose tags, lengths and references lie.

use golden::types::{Iu, Node, Ua, Vt, VtLong};
use upcall_pack::{Error, ErrorKind, Graph, Pack, Ref, Unpack, from_slice};

fn refused<T: for<'a> Unpack<'a> + std::fmt::Debug>(bytes: &[u8]) -> (ErrorKind, usize) {
    let error = from_slice::<T>(bytes).expect_err("these bytes are not a value");
    (error.kind(), error.offset())
}

#[test]
fn a_tag_of_no_variant_is_refused() {
    use ErrorKind::{NullUnexpected, TagUnknown, Truncated};
    assert_eq!(refused::<Iu>(&[1, 1, 9, 0, 0, 0]), (TagUnknown, 0));
    assert_eq!(refused::<Iu>(&[249, 1, 9, 0, 0, 0]), (TagUnknown, 0));
    assert_eq!(refused::<Iu>(&[250, 0x2d, 1, 0xff]), (TagUnknown, 0));
    assert_eq!(refused::<Iu>(&[250, 0x2c]).0, Truncated);
    assert_eq!(refused::<Iu>(&[255]), (NullUnexpected, 0));
    for header in 251..=254 {
        assert!(from_slice::<Iu>(&[header, 0, 0, 0]).is_err(), "{header} begins nothing");
        assert!(from_slice::<Option<Iu>>(&[header, 0, 0, 0]).is_err(), "{header} begins nothing");
    }
    assert_eq!(
        from_slice::<Iu>(&[250, 0, 0, 1, 9, 0, 0, 0]).unwrap(),
        Iu::Ua(Ua { x: 9 }),
        "a short tag in its long form"
    );
}

/// A version-tolerant `Vt` with these slot lengths and values.
fn vt(lengths: &[u8], values: &[u8]) -> Vec<u8> {
    [lengths, values].concat()
}

#[test]
fn slots_end_where_their_length_says() {
    let five = [5, 0, 0, 0];
    let longer = vt(&[2, 6, 8], &[five.as_slice(), &[0xaa, 0xaa], &7_i64.to_le_bytes()].concat());
    assert_eq!(from_slice::<Vt>(&longer).unwrap(), Vt { a: 5, b: 7, s: None }, "what is more is passed over");
    let newer =
        vt(&[5, 4, 8, 0, 4, 2], &[five.as_slice(), &7_i64.to_le_bytes(), &[0xff; 4], &[1, 2]].concat());
    assert_eq!(from_slice::<Vt>(&newer).unwrap(), Vt { a: 5, b: 7, s: None }, "a slot that nobody knows");
    for lengths in [[2, 3, 8], [2, 4, 7], [2, 0xff, 8], [2, 4, 0xff], [2, 127, 8], [2, 4, 9]] {
        let bytes = vt(&lengths, &[five.as_slice(), &7_i64.to_le_bytes()].concat());
        assert!(from_slice::<Vt>(&bytes).is_err(), "{lengths:?}");
    }
}

#[test]
fn a_slot_length_beyond_the_input_or_below_zero_is_refused() {
    let long = |code: u8, length: &[u8]| [[1, code].as_slice(), length, &[0; 64]].concat();
    let (u16s, u32s, u64s) = (0x8000_u16.to_le_bytes(), u32::MAX.to_le_bytes(), u64::MAX.to_le_bytes());
    let (i16s, i32s, i64s) = (i16::MIN.to_le_bytes(), i32::MIN.to_le_bytes(), i64::MIN.to_le_bytes());
    for bytes in [
        long(-121_i8 as u8, &[255]),
        long(-122_i8 as u8, &[200]),
        long(-123_i8 as u8, &u16s),
        long(-124_i8 as u8, &i16s),
        long(-125_i8 as u8, &u32s),
        long(-126_i8 as u8, &i32s),
        long(-127_i8 as u8, &u64s),
        long(-128_i8 as u8, &i64s),
        long(-1_i8 as u8, &[]),
        long(127, &[]),
        // Two that are too much only together.
        [[2, 60, 60].as_slice(), &[0; 64]].concat(),
        [[2, 4, 0x84, 0xff, 0x7f].as_slice(), &[0; 64]].concat(),
    ] {
        let error = from_slice::<VtLong>(&bytes).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Truncated | ErrorKind::LengthInvalid | ErrorKind::ValueInvalid),
            "{bytes:?}: {error:?}"
        );
        assert!(error.offset() <= bytes.len());
    }
}

#[test]
fn many_slots_that_nobody_knows_are_passed_over() {
    let mut bytes = vec![249];
    bytes.extend([1; 249]);
    let error = from_slice::<Vt>(&[bytes.clone(), vec![0; 249]].concat());
    assert!(error.is_err(), "slot 0 is four bytes, not one");
    bytes[1..].fill(0);
    assert_eq!(from_slice::<Vt>(&bytes).unwrap(), Vt::default(), "249 holes");
}

fn graph(bytes: &[u8]) -> Result<Graph<Ref<Node>>, Error> {
    from_slice(bytes)
}

/// A node of this id, with a parent.
fn node(id: u8, parent: &[u8]) -> Vec<u8> {
    [[2, parent.len() as u8, 4, id].as_slice(), parent, &[0xff; 4]].concat()
}

#[test]
fn a_reference_to_what_was_not_there_is_refused() {
    let itself = graph(&node(0, &[250, 0])).unwrap();
    assert_eq!(itself.arena[itself.root].parent, Some(itself.root), "an object may refer to itself");
    for bytes in [
        vec![250, 0],
        node(0, &[250, 1]),
        node(0, &[250, 0x7f]),
        node(0, &[250, -125_i8 as u8, 0xff, 0xff, 0xff, 0xff]),
        node(0, &[250, -127_i8 as u8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
    ] {
        let error = graph(&bytes).expect_err("a reference to nothing");
        assert!(
            matches!(error.kind(), ErrorKind::ReferenceInvalid | ErrorKind::ValueInvalid),
            "{bytes:?}: {error:?}"
        );
    }
}

#[test]
fn an_id_that_is_there_already_is_refused() {
    let inner = node(0, &[255]);
    let error = graph(&node(0, &inner)).expect_err("two objects of one id");
    assert_eq!(error.kind(), ErrorKind::ReferenceInvalid);
}

/// A class beside `Node` with ids from the same counter.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, circular)]
struct Other {
    node: Option<Ref<Node>>,
    other: Option<Ref<Other>>,
}

#[test]
fn a_reference_to_an_object_of_another_type_is_refused() {
    let inner = node(1, &[255]);
    let bytes = |reference: u8| [[2, inner.len() as u8, 2, 0].as_slice(), &inner, &[250, reference]].concat();
    let read: Graph<Ref<Other>> = from_slice(&bytes(0)).unwrap();
    assert_eq!(read.arena[read.root].other, Some(read.root));
    assert_eq!(refused::<Graph<Ref<Other>>>(&bytes(1)).0, ErrorKind::ReferenceInvalid);
}
