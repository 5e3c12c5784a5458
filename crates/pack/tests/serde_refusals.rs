//! What the format cannot express is an error that names the type and says what to do, in both directions.

use serde::ser::{SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple};
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;
use upcall_pack::serde::Shape;
use upcall_pack::{Error, ErrorKind, serde as bridge};

/// The error of a type that has no form.
fn refused<T: for<'a> Deserialize<'a>>() -> String {
    let error = Shape::of::<T>().expect_err("it has a shape");
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    let read = bridge::from_slice::<T>(&[0; 64]).err().expect("it was read");
    assert_eq!(read, error);
    error.to_string()
}

fn has(error: &str, words: &[&str]) {
    for word in words {
        assert!(error.contains(word), "{error:?} lacks {word:?}");
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Number(u8),
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Tagged {
    A { x: u8 },
}

#[derive(Serialize, Deserialize)]
struct Outer {
    first: u8,
    what: Vec<Untagged>,
}

#[derive(Serialize, Deserialize)]
struct Flat {
    first: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Endless(Option<Box<(u8, Endless)>>);

#[test]
fn types_that_ask_the_bytes_what_they_are_have_no_form() {
    has(&refused::<Untagged>(), &["deserialize_any", "untagged", "by default"]);
    has(&refused::<Tagged>(), &["deserialize_any", "tag = "]);
    has(&refused::<Outer>(), &["deserialize_any", "in Outer, what"]);
    has(&refused::<Flat>(), &["flatten", "make it a member"]);
    has(&refused::<serde::de::IgnoredAny>(), &["skips values", "give it the type"]);
}

#[test]
fn types_without_bytes_have_no_form() {
    has(&refused::<()>(), &["`()`", "serde(skip)"]);
    has(&refused::<Vec<()>>(), &["`()`"]);
    has(&refused::<[u8; 0]>(), &["array without items", "serde(skip)"]);
}

/// Only one text is a value of it.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct Picky;

impl TryFrom<String> for Picky {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Picky, &'static str> {
        if text == "picky" { Ok(Picky) } else { Err("it is not picky") }
    }
}

impl From<Picky> for String {
    fn from(_: Picky) -> String {
        "picky".into()
    }
}

impl Clone for Picky {
    fn clone(&self) -> Picky {
        Picky
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Picked {
    one: Picky,
    two: u8,
}

#[test]
fn types_that_take_few_values_are_members_of_structs_and_last_in_tuples() {
    has(&refused::<(Picky, u8)>(), &["no sample value", "it is not picky", "a struct of its own"]);
    let picked = Picked { one: Picky, two: 7 };
    let bytes = bridge::to_vec(&picked).unwrap();
    assert_eq!(bridge::from_slice::<Picked>(&bytes).unwrap(), picked);
    let last = (7_u8, Some(Picky));
    assert_eq!(bridge::from_slice::<(u8, Option<Picky>)>(&bridge::to_vec(&last).unwrap()).unwrap(), last);
    let error = bridge::from_slice::<Picked>(&[2, 0, 0, 0, 0, 7]).unwrap_err();
    assert_eq!(error.to_string(), "it is not picky at byte 5, in Picked, one");
}

#[test]
fn null_of_what_can_be_null_has_no_form() {
    has(&refused::<Option<Option<String>>>(), &["null already", "leave one out"]);
}

#[test]
fn a_type_that_is_endless_without_an_object_has_no_form() {
    has(&refused::<Endless>(), &["128 types", "transparent"]);
}

/// A value whose `Serialize` does as it is told.
struct Writes(Call);

impl Serialize for Writes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        run(&self.0, serializer)
    }
}

enum Call {
    Seq(Option<usize>, usize),
    Map(Option<usize>, Vec<Part>),
    Tuple(usize),
    Struct(usize, bool),
    Unit,
    Number,
    Variant(u32, &'static str),
}

#[derive(Clone, Copy)]
enum Part {
    Key,
    Value,
}

fn run<S: Serializer>(call: &Call, serializer: S) -> Result<S::Ok, S::Error> {
    match call {
        Call::Seq(said, gave) => {
            let mut seq = serializer.serialize_seq(*said)?;
            (0..*gave).try_for_each(|_| seq.serialize_element(&1_u8))?;
            seq.end()
        }
        Call::Map(said, parts) => {
            let mut map = serializer.serialize_map(*said)?;
            for part in parts {
                match part {
                    Part::Key => map.serialize_key(&1_u8)?,
                    Part::Value => map.serialize_value(&2_u32)?,
                }
            }
            map.end()
        }
        Call::Tuple(gave) => {
            let mut tuple = serializer.serialize_tuple(*gave)?;
            (0..*gave).try_for_each(|_| tuple.serialize_element(&1_u8))?;
            tuple.end()
        }
        Call::Struct(gave, skip) => {
            let mut group = serializer.serialize_struct("Three", *gave)?;
            (0..*gave).try_for_each(|_| group.serialize_field("one", &1_u8))?;
            if *skip {
                group.skip_field("two")?;
            }
            group.end()
        }
        Call::Unit => serializer.serialize_unit(),
        Call::Number => serializer.serialize_i128(1),
        Call::Variant(index, name) => serializer.serialize_unit_variant("Letter", *index, name),
    }
}

fn written<T: for<'a> Deserialize<'a>>(call: Call) -> Result<Vec<u8>, Error> {
    let shape = Shape::of::<T>()?;
    let mut bytes = b"kept".to_vec();
    let written = shape.append(&Writes(call), &mut bytes);
    assert!(written.is_ok() || bytes == b"kept");
    written.map(|_| bytes.split_off(4))
}

fn unwritten<T: for<'a> Deserialize<'a>>(call: Call) -> String {
    let error = written::<T>(call).expect_err("it was written");
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    assert!(error.offset() < 100, "it has no place: {error:?}");
    error.to_string()
}

#[derive(Serialize, Deserialize)]
struct Three {
    one: u8,
    two: u8,
    three: u8,
}

#[derive(Deserialize)]
enum Letter {
    A,
    C,
}

#[test]
fn counts_come_first_and_have_to_be_right() {
    assert!(written::<Vec<u8>>(Call::Seq(Some(2), 2)).is_ok());
    has(&unwritten::<Vec<u8>>(Call::Seq(None, 2)), &["how many", "collect them into a `Vec`"]);
    has(&unwritten::<Vec<u8>>(Call::Seq(Some(3), 2)), &["3 items", "fewer"]);
    has(&unwritten::<Vec<u8>>(Call::Seq(Some(1), 2)), &["1 items", "more"]);
    has(&unwritten::<Vec<u8>>(Call::Seq(Some(usize::MAX), 2)), &["exceed an i32"]);
    has(&unwritten::<(u8, u16)>(Call::Tuple(1)), &["2 items", "fewer"]);
    has(&unwritten::<[u8; 2]>(Call::Tuple(3)), &["2 items", "more"]);
}

#[test]
fn keys_and_values_take_turns() {
    use Part::{Key, Value};
    type Map = BTreeMap<u8, u32>;
    assert!(written::<Map>(Call::Map(Some(1), vec![Key, Value])).is_ok());
    has(&unwritten::<Map>(Call::Map(None, vec![])), &["how many", "BTreeMap"]);
    for parts in [vec![Value], vec![Key], vec![Key, Key], vec![Key, Value, Value], vec![Key, Value, Key]] {
        has(&unwritten::<Map>(Call::Map(Some(1), parts)), &["1 items"]);
    }
}

#[test]
fn members_are_all_written() {
    assert!(written::<Three>(Call::Struct(3, false)).is_ok());
    has(&unwritten::<Three>(Call::Struct(1, true)), &["skip_serializing_if", "in two"]);
    has(
        &unwritten::<Three>(Call::Struct(2, false)),
        &["`Three`", "fewer members than the 3", "one direction"],
    );
    has(&unwritten::<Three>(Call::Struct(4, false)), &["`Three`", "more members than the 3"]);
}

#[test]
fn what_is_written_is_what_would_be_read() {
    has(&unwritten::<u8>(Call::Number), &["an i128", "a u8", "make them agree"]);
    has(&unwritten::<Three>(Call::Unit), &["`()`", "Three"]);
    has(&unwritten::<Option<u8>>(Call::Number), &["an i128", "an option"]);
    has(&unwritten::<String>(Call::Seq(Some(0), 0)), &["a list", "text"]);
    assert_eq!(written::<Letter>(Call::Variant(1, "C")).unwrap(), [1, 0, 0, 0]);
    // `B` is skipped when read, so that `C` has another number there.
    has(&unwritten::<Letter>(Call::Variant(2, "C")), &["`Letter::C`", "move variants"]);
    has(&unwritten::<Letter>(Call::Variant(1, "B")), &["`Letter::B`", "move variants"]);
    let _ = (Letter::A, Letter::C);
}
