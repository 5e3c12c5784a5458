//! Callbacks through shims: what they are given, and what comes of what they return.

use crate::library::{call, exported, fails};
use std::ffi::c_void;
use std::ptr::null_mut;
use upcall_abi::{Buffer, Slice, Str};

/// The place of a callback's context.
type Context = *mut c_void;

#[test]
fn a_callback_gets_its_context_and_its_answer_counts() {
    unsafe extern "C" fn above(context: Context, value: i32) -> u8 {
        // SAFETY: the test passes the address of one.
        (value > unsafe { *context.cast::<i32>() }).into()
    }
    let values = [1, 5, 3, 9];
    let mut limit = 3;
    let context = (&raw mut limit).cast();
    type Keep = unsafe extern "C" fn(Context, i32) -> u8;
    let count = |keep: Option<Keep>| exported!("count_if" as fn(Slice<i32>, Option<Keep>, Context) -> u32; Slice::from(&values[..]), keep, context);
    assert_eq!(call(count(Some(above))), Ok(2));
    fails(-2, "argument `keep`: the address is null", count(None));
}

#[test]
fn a_callback_that_answers_with_no_value_of_its_type_is_a_failure() {
    unsafe extern "C" fn seven(_: Context, _: i32) -> u8 {
        7
    }
    let values = [1];
    type Keep = unsafe extern "C" fn(Context, i32) -> u8;
    let count = exported!("count_if" as fn(Slice<i32>, Keep, Context) -> u32; Slice::from(&values[..]), seven, null_mut());
    fails(-1, "callback `keep` returned what it cannot: 7 is not a bool, which is 0 or 1", count);
}

#[test]
fn a_callback_is_given_text_slices_and_structs() {
    unsafe extern "C" fn collect(context: Context, word: Str, index: u32) {
        // SAFETY: the test passes the address of one, and the word is there for the call.
        unsafe { (*context.cast::<Vec<(String, u32)>>()).push((word.get().unwrap().to_owned(), index)) };
    }
    let mut words: Vec<(String, u32)> = Vec::new();
    let context = (&raw mut words).cast();
    type Visit = unsafe extern "C" fn(Context, Str, u32);
    let each = exported!("each_word" as fn(Str, Visit, Context); "over and out".into(), collect, context);
    assert_eq!(call(each), Ok(()));
    assert_eq!(words, [("over".into(), 0), ("and".into(), 1), ("out".into(), 2)]);

    unsafe extern "C" fn product(_: Context, row: Slice<f32>) -> f32 {
        // SAFETY: the row is there for the call.
        unsafe { row.get() }.unwrap().iter().product()
    }
    let rows = [[2.0f32, 3.0], [4.0, 5.0]];
    type Row = unsafe extern "C" fn(Context, Slice<f32>) -> f32;
    let rows = exported!("each_row" as fn(Slice<[f32; 2]>, Row, Context) -> f32; rows[..].into(), product, null_mut());
    assert_eq!(call(rows), Ok(26.0));

    #[derive(Clone, Copy, Debug, PartialEq)]
    #[repr(C)]
    struct Sample {
        at: u32,
        value: f64,
    }
    unsafe extern "C" fn square(_: Context, sample: *mut Sample) {
        // SAFETY: the sample is there for the call.
        unsafe { (*sample).value = f64::from((*sample).at).powi(2) };
    }
    type Make = unsafe extern "C" fn(Context, *mut Sample);
    let sampled = exported!("sampled" as fn(u32, Make, Context) -> Buffer<Sample>; 3, square, null_mut());
    let samples = call(sampled).unwrap();
    // SAFETY: a shim has returned it.
    assert_eq!(unsafe { samples.as_slice() }[2], Sample { at: 2, value: 4.0 });
    // SAFETY: as above, and it is released once.
    unsafe { samples.free() };
}

#[test]
fn a_plain_c_function_goes_through_as_it_is() {
    unsafe extern "C" fn shifted(context: Context, value: i32) -> i32 {
        context as i32 + value
    }
    extern "C" fn ten_times(value: i32) -> i32 {
        10 * value
    }
    type Call = unsafe extern "C" fn(Context, i32) -> i32;
    type Otherwise = Option<extern "C" fn(i32) -> i32>;
    let apply = |function: Option<Call>, otherwise: Otherwise| {
        let context = std::ptr::without_provenance_mut(100);
        exported!("apply" as fn(Option<Call>, Context, Otherwise) -> i32; function, context, otherwise)
    };
    assert_eq!(call(apply(Some(shifted), Some(ten_times))), Ok(120));
    assert_eq!(call(apply(Some(shifted), None)), Ok(101));
    fails(-2, "argument `call`: the address is null", apply(None, None));
}
