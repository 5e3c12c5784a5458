//! Values, text and slices through shims, good ones and hostile ones.

use crate::library::{call, exported, fails};
use std::ptr::{null, null_mut};
use upcall_abi::{Buffer, Failure, Slice, SliceMut, Str, Text};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
struct Sample {
    at: u32,
    value: f64,
}

/// Reads and releases.
fn read(text: Text) -> String {
    // SAFETY: a shim has returned it.
    let read = unsafe { text.as_str() }.unwrap().to_owned();
    // SAFETY: as above, and it is released once.
    unsafe { text.free() };
    read
}

#[test]
fn numbers_go_through_as_they_are() {
    assert_eq!(call(exported!("checked_add" as fn(i32, i32) -> i32; 2, 40)), Ok(42));
    let wide = call(exported!("wide_sum" as fn(u128, i128) -> i128; 1 << 100, -5));
    assert_eq!(wide, Ok((1 << 100) - 5));
    let number = 7u32;
    assert_eq!(call(exported!("read_number" as fn(*const u32) -> u32; &number)), Ok(7));
    let shadows = exported!("shadows" as fn(u8, u8, u8, u8) -> u8; 1, 2, 4, 8);
    assert_eq!(call(shadows), Ok(7));
    assert_eq!(call(exported!("unnamed" as fn(u8, u8, u8) -> u8; 1, 2, 4)), Ok(5));
}

#[test]
fn a_panic_is_a_failure_with_its_message() {
    fails(-1, "the sum is too large", exported!("checked_add" as fn(i32, i32) -> i32; i32::MAX, 1));
    fails(-1, "plain", exported!("panic_with" as fn(u8); 0));
    fails(-1, "formatted 1", exported!("panic_with" as fn(u8); 1));
    fails(-1, "a panic whose payload is not text", exported!("panic_with" as fn(u8); 2));
    fails(-1, "a panic whose payload is not text", exported!("panic_with" as fn(u8); 3));
}

#[test]
fn a_failure_that_nobody_asks_for_goes_unheard() {
    let add: unsafe extern "C" fn(i32, i32, *mut *mut Failure) -> i32 = crate::library::symbol("checked_add");
    // SAFETY: the type is that of the shim, which takes null.
    assert_eq!(unsafe { add(i32::MAX, 1, null_mut()) }, 0);
}

#[test]
fn a_byte_that_is_no_bool_is_refused() {
    assert_eq!(call(exported!("toggled" as fn(u8) -> u8; 1)), Ok(0));
    assert_eq!(call(exported!("toggled" as fn(u8) -> u8; 0)), Ok(1));
    fails(-2, "argument `value`: 2 is not a bool, which is 0 or 1", exported!("toggled" as fn(u8) -> u8; 2));
    fails(
        -2,
        "argument `value`: 255 is not a bool, which is 0 or 1",
        exported!("toggled" as fn(u8) -> u8; 255),
    );
}

#[test]
fn a_number_that_is_no_char_is_refused() {
    let next = |value: u32| exported!("char_after" as fn(u32) -> u32; value);
    assert_eq!(call(next('a' as u32)), Ok('b' as u32));
    fails(-2, "argument `value`: 0xd800 is not a char", next(0xd800));
    fails(-2, "argument `value`: 0x110000 is not a char", next(0x11_0000));
    fails(1, "there is none", next(0x10_ffff));
}

#[test]
fn a_number_that_is_no_variant_is_refused() {
    let opposite = |turn: i16| exported!("opposite" as fn(i16) -> i16; turn);
    assert_eq!(call(opposite(-300)), Ok(512));
    assert_eq!(call(opposite(-299)), Ok(-299));
    fails(-2, "argument `turn`: 1 is not a value of Turn", opposite(1));
    fails(-2, "argument `turn`: -32768 is not a value of Turn", opposite(i16::MIN));
}

#[test]
fn an_error_has_its_own_number() {
    let refuse = |how: u8| exported!("refuse" as fn(u8) -> u8; how);
    fails(404, "refused", refuse(0));
    // Negative numbers are Upcall's.
    fails(1, "refused", refuse(1));
    fails(77, "chosen", exported!("choose" as fn() -> u8;));
}

#[test]
fn a_struct_goes_by_value_and_by_address() {
    let by = Sample { at: 1, value: 2.0 };
    let moved = exported!("moved" as fn(Sample, *const Sample) -> Sample; Sample { at: 5, value: 0.25 }, &by);
    assert_eq!(call(moved), Ok(Sample { at: 6, value: 2.25 }));

    let mut sample = by;
    let move_by = |sample: *mut Sample, by: *const Sample| exported!("move_in_place" as fn(*mut Sample, *const Sample) -> u8; sample, by);
    assert_eq!(call(move_by(&mut sample, &by)), Ok(1));
    assert_eq!(call(move_by(&mut sample, null())), Ok(0));
    assert_eq!(sample, Sample { at: 2, value: 4.0 });

    fails(-2, "argument `sample`: the address is null", move_by(null_mut(), &by));
    let odd = (&raw mut sample).wrapping_byte_add(2);
    fails(-2, "argument `sample`: the address is not a multiple of 8", move_by(odd, &by));
    let overlap = "arguments `sample` and `by` overlap, and the function writes to one of them";
    fails(-2, overlap, move_by(&mut sample, &raw const sample));
}

#[test]
fn text_must_be_utf_8() {
    let greet = |name: Str| exported!("greet" as fn(Str) -> Text; name);
    assert_eq!(call(greet("Jürg".into())).map(read).unwrap(), "hello, Jürg");
    assert_eq!(call(greet(Str::EMPTY)).map(read).unwrap(), "hello, ");

    let refused = |name: Str| {
        let (failed, text) = call(greet(name)).unwrap_err();
        assert!(text.data.is_null() && text.len == 0 && text.release.is_none(), "{text:?}");
        assert_eq!(failed.code, -2);
        failed.message
    };
    let latin = b"J\xfcrg";
    let not_utf8 = refused(Str { data: latin.as_ptr(), len: 4 });
    assert_eq!(not_utf8, "argument `name`: the text is not UTF-8 at byte 1");
    assert_eq!(refused(Str { data: null(), len: 4 }), "argument `name`: the address is null");
    let endless = refused(Str { data: latin.as_ptr(), len: usize::MAX });
    assert_eq!(
        endless,
        format!("argument `name`: {} elements are more than an address space holds", usize::MAX)
    );

    let edition = call(exported!("edition" as fn() -> Str;)).unwrap();
    // SAFETY: it is the library's own, forever.
    assert_eq!(unsafe { edition.get() }, Ok("2024"));
}

#[test]
fn slices_are_checked_before_they_are_read() {
    let numbers = [1.0f32, 2.0, 3.5];
    let sum = |data: *const f32, len: usize| exported!("sum" as fn(Slice<f32>) -> f32; Slice { data, len });
    assert_eq!(call(sum(numbers.as_ptr(), 3)), Ok(6.5));
    assert_eq!(call(sum(null(), 0)), Ok(0.0));
    fails(-2, "argument `values`: the address is null", sum(null(), 1));
    let odd = numbers.as_ptr().wrapping_byte_add(1);
    fails(-2, "argument `values`: the address is not a multiple of 4", sum(odd, 1));
    let many = 1 << 61;
    fails(
        -2,
        "argument `values`: 2305843009213693952 elements are more than an address space holds",
        sum(numbers.as_ptr(), many),
    );
}

#[test]
fn what_is_written_must_not_be_read_elsewhere() {
    let mut numbers = [1.0f32, 2.0, 3.0, 4.0];
    let data = numbers.as_mut_ptr();
    let add = |len: usize, other: usize| {
        let (values, others) =
            (SliceMut { data, len }, Slice { data: data.wrapping_add(other).cast_const(), len: 2 });
        exported!("add_to" as fn(SliceMut<f32>, Slice<f32>); values, others)
    };
    assert_eq!(call(add(2, 2)), Ok(()));
    let overlap = "arguments `values` and `others` overlap, and the function writes to one of them";
    fails(-2, overlap, add(3, 2));
    fails(-2, overlap, add(4, 0));
    assert_eq!(call(add(0, 0)), Ok(()));
    assert_eq!(numbers, [4.0, 6.0, 3.0, 4.0]);
}

#[test]
fn a_vec_is_released_by_whom_it_was_given_to() {
    let samples = call(exported!("samples" as fn(u32) -> Buffer<Sample>; 3)).unwrap();
    // SAFETY: a shim has returned it.
    assert_eq!(unsafe { samples.as_slice() }[2], Sample { at: 2, value: 1.0 });
    assert!(samples.len == 3 && samples.release.is_some());
    // SAFETY: as above, and it is released once.
    unsafe { samples.free() };
    assert!(call(exported!("samples" as fn(u32) -> Buffer<Sample>; 0)).unwrap().release.is_none());
}

#[test]
fn an_error_is_a_failure_with_its_message_and_number() {
    let parse = |text: &str| {
        let text = Str::from(text);
        exported!("parse" as fn(Str) -> i64; text)
    };
    assert_eq!(call(parse("-12")), Ok(-12));
    fails(10, "the text is empty", parse(""));
    fails(11, "`twelve` is not a number", parse("twelve"));

    assert_eq!(call(exported!("length" as fn(Str) -> usize; "four".into())), Ok(4));
    fails(1, "there is no text", exported!("length" as fn(Str) -> usize; Str::EMPTY));
    assert_eq!(call(exported!("nothing" as fn(u8); 0)), Ok(()));
    fails(1, "as asked", exported!("nothing" as fn(u8); 1));
    let words = call(exported!("words" as fn(Str) -> Buffer<u32>; "1 x".into()));
    assert_eq!(words.unwrap_err().0.message, "invalid digit found in string");
}
