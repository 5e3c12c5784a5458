//! Version-tolerant and circular objects, and unions: bytes of the original, and what a reader does with them.

use std::fmt::Debug;
use upcall_pack::{
    Arena, ErrorKind, Graph, Pack, Ref, Unpack, from_slice, overwrite, overwrite_keeping, packed_len,
    to_slice, to_vec,
};

#[derive(Clone, Debug, Default, PartialEq, Pack)]
#[pack(version_tolerant, crate = upcall_pack)]
struct Vt {
    #[pack(order = 0)]
    a: i32,
    #[pack(order = 3)]
    s: Option<String>,
    #[pack(order = 1)]
    b: i64,
}

#[derive(Clone, Debug, Default, PartialEq, Pack)]
#[pack(version_tolerant, struct, crate = upcall_pack)]
struct VtS {
    a: i32,
    s: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Pack)]
#[pack(version_tolerant, crate = upcall_pack)]
struct VtBytes {
    a: Vec<u8>,
}

#[derive(Clone, Debug, Default, PartialEq, Pack)]
#[pack(version_tolerant, crate = upcall_pack)]
struct Chain {
    name: String,
    next: Option<Box<Chain>>,
}

#[derive(Clone, Debug, Default, PartialEq, Pack)]
#[pack(circular, crate = upcall_pack)]
struct Node {
    parent: Option<Ref<Node>>,
    kids: Option<Vec<Ref<Node>>>,
}

#[derive(Clone, Debug, PartialEq, Pack)]
#[pack(crate = upcall_pack)]
struct A {
    x: i32,
}

#[derive(Clone, Debug, PartialEq, Pack)]
#[pack(crate = upcall_pack)]
struct B {
    y: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Pack)]
#[pack(union, crate = upcall_pack)]
enum Either {
    A(A),
    #[pack(tag = 300)]
    B(Box<B>),
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// Written where there is more room than the value takes, and where there is just as much.
#[track_caller]
fn in_one_window<T: Pack>(value: &T) -> Vec<u8> {
    let mut exact = vec![0; packed_len(value).unwrap()];
    let mut more = vec![0xEE; exact.len() + 100];
    assert_eq!(to_slice(value, &mut exact).unwrap(), exact.len());
    assert_eq!(to_slice(value, &mut more).unwrap(), exact.len());
    assert_eq!((&more[..exact.len()], &more[exact.len()..]), (&exact[..], &[0xEE; 100][..]));
    exact
}

#[track_caller]
fn both<T: for<'a> Unpack<'a> + Pack + PartialEq + Debug>(value: T, expected: &str) {
    let bytes = to_vec(&value).unwrap();
    assert_eq!(hex(&bytes), expected);
    assert_eq!(packed_len(&value).unwrap(), bytes.len());
    assert_eq!(in_one_window(&value), bytes);
    assert_eq!(from_slice::<T>(&bytes).unwrap(), value);
}

#[test]
fn version_tolerant_objects_match_the_original() {
    both(Vt { a: 1, b: 2, s: Some("hi".into()) }, "040408000A010000000200000000000000FDFFFFFF020000006869");
    both(Vt { a: 1, b: 2, s: None }, "0404080004010000000200000000000000FFFFFFFF");
    both(VtS { a: 1, s: Some("a".into()) }, "02040901000000FEFFFFFF0100000061");
    both(VtBytes { a: vec![0; 196] }, &format!("0184C800C4000000{}", "00".repeat(196)));
    both(VtBytes { a: vec![0; 123] }, &format!("017F7B000000{}", "00".repeat(123)));
}

#[test]
fn slots_that_are_not_known_are_skipped_and_missing_ones_are_defaults() {
    let mut older = VtS { a: 0, s: None };
    // Slot 1 is an i64 in the newer type and a string in the older, so the two have slot 0 in common.
    assert_eq!(overwrite(&mut older, &[3, 4, 0, 2, 7, 0, 0, 0, 9, 9]), Ok(()));
    assert_eq!(older, VtS { a: 7, s: None });
    let mut kept = Vt { a: 1, b: 2, s: Some("kept".into()) };
    overwrite_keeping(&mut kept, &[1, 4, 9, 0, 0, 0]).unwrap();
    assert_eq!(kept, Vt { a: 9, b: 2, s: Some("kept".into()) });
    overwrite(&mut kept, &[1, 4, 9, 0, 0, 0]).unwrap();
    assert_eq!(kept, Vt { a: 9, b: 0, s: None });
    assert_eq!(from_slice::<Vt>(&[0]).unwrap(), Vt::default());
}

#[test]
fn a_slot_shorter_than_its_value_is_an_error() {
    let error = from_slice::<VtS>(&[1, 4, 1, 0, 0]).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Truncated, 0));
    let error = from_slice::<VtS>(&[2, 3, 1, 1, 0, 0, 0]).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::LengthInvalid, 3));
}

#[test]
fn objects_in_slots_in_objects_in_slots_are_measured_once() {
    let mut chain = Chain { name: "end".into(), next: None };
    for depth in 0..if cfg!(miri) { 8 } else { 50 } {
        chain = Chain { name: format!("{depth}"), next: Some(Box::new(chain)) };
    }
    let bytes = to_vec(&vec![chain.clone(), chain.clone()]).unwrap();
    assert_eq!(in_one_window(&vec![chain.clone(), chain.clone()]), bytes);
    assert_eq!(from_slice::<Vec<Chain>>(&bytes).unwrap(), [chain.clone(), chain]);
}

#[test]
fn circles_match_the_original() {
    let mut arena = Arena::new();
    let root = arena.add(Node::default());
    let kid = arena.add(Node { parent: Some(root), kids: None });
    arena[root].kids = Some(vec![kid]);
    graph(&Graph { arena, root: Some(root) }, "02010E00FF0100000002020401FA00FFFFFFFF");

    let mut arena = Arena::new();
    let shared = arena.add(Node::default());
    let root = arena.add(Node { parent: Some(shared), kids: Some(vec![shared, shared]) });
    graph(&Graph { arena, root }, "0209080002010401FFFFFFFFFF02000000FA01FA01");

    let mut arena = Arena::new();
    let nodes = vec![arena.add(Node::default()), arena.add(Node::default())];
    graph(&Graph { arena, root: nodes }, "0200000002010400FFFFFFFFFF02010401FFFFFFFFFF");

    let mut arena = Arena::new();
    let node = arena.add(Node::default());
    graph(&Graph { arena, root: vec![node, node] }, "0200000002010400FFFFFFFFFFFA00");
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn ids_of_more_than_a_byte_match_the_original() {
    let mut arena = Arena::new();
    let mut kids: Vec<_> = (0..200).map(|_| arena.add(Node::default())).collect();
    kids.push(kids[150]);
    let root = arena.add(Node { parent: None, kids: Some(kids) });
    let many = Graph { arena, root };
    let bytes = to_vec(&many).unwrap();
    assert_eq!(in_one_window(&many), bytes);
    assert!(hex(&bytes).starts_with("020184A20700FFC900000002010401FFFFFFFFFF"));
    assert!(hex(&bytes).ends_with("02010485C800FFFFFFFFFFFA859700"));
}

#[track_caller]
fn graph<R: for<'a> Unpack<'a>>(graph: &Graph<R>, expected: &str) {
    let bytes = to_vec(graph).unwrap();
    assert_eq!(hex(&bytes), expected);
    assert_eq!(packed_len(graph).unwrap(), bytes.len());
    assert_eq!(in_one_window(graph), bytes);
    let read: Graph<R> = from_slice(&bytes).unwrap();
    assert_eq!(read.arena.iter::<Node>().count(), graph.arena.iter::<Node>().count());
    assert_eq!(to_vec(&read).unwrap(), bytes);
}

#[test]
fn references_that_lead_nowhere_are_errors() {
    let read = |bytes: &[u8]| from_slice::<Graph<Vec<Ref<Node>>>>(bytes).unwrap_err();
    let unknown = read(b"\x01\0\0\0\xFA\x05");
    assert_eq!((unknown.kind(), unknown.offset()), (ErrorKind::ReferenceInvalid, 4));
    let twice = read(b"\x02\0\0\0\x00\x07\x00\x07");
    assert_eq!((twice.kind(), twice.offset()), (ErrorKind::ReferenceInvalid, 6));
    assert_eq!(from_slice::<Ref<Node>>(b"\x00\x00").unwrap_err().kind(), ErrorKind::Unsupported);
    let foreign = Graph { arena: Arena::new(), root: Arena::new().add(Node::default()) };
    assert_eq!(to_vec(&foreign).unwrap_err().kind(), ErrorKind::ReferenceInvalid);
    assert_eq!(to_vec(&foreign.root).unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn a_reference_to_an_object_of_another_type_is_an_error() {
    #[derive(Debug, Default, Pack)]
    #[pack(circular, crate = upcall_pack)]
    struct Other {
        _node: Option<Ref<Node>>,
        _self: Option<Ref<Other>>,
    }
    let error = from_slice::<Graph<Ref<Other>>>(b"\x01\x02\x00\xFA\x00").unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::ReferenceInvalid, 3));
    assert!(from_slice::<Graph<Ref<Other>>>(b"\x02\x00\x02\x00\xFA\x00").is_ok());
}

#[test]
fn unions_match_the_original() {
    both(Either::A(A { x: 9 }), "000109000000");
    both(Either::B(Box::new(B { y: Some("z".into()) })), "FA2C0101FEFFFFFF010000007A");
    both(None::<Either>, "FF");
}

#[test]
fn a_union_is_overwritten_by_another_class_and_refuses_unknown_tags() {
    let mut either = Either::A(A { x: 1 });
    for value in [Either::A(A { x: 2 }), Either::B(Box::new(B { y: None })), Either::A(A { x: 3 })] {
        overwrite(&mut either, &to_vec(&value).unwrap()).unwrap();
        assert_eq!(either, value);
    }
    for (bytes, offset) in [(&[5u8, 0, 0][..], 0), (&[250, 44, 2], 0), (&[251, 0, 0], 0)] {
        let error = from_slice::<Either>(bytes).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::TagUnknown, offset));
    }
    // Whether the class is there already or not, an error in it names the variant.
    for mut either in [Either::A(A { x: 1 }), Either::B(Box::new(B { y: None }))] {
        let error = overwrite(&mut either, &[0, 1, 9]).unwrap_err();
        assert_eq!(error.path().collect::<Vec<_>>(), ["Either.A", "A.x"]);
    }
}
