//! The table "what may change when" of the book's chapter (`docs/pack.md`): one test per row, in the table's order. Each
//! writes what an older program writes and reads it as a newer one, and the other way round.

use std::fmt::Debug;
use upcall_pack::{ErrorKind, Pack, Unpack, from_slice, overwrite, overwrite_keeping, to_vec};

/// `written` as another version of its type reads it.
fn reads<T: for<'a> Unpack<'a> + Debug>(written: &impl Pack) -> Result<T, ErrorKind> {
    from_slice(&to_vec(written).unwrap()).map_err(|error| error.kind())
}

mod class {
    use super::*;

    #[derive(Pack, Debug, PartialEq)]
    #[pack(crate = upcall_pack)]
    pub struct Old {
        pub id: i32,
        pub name: String,
    }

    #[derive(Pack, Debug, Default, PartialEq)]
    #[pack(crate = upcall_pack)]
    pub struct New {
        pub id: i32,
        pub name: String,
        pub note: Option<String>,
    }

    #[derive(Pack, Debug, PartialEq)]
    #[pack(crate = upcall_pack)]
    pub struct Renamed {
        pub number: i32,
        pub title: String,
    }

    #[derive(Pack, Debug, PartialEq)]
    #[pack(crate = upcall_pack)]
    pub struct Swapped {
        pub name: String,
        pub id: i32,
    }

    pub fn old() -> Old {
        Old { id: 1, name: "a".into() }
    }

    pub fn new() -> New {
        New { id: 1, name: "a".into(), note: Some("n".into()) }
    }
}

#[test]
fn a_member_added_at_the_end_of_a_class_is_read_by_the_new_and_not_by_the_old() {
    let read: class::New = reads(&class::old()).unwrap();
    assert_eq!(read, class::New { note: None, ..class::new() });
    assert_eq!(reads::<class::Old>(&class::new()), Err(ErrorKind::MembersInvalid));
}

#[test]
fn a_member_removed_from_the_end_of_a_class_is_that_the_other_way_round() {
    assert_eq!(reads::<class::Old>(&class::new()), Err(ErrorKind::MembersInvalid));
    assert!(reads::<class::New>(&class::old()).is_ok());
}

#[test]
fn a_member_renamed_changes_nothing() {
    assert_eq!(reads(&class::old()), Ok(class::Renamed { number: 1, title: "a".into() }));
    assert_eq!(reads(&class::Renamed { number: 1, title: "a".into() }), Ok(class::old()));
}

#[test]
fn members_in_another_order_are_another_type_or_a_wrong_value() {
    assert!(reads::<class::Swapped>(&class::old()).is_err());
    assert!(reads::<class::Old>(&class::Swapped { name: "a".into(), id: 1 }).is_err());
    // What shapes that fit come to: the empty text is four zeros.
    let fits = class::Swapped { name: String::new(), id: 0 };
    assert_eq!(reads(&fits), Ok(class::Old { id: 0, name: String::new() }));
}

mod tolerant {
    use super::*;

    #[derive(Pack, Debug, Default, PartialEq)]
    #[pack(crate = upcall_pack, version_tolerant)]
    pub struct Old {
        #[pack(order = 0)]
        pub id: i32,
        #[pack(order = 1)]
        pub name: String,
    }

    #[derive(Pack, Debug, Default, PartialEq)]
    #[pack(crate = upcall_pack, version_tolerant)]
    pub struct New {
        #[pack(order = 0)]
        pub id: i32,
        #[pack(order = 1)]
        pub name: String,
        #[pack(order = 2)]
        pub note: Option<String>,
    }

    #[derive(Pack, Debug, Default, PartialEq)]
    #[pack(crate = upcall_pack, version_tolerant)]
    pub struct Removed {
        #[pack(order = 0)]
        pub id: i32,
        #[pack(order = 2)]
        pub note: Option<String>,
    }

    #[derive(Pack, Debug, Default, PartialEq)]
    #[pack(crate = upcall_pack, version_tolerant)]
    pub struct Moved {
        #[pack(order = 1)]
        pub name: String,
        #[pack(order = 0)]
        pub id: i32,
    }

    #[derive(Pack, Debug, Default, PartialEq)]
    #[pack(crate = upcall_pack, version_tolerant)]
    pub struct Reused {
        #[pack(order = 0)]
        pub id: i32,
        #[pack(order = 1)]
        pub size: f64,
    }

    pub fn old() -> Old {
        Old { id: 1, name: "a".into() }
    }

    pub fn new() -> New {
        New { id: 1, name: "a".into(), note: Some("n".into()) }
    }
}

#[test]
fn a_slot_added_to_a_version_tolerant_class_is_read_both_ways() {
    assert_eq!(reads(&tolerant::old()), Ok(tolerant::New { note: None, ..tolerant::new() }));
    assert_eq!(reads(&tolerant::new()), Ok(tolerant::old()));
}

#[test]
fn a_slot_removed_from_a_version_tolerant_class_is_read_both_ways() {
    let removed = tolerant::Removed { id: 1, note: Some("n".into()) };
    assert_eq!(reads(&tolerant::new()), Ok(removed));
    let removed = tolerant::Removed { id: 1, note: Some("n".into()) };
    assert_eq!(reads(&removed), Ok(tolerant::New { name: String::new(), ..tolerant::new() }));
}

#[test]
fn fields_of_a_version_tolerant_class_may_move_with_their_orders() {
    assert_eq!(reads(&tolerant::old()), Ok(tolerant::Moved { id: 1, name: "a".into() }));
    assert_eq!(reads(&tolerant::Moved { id: 1, name: "a".into() }), Ok(tolerant::old()));
}

#[test]
fn a_slot_used_again_for_another_type_is_an_error_or_worse() {
    let long = tolerant::Old { name: "abc".into(), ..tolerant::old() };
    assert!(reads::<tolerant::Reused>(&long).is_ok(), "its bytes were read as a number: nothing can tell");
    assert!(reads::<tolerant::Old>(&tolerant::Reused { id: 1, size: 0.1 }).is_err());
}

mod unions {
    use super::*;

    #[derive(Pack, Debug, Default, PartialEq)]
    #[pack(crate = upcall_pack)]
    pub struct A {
        pub x: i32,
    }

    #[derive(Pack, Debug, Default, PartialEq)]
    #[pack(crate = upcall_pack)]
    pub struct B {
        pub y: i32,
    }

    #[derive(Pack, Debug, PartialEq)]
    #[pack(crate = upcall_pack, union)]
    pub enum Old {
        #[pack(tag = 0)]
        A(A),
    }

    #[derive(Pack, Debug, PartialEq)]
    #[pack(crate = upcall_pack, union)]
    pub enum New {
        #[pack(tag = 1)]
        B(B),
        #[pack(tag = 0)]
        A(A),
    }
}

#[test]
fn a_variant_added_to_a_union_is_unknown_to_the_old_alone() {
    assert_eq!(reads(&unions::Old::A(unions::A { x: 1 })), Ok(unions::New::A(unions::A { x: 1 })));
    assert_eq!(reads(&unions::New::A(unions::A { x: 1 })), Ok(unions::Old::A(unions::A { x: 1 })));
    assert_eq!(reads::<unions::Old>(&unions::New::B(unions::B { y: 1 })), Err(ErrorKind::TagUnknown));
}

mod enums {
    use super::*;

    #[repr(u8)]
    #[derive(Pack, Clone, Copy, Debug, PartialEq)]
    #[pack(crate = upcall_pack)]
    pub enum Old {
        A = 1,
    }

    #[repr(u8)]
    #[derive(Pack, Clone, Copy, Debug, PartialEq)]
    #[pack(crate = upcall_pack)]
    pub enum New {
        A = 1,
        B = 2,
    }
}

#[test]
fn a_number_added_to_an_enum_is_unknown_to_the_old_alone() {
    assert_eq!(reads(&enums::Old::A), Ok(enums::New::A));
    assert_eq!(reads::<enums::Old>(&enums::New::B), Err(ErrorKind::ValueInvalid));
}

mod raw {
    use super::*;

    #[repr(C)]
    #[derive(Pack, Clone, Copy, Debug, PartialEq)]
    #[pack(crate = upcall_pack, raw)]
    pub struct Old {
        pub x: f32,
        pub y: f32,
    }

    #[repr(C)]
    #[derive(Pack, Clone, Copy, Debug, PartialEq)]
    #[pack(crate = upcall_pack, raw)]
    pub struct New {
        pub x: f32,
        pub y: f32,
        pub z: f32,
    }
}

#[test]
fn a_raw_struct_never_changes() {
    let (old, new) = (raw::Old { x: 1.0, y: 2.0 }, raw::New { x: 1.0, y: 2.0, z: 3.0 });
    assert_eq!(reads::<raw::New>(&old), Err(ErrorKind::Truncated));
    assert_eq!(reads::<raw::Old>(&new), Err(ErrorKind::Trailing));
}

#[test]
fn a_wider_number_is_another_type() {
    assert_eq!(reads::<i64>(&1_i32), Err(ErrorKind::Truncated));
    assert_eq!(reads::<Vec<i64>>(&vec![1_i32; 4]), Err(ErrorKind::Truncated));
}

/// A struct that is not a class: never null itself.
#[derive(Pack, Debug, PartialEq)]
#[pack(crate = upcall_pack, struct)]
struct Managed {
    id: i32,
    name: String,
}

#[test]
fn a_class_or_a_list_may_become_nullable_and_a_number_may_not() {
    assert_eq!(reads(&class::old()), Ok(Some(class::old())));
    assert_eq!(reads(&Some(class::old())), Ok(class::old()));
    assert_eq!(reads::<class::Old>(&None::<class::Old>), Err(ErrorKind::NullUnexpected));
    assert_eq!(reads(&vec![1, 2]), Ok(Some(vec![1, 2])));
    assert_eq!(reads(&"a".to_owned()), Ok(Some("a".to_owned())));
    assert_eq!(reads::<Option<i32>>(&1_i32), Err(ErrorKind::Truncated));
    let managed = || Managed { id: 1, name: "a".into() };
    assert!(reads::<Option<Managed>>(&managed()).is_err());
    assert!(reads::<Managed>(&Some(managed())).is_err());
}

#[test]
fn one_collection_may_become_another_and_text_any_encoding() {
    use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
    use upcall_pack::{KeyValue, Options, Text};
    assert_eq!(reads(&vec![1, 2]), Ok(VecDeque::from([1, 2])));
    assert_eq!(reads(&vec![1, 2]), Ok(BTreeSet::from([1, 2])));
    assert_eq!(reads(&BTreeMap::from([(1, 2)])), Ok(HashMap::from([(1, 2)])));
    assert_eq!(reads(&BTreeMap::from([(1, 2)])), Ok(vec![KeyValue { key: 1, value: 2 }]));
    for text in [Text::Utf8, Text::Utf8WithoutLength, Text::Utf16] {
        let bytes = Options::new().text(text).to_vec("あ").unwrap();
        assert_eq!(from_slice::<String>(&bytes).unwrap(), "あ");
    }
}

/// No member of it has to be there; one has no default, and one is written by a formatter.
#[derive(Pack, Debug, PartialEq)]
#[pack(crate = upcall_pack)]
struct Grown {
    list: Vec<class::New>,
    either: Option<Union>,
    #[pack(utf16)]
    title: String,
    #[pack(ignore)]
    own: u32,
    must: Must,
}

#[derive(Pack, Debug, PartialEq)]
#[pack(crate = upcall_pack, union)]
enum Union {
    New(class::New),
}

#[derive(Pack, Debug, PartialEq)]
#[pack(crate = upcall_pack)]
struct Must {
    id: i32,
}

fn grown() -> Grown {
    Grown {
        list: vec![class::new()],
        either: Some(Union::New(class::new())),
        title: "t".into(),
        own: 5,
        must: Must { id: 1 },
    }
}

#[test]
fn what_is_overwritten_is_what_would_have_been_read() {
    // One member: a list of two objects, of two members and of none.
    let older = [1, 2, 0, 0, 0, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0];
    let error = overwrite(&mut grown(), &older).unwrap_err();
    assert!(error.to_string().contains("no member for `Grown.must`"), "{error}");

    let mut over = grown();
    overwrite_keeping(&mut over, &older).unwrap();
    let note = Some("n".to_owned());
    let kept = vec![class::New { id: 3, name: String::new(), note }, class::New::default()];
    assert_eq!(over, Grown { list: kept, ..grown() }, "kept, in the objects that are there too");

    let mut list = vec![class::new(), class::new(), class::new()];
    overwrite(&mut list, &older[1..]).unwrap();
    assert_eq!(list, from_slice::<Vec<class::New>>(&older[1..]).unwrap());
    let mut either = Union::New(class::new());
    overwrite(&mut either, &to_vec(&OldUnion::Old(class::old())).unwrap()).unwrap();
    assert_eq!(either, Union::New(class::New { note: None, ..class::new() }));

    let mut slots = tolerant::New { id: 7, name: "x".into(), note: Some("n".into()) };
    overwrite(&mut slots, &to_vec(&tolerant::Old { id: 1, name: "a".into() }).unwrap()).unwrap();
    assert_eq!(slots, tolerant::New { id: 1, name: "a".into(), note: None });
}

#[derive(Pack)]
#[pack(crate = upcall_pack, union)]
enum OldUnion {
    Old(class::Old),
}
