//! Classes, managed structs, raw structs and enums: bytes of the original, and what a reader does with them.

use upcall_pack::{
    DateTimeOffset, Error, ErrorKind, Options, Pack, Text, TimeOnly, Unpack, from_slice, overwrite,
    overwrite_keeping, to_vec,
};

#[derive(Clone, Debug, Default, PartialEq, Pack)]
#[pack(crate = upcall_pack)]
struct Person {
    age: i32,
    name: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Pack)]
#[pack(raw, crate = upcall_pack)]
#[repr(C)]
struct Um {
    a: u8,
    b: i32,
    c: i16,
}

#[derive(Clone, Copy, Debug, PartialEq, Pack)]
#[pack(raw, crate = upcall_pack)]
#[repr(C, packed)]
struct Packed {
    a: u8,
    b: i32,
    c: i16,
}

#[derive(Clone, Copy, Debug, PartialEq, Pack)]
#[pack(crate = upcall_pack)]
#[repr(u8)]
enum E8 {
    A = 1,
    B = 2,
}

#[derive(Clone, Debug, PartialEq, Pack)]
#[pack(struct, crate = upcall_pack)]
struct Ms {
    a: i32,
    b: Option<String>,
}

#[derive(Debug, PartialEq, Pack)]
#[pack(crate = upcall_pack)]
struct Borrowed<'a> {
    age: i32,
    name: &'a str,
}

#[derive(Debug, PartialEq, Pack)]
#[pack(crate = upcall_pack)]
struct Pair<T> {
    second: T,
    #[pack(ignore)]
    ignored: u64,
    #[pack(utf16)]
    text: String,
}

#[derive(Debug, PartialEq, Pack)]
#[pack(crate = upcall_pack)]
struct Empty {}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

#[track_caller]
fn both<T: for<'a> Unpack<'a> + Pack + PartialEq + std::fmt::Debug>(value: T, expected: &str) {
    let bytes = to_vec(&value).unwrap();
    assert_eq!(hex(&bytes), expected);
    assert_eq!(from_slice::<T>(&bytes).unwrap(), value);
}

fn person(age: i32, name: Option<&str>) -> Person {
    Person { age, name: name.map(String::from) }
}

#[test]
fn classes_match_the_original() {
    both(person(40, Some("John")), "0228000000FBFFFFFF040000004A6F686E");
    both(person(40, Some("あ😀")), "0228000000F8FFFFFF03000000E38182F09F9880");
    both(None::<Person>, "FF");
    both(
        vec![Some(person(0, None)), Some(person(0, Some(""))), None],
        "030000000200000000FFFFFFFF020000000000000000FF",
    );
    both(Empty {}, "00");
    let utf16 = Options::new().text(Text::Utf16).to_vec(&person(40, Some("あJ"))).unwrap();
    assert_eq!(hex(&utf16), "02280000000200000042304A00");
    assert_eq!(from_slice::<Person>(&utf16).unwrap(), person(40, Some("あJ")));
}

#[test]
fn raw_values_match_the_original() {
    let (first, second) = (Um { a: 1, b: 2, c: 3 }, Um { a: 4, b: 5, c: 6 });
    both(first, "010000000200000003000000");
    both(vec![first, second], "02000000010000000200000003000000040000000500000006000000");
    both(Some(first), "01000000010000000200000003000000");
    both(vec![E8::A, E8::B], "020000000102");
    both(vec![true, false], "020000000100");
    both(None::<i32>, "0000000000000000");
    both(Some(5), "0100000005000000");
    both(vec![Some(1), None], "0200000001000000010000000000000000000000");
    both(Packed { a: 1, b: 2, c: 3 }, "01020000000300");
    both('😀', "00F60100");
    both(Some(1i128), "0100000000000000000000000000000001000000000000000000000000000000");
    both(vec![[1f32, 2., 3.], [4., 5., 6.]], "020000000000803F0000004000004040000080400000A0400000C040");
}

#[test]
fn the_first_of_many_enums_that_is_none_is_named() {
    for at in 0..40 {
        let mut bytes = to_vec(&vec![E8::B; 40]).unwrap();
        assert_eq!(from_slice::<Vec<E8>>(&bytes).unwrap(), [E8::B; 40]);
        bytes[4 + at..].fill(3);
        let error = from_slice::<Vec<E8>>(&bytes).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::ValueInvalid, 4 + at));
    }
}

/// A tuple struct of a field for each token.
macro_rules! of_many {
    (@ $token:tt $type:ty) => { $type };
    ($($token:tt)*) => {
        #[derive(Debug, PartialEq, Pack)]
        #[pack(crate = upcall_pack)]
        struct Most($(of_many!(@ $token String)),*);

        fn most() -> Most {
            Most($(stringify!($token).to_owned()),*)
        }
    };
}
of_many!(
    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9
    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9
    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9
    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9
    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8
);

#[test]
fn an_object_may_have_249_members() {
    let bytes = to_vec(&most()).unwrap();
    assert_eq!((bytes[0], bytes.len()), (249, 1 + 249 * 9));
    assert_eq!(from_slice::<Most>(&bytes).unwrap(), most());
    let mut over = most();
    overwrite(&mut over, &bytes).unwrap();
    assert_eq!(over, most());
}

#[test]
fn managed_structs_match_the_original() {
    both(Some(Ms { a: 5, b: Some("q".into()) }), "010205000000FEFFFFFF0100000071");
    both(None::<Ms>, "FF");
}

#[test]
fn a_member_may_be_borrowed_ignored_or_in_utf_16() {
    let bytes = to_vec(&person(7, Some("Ann"))).unwrap();
    let borrowed: Borrowed<'_> = from_slice(&bytes).unwrap();
    assert_eq!(borrowed, Borrowed { age: 7, name: "Ann" });
    assert!(bytes.as_ptr_range().contains(&borrowed.name.as_ptr()));
    assert_eq!(to_vec(&borrowed).unwrap(), bytes);

    let pair = Pair { second: 1u8, ignored: 9, text: "a".into() };
    let bytes = to_vec(&pair).unwrap();
    assert_eq!(hex(&bytes), "0201010000006100");
    assert_eq!(from_slice::<Pair<u8>>(&bytes).unwrap(), Pair { ignored: 0, ..pair });
}

#[test]
fn fewer_members_are_defaults_and_more_are_an_error() -> Result<(), Error> {
    assert_eq!(from_slice::<Person>(&[1, 7, 0, 0, 0])?, person(7, None));
    assert_eq!(from_slice::<Person>(&[0])?, Person::default());
    let mut kept = person(1, Some("kept"));
    overwrite_keeping(&mut kept, &[1, 7, 0, 0, 0])?;
    assert_eq!(kept, person(7, Some("kept")));
    overwrite(&mut kept, &[1, 7, 0, 0, 0])?;
    assert_eq!(kept, person(7, None));

    let error = from_slice::<Person>(&[3, 0, 0, 0, 0, 0, 0, 0, 0, 0]).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::MembersInvalid, 0));
    Ok(())
}

#[test]
fn an_error_names_the_byte_and_the_member() {
    #[derive(Debug, Pack)]
    #[pack(crate = upcall_pack)]
    struct Team {
        _lead: Person,
        _flag: bool,
        _kind: E8,
    }
    let team = b"\x03\x02\x28\0\0\0\xFF\xFF\xFF\xFF\x01\x07";
    let error = from_slice::<Team>(team).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::ValueInvalid, 11));
    assert_eq!(
        error.to_string(),
        "found 7, but it is not one of the numbers of `E8` at byte 11, in Team._kind"
    );
    let error = from_slice::<Team>(&team[..8]).unwrap_err();
    assert_eq!(error.to_string(), "4 bytes are needed, 2 are left at byte 6, in Team._lead, Person.name");
    let error = from_slice::<Team>(&team[..3]).unwrap_err();
    assert_eq!(error.to_string(), "4 bytes are needed, 1 are left at byte 2, in Team._lead, Person.age");
    let error = from_slice::<Team>(&team[..10]).unwrap_err();
    assert_eq!(error.to_string(), "1 bytes are needed, 0 are left at byte 10, in Team._flag");
    let error = from_slice::<Team>(&team[..11]).unwrap_err();
    assert_eq!(error.to_string(), "1 bytes are needed, 0 are left at byte 11, in Team._kind");
    let error = overwrite(&mut person(1, None), &team[1..3]).unwrap_err();
    assert_eq!(error.to_string(), "4 bytes are needed, 1 are left at byte 1, in Person.age");
}

#[test]
fn an_error_shows_a_number_below_zero_as_it_is() {
    #[derive(Debug, Pack)]
    #[pack(crate = upcall_pack)]
    #[repr(i32)]
    enum E32 {
        _One = 1,
    }
    let rule = "it is not one of the numbers of `E32`";
    let error = from_slice::<E32>(&(-1_i32).to_le_bytes()).unwrap_err();
    assert_eq!(error.message(), format!("found -1, but {rule}"));
    let error = from_slice::<Vec<E32>>(&[1, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF]).unwrap_err();
    assert_eq!(error.message(), format!("found -2, but {rule}"));
    let error = from_slice::<TimeOnly>(&(-3_i64).to_le_bytes()).unwrap_err();
    assert!(error.message().starts_with("found -3, but a time of day"), "{error}");
}

#[test]
fn what_is_wrong_in_a_moment_is_named_at_its_place() {
    let moment = |offset: i16, ticks: i64| {
        let bytes = [u64::from(offset as u16).to_le_bytes(), ticks.to_le_bytes()].concat();
        let error = from_slice::<DateTimeOffset>(&bytes).unwrap_err();
        (error.offset(), error.message().split(',').next().unwrap().to_owned())
    };
    assert_eq!(moment(-841, 1 << 40), (0, "found -841".into()));
    let late = 3155378976000000000;
    assert_eq!(moment(0, late), (8, format!("found {late}")));
}
