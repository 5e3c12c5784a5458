//! What serde writes is what `#[derive(Pack)]` writes for the same type, and each reads the other.

use proptest::collection::{btree_map, btree_set, hash_map, vec};
use proptest::option::of;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::fmt::Debug;
use std::rc::Rc;
use std::sync::Arc;
use upcall_pack::serde::Shape;
use upcall_pack::{Options, Pack, Reader, Text, Unpack, Writer, serde as bridge};

/// Both write the same, and each reads it.
fn same<T>(value: &T)
where
    T: Pack + for<'a> Unpack<'a> + Serialize + for<'a> Deserialize<'a> + PartialEq + Debug,
{
    for text in [Text::Utf8, Text::Utf8WithoutLength, Text::Utf16] {
        let options = Options::new().text(text);
        let packed = options.to_vec(value).unwrap();
        let mut written = Vec::new();
        let mut writer = Writer::with(&mut written, options);
        bridge::write(value, &mut writer).unwrap();
        assert_eq!(writer.finish(), packed.len());
        assert_eq!(written, packed, "{value:?}");
        assert_eq!(&bridge::from_slice::<T>(&packed).unwrap(), value);
        assert_eq!(&upcall_pack::from_slice::<T>(&written).unwrap(), value);
        let middle = packed.len() / 2;
        let parts = [&packed[..middle], &packed[middle..]];
        let mut reader = Reader::of_parts(&parts, options);
        assert_eq!(&bridge::read::<T>(&mut reader).unwrap(), value);
        assert_eq!(reader.remaining(), 0);
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Pack)]
#[pack(crate = upcall_pack)]
struct Numbers {
    a: i8,
    b: u8,
    c: i16,
    d: u16,
    e: i32,
    f: u32,
    g: i64,
    h: u64,
    i: i128,
    j: u128,
    k: f32,
    l: f64,
    m: bool,
    n: char,
    o: usize,
    p: isize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Pack)]
#[pack(crate = upcall_pack)]
#[repr(i32)]
enum Color {
    #[default]
    Red,
    Green,
    Blue,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Pack)]
#[pack(crate = upcall_pack)]
struct Unit;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Pack)]
#[pack(crate = upcall_pack)]
struct Meters(f32);

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Pack)]
#[pack(crate = upcall_pack)]
struct Pair(u8, String);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Pack)]
#[pack(crate = upcall_pack)]
struct Node {
    name: String,
    color: Color,
    kids: Vec<Node>,
    next: Option<Box<Node>>,
    shape: Option<Form>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Pack)]
#[pack(union, crate = upcall_pack)]
enum Form {
    Empty(Unit),
    Length(Meters),
    Pair(Pair),
    Node(Box<Node>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Pack)]
#[pack(crate = upcall_pack)]
struct Maybes {
    number: Option<i32>,
    wide: Option<u128>,
    flag: Option<bool>,
    color: Option<Color>,
    text: Option<String>,
    list: Option<Vec<Option<u16>>>,
    object: Option<Meters>,
    union: Option<Form>,
    raw: Option<(u8, u32)>,
    managed: Option<(u8, String)>,
    array: Option<[u8; 3]>,
    map: Option<BTreeMap<u8, Option<String>>>,
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{0,20}", "\\PC{0,20}"]
}

fn color() -> impl Strategy<Value = Color> {
    prop_oneof![Just(Color::Red), Just(Color::Green), Just(Color::Blue)]
}

fn node() -> impl Strategy<Value = Node> {
    let leaf = (text(), color()).prop_map(|(name, color)| Node {
        name,
        color,
        kids: Vec::new(),
        next: None,
        shape: None,
    });
    leaf.prop_recursive(4, 24, 4, |inner| {
        let shape = prop_oneof![
            Just(Form::Empty(Unit)),
            any::<f32>()
                .prop_filter("equal to itself", |x| !x.is_nan())
                .prop_map(|x| Form::Length(Meters(x))),
            (any::<u8>(), text()).prop_map(|(a, b)| Form::Pair(Pair(a, b))),
            inner.clone().prop_map(|node| Form::Node(Box::new(node))),
        ];
        (text(), color(), vec(inner.clone(), 0..4), of(inner), of(shape)).prop_map(
            |(name, color, kids, next, shape)| Node { name, color, kids, next: next.map(Box::new), shape },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn numbers_are_written_alike(
        (a, b, c, d, e, f, g, h) in any::<(i8, u8, i16, u16, i32, u32, i64, u64)>(),
        (i, j, m, n, o, p) in any::<(i128, u128, bool, char, usize, isize)>(),
        (k, l) in (-1e9..1e9_f32, -1e99..1e99_f64),
    ) {
        same(&Numbers { a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p });
    }

    #[test]
    fn objects_and_unions_in_one_another_are_written_alike(node in node()) {
        same(&node);
        same(&vec![node.clone(); 2]);
        same(&Some(Form::Node(Box::new(node))));
    }

    #[test]
    fn nulls_are_written_alike(
        (number, wide, flag, raw) in (of(any::<i32>()), of(any::<u128>()), of(any::<bool>()), of(any::<(u8, u32)>())),
        (color, text, list) in (of(color()), of(text()), of(vec(of(any::<u16>()), 0..5))),
        (object, union) in (of(Just(Meters(1.5))), of(Just(Form::Empty(Unit)))),
        managed in of((any::<u8>(), text())),
        array in of(any::<[u8; 3]>()),
        map in of(btree_map(any::<u8>(), of(text()), 0..4)),
    ) {
        same(&Maybes { number, wide, flag, color, text, list, object, union, raw, managed, array, map });
    }

    #[test]
    fn lists_sets_and_maps_are_written_alike(
        lists in vec((vec(any::<i32>(), 0..9), vec(text(), 0..9)), 0..4),
        sets in (btree_set(text(), 0..5), btree_set(any::<char>(), 0..5)),
        maps in (btree_map(text(), any::<i64>(), 0..5), btree_map(any::<u8>(), any::<u32>(), 0..5)),
        tuples in btree_map(any::<(u8, u16)>(), (any::<u8>(), of(any::<u64>())), 0..5),
        hashed in hash_map(any::<u8>(), text(), 0..2),
        bytes in vec(any::<u8>(), 0..40),
    ) {
        same(&lists);
        same(&sets);
        same(&maps);
        same(&tuples);
        same(&hashed.into_iter().take(1).collect::<HashMap<_, _>>());
        same(&bytes);
        same(&bytes.into_iter().collect::<VecDeque<_>>());
    }

    #[test]
    fn tuples_lie_as_the_clr_puts_them(
        (a, b, c, d, e) in any::<(u8, u16, u32, u64, u128)>(),
        (f, g, h) in (any::<char>(), any::<bool>(), text()),
    ) {
        same(&(a,));
        same(&(a, c));
        same(&(a, c, b, d, e));
        same(&(f, a, g));
        same(&(a, a, a));
        same(&(c, c, c));
        same(&[c, c, c]);
        same(&[[a, a, a], [a, a, a]]);
        same(&([a, a, a], b, (a, a, a)));
        same(&(h.clone(), h.clone()));
        same(&[h.clone(), h.clone()]);
        same(&(a, h.clone(), c));
        same(&(a, (h.clone(), b), Some((g, e)), [Some(b); 2]));
        same(&(a, c, d, g, f, b, a, c));
        same(&(a, c, d, g, f, b, a, c, d, a));
        same(&(a, c, d, g, f, b, a, c, d, a, b, e));
        same(&(h.clone(), c, d, g, f, b, a, a, c, d));
        same(&(h.clone(), c, d, g, f, b, a, a, h.clone(), d));
        same(&(h.clone(), c, d, g, f, b, a, a, h, d, a, b));
        same(&vec![(a, c); 3]);
        same(&vec![[b; 5]; 3]);
    }
}

#[test]
fn pointers_are_what_they_point_to() {
    same(&(Box::new(1_u8), Rc::new("two".to_owned()), Arc::new(vec![3])));
    same(&vec![Box::new("four".to_owned())]);
}

#[derive(Debug, PartialEq, Serialize, Deserialize, Pack)]
#[pack(crate = upcall_pack)]
struct View<'a> {
    text: &'a str,
    bytes: &'a [u8],
    maybe: Option<&'a str>,
    #[serde(borrow)]
    either: Cow<'a, str>,
}

#[test]
fn text_and_bytes_are_borrowed() {
    let view = View { text: "text", bytes: &[1, 2, 3], maybe: Some("é"), either: "either".into() };
    let bytes = bridge::to_vec(&view).unwrap();
    assert_eq!(bytes, upcall_pack::to_vec(&view).unwrap());
    let read = bridge::from_slice::<View<'_>>(&bytes).unwrap();
    assert_eq!(read, view);
    let range = bytes.as_ptr_range();
    for at in [read.text.as_ptr(), read.bytes.as_ptr(), read.maybe.unwrap().as_ptr(), read.either.as_ptr()] {
        assert!(range.contains(&at), "it was copied");
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Event {
    Nothing,
    Number(u16),
    Text(String),
    Person(Meters),
    Move { x: i32, y: Option<i32> },
    Pair(u8, String),
    Inner(Form),
    Maybe(Option<Meters>),
}

#[derive(Debug, PartialEq, Pack)]
#[pack(crate = upcall_pack)]
struct One<T>(T);

#[test]
fn variants_without_a_class_are_classes_of_their_fields() {
    let cases: [(Event, &[u8]); 8] = [
        (Event::Nothing, &[0, 0]),
        (Event::Number(7), &[1, 1, 7, 0]),
        (Event::Text("a".into()), &[2, 1, 0xFE, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, b'a']),
        (Event::Person(Meters(0.0)), &[3, 1, 0, 0, 0, 0]),
        (Event::Move { x: 1, y: Some(2) }, &[4, 2, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]),
        (Event::Pair(9, String::new()), &[5, 2, 9, 0, 0, 0, 0]),
        (Event::Inner(Form::Empty(Unit)), &[6, 0, 0]),
        (Event::Maybe(None), &[7, 1, 0xFF]),
    ];
    for (event, bytes) in cases {
        assert_eq!(bridge::to_vec(&event).unwrap(), bytes, "{event:?}");
        assert_eq!(bridge::from_slice::<Event>(bytes).unwrap(), event);
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Renamed {
    #[serde(rename = "1", alias = "one", alias = "uno")]
    first: u8,
    #[serde(skip)]
    skipped: u32,
    #[serde(default, alias = "zwei")]
    second: Option<String>,
    #[serde(with = "halves")]
    third: f64,
}

/// A formatter, serde's way.
mod halves {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        ((value * 2.0) as i32).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        i32::deserialize(deserializer).map(|twice| f64::from(twice) / 2.0)
    }
}

#[test]
fn names_do_not_matter_and_attributes_of_both_directions_hold() {
    let value = Renamed { first: 1, skipped: 0, second: None, third: 1.5 };
    let bytes = bridge::to_vec(&value).unwrap();
    assert_eq!(bytes, [3, 1, 0xFF, 0xFF, 0xFF, 0xFF, 3, 0, 0, 0]);
    assert_eq!(bridge::from_slice::<Renamed>(&bytes).unwrap(), value);
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Aliased {
    #[serde(alias = "first", alias = "zero")]
    First,
    #[serde(rename = "2nd", alias = "second")]
    Second(u8),
    Third,
}

#[test]
fn variants_with_other_names_have_their_index() {
    let cases: [(Aliased, &[u8]); 3] =
        [(Aliased::First, &[0, 0]), (Aliased::Second(5), &[1, 1, 5]), (Aliased::Third, &[2, 0])];
    for (value, bytes) in cases {
        assert_eq!(bridge::to_vec(&value).unwrap(), bytes);
        assert_eq!(bridge::from_slice::<Aliased>(bytes).unwrap(), value);
    }
    assert!(bridge::from_slice::<Aliased>(&[3, 0]).is_err());
}

/// Whose values end only in its last variant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Sum {
    Add(Box<Sum>, Box<Sum>),
    Subtract(Box<Sum>, Box<Sum>),
    Multiply(Box<Sum>, Box<Sum>),
    Number(u8),
}

#[test]
fn enums_in_themselves_are_keys_and_first_in_tuples() {
    let number = Box::new(Sum::Number(1));
    let value = (Sum::Add(number.clone(), number), 7_u8);
    let map = BTreeMap::from([value]);
    let bytes = bridge::to_vec(&map).unwrap();
    assert_eq!(bytes, [1, 0, 0, 0, 0, 2, 3, 1, 1, 3, 1, 1, 7]);
    assert_eq!(bridge::from_slice::<BTreeMap<Sum, u8>>(&bytes).unwrap(), map);
}

/// None of whose values is finite.
#[derive(Debug, Serialize, Deserialize)]
enum Never {
    Two(Box<Never>, Box<Never>),
    Three(Box<Never>, Box<Never>, Box<Never>),
}

#[test]
fn an_enum_without_a_finite_value_is_refused_at_once_where_a_sample_is_needed() {
    let error = Shape::of::<(Never, u8)>().unwrap_err();
    assert!(error.to_string().contains("no small value of it was found"), "{error}");
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Newer {
    old: u8,
    #[serde(default)]
    new: u32,
}

#[test]
fn members_that_the_bytes_lack_have_their_default() {
    let older = upcall_pack::to_vec(&One(9_u8)).unwrap();
    assert_eq!(bridge::from_slice::<Newer>(&older).unwrap(), Newer { old: 9, new: 0 });
}

#[test]
fn types_that_only_write_are_written_by_the_shape_of_one_that_reads() {
    let shape = Shape::of::<Vec<Option<(u8, u32)>>>().unwrap();
    let items: &[Option<(u8, u32)>] = &[None, Some((1, 2))];
    assert_eq!(shape.to_vec(items).unwrap(), upcall_pack::to_vec(items).unwrap());
}

#[test]
fn types_of_the_standard_library_have_a_form() {
    fn comes_back<T: Serialize + for<'a> Deserialize<'a> + PartialEq + Debug>(value: T) {
        let bytes = bridge::to_vec(&value).unwrap();
        assert_eq!(bridge::from_slice::<T>(&bytes).unwrap(), value);
    }
    comes_back(std::time::Duration::new(5, 6));
    comes_back(std::time::SystemTime::UNIX_EPOCH);
    comes_back(1..5_u8);
    comes_back(std::num::NonZeroU8::new(5));
    comes_back(std::net::IpAddr::from([127, 0, 0, 1]));
    comes_back("[::1]:80".parse::<std::net::SocketAddr>().unwrap());
    comes_back(Ok::<u8, String>(1));
    comes_back(std::ops::Bound::Included(5_u8));
    comes_back(std::path::PathBuf::from("a/b"));
    comes_back(std::ffi::CString::new("c").unwrap());
    comes_back(BTreeSet::from([(1, "a".to_owned())]));
    comes_back(std::num::Wrapping(5_u8));
    comes_back(std::marker::PhantomData::<u8>);
}
