//! Kept callbacks through shims: who owns them, and when they are released.

use crate::library::{call, exported, fails};
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use upcall_abi::{Slice, Str};

/// The place of a callback's context.
type Context = *mut c_void;
type Listen = unsafe extern "C" fn(Context, u64);
type Release = unsafe extern "C" fn(Context);

/// What a listener and its release have seen.
#[derive(Default)]
struct Seen {
    sum: AtomicU64,
    released: AtomicU64,
    by: Mutex<Option<ThreadId>>,
}

unsafe extern "C" fn add(context: Context, value: u64) {
    // SAFETY: the tests pass the address of one.
    unsafe { &*context.cast::<Seen>() }.sum.fetch_add(value, SeqCst);
}

unsafe extern "C" fn release(context: Context) {
    // SAFETY: as above.
    let seen = unsafe { &*context.cast::<Seen>() };
    *seen.by.lock().unwrap() = Some(thread::current().id());
    seen.released.fetch_add(1, SeqCst);
}

/// One that lives as long as the program, and the library's one listener to itself.
fn seen() -> (&'static Seen, Context, MutexGuard<'static, ()>) {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let seen: &'static Seen = Box::leak(Box::default());
    (seen, std::ptr::from_ref(seen).cast_mut().cast(), alone)
}

fn listen(context: Context) -> Result<(), (crate::library::Failed, ())> {
    call(exported!("hear" as fn(Listen, Context, Release); add, context, release))
}

fn forget() {
    call(exported!("forget" as fn();)).unwrap();
}

#[test]
fn a_kept_callback_is_called_after_the_call_and_released_once() {
    let (seen, context, _alone) = seen();
    listen(context).unwrap();
    call(exported!("fire" as fn(u64); 3)).unwrap();
    call(exported!("fire_and_wait" as fn(u64); 5)).unwrap();
    assert_eq!((seen.sum.load(SeqCst), seen.released.load(SeqCst)), (3 + 10, 0));
    forget();
    assert_eq!(seen.released.load(SeqCst), 1);
    call(exported!("fire" as fn(u64); 3)).unwrap();
    forget();
    assert_eq!((seen.sum.load(SeqCst), seen.released.load(SeqCst)), (13, 1));
}

#[test]
fn whoever_drops_it_releases_it_on_whatever_thread() {
    let (seen, context, _alone) = seen();
    listen(context).unwrap();
    call(exported!("forget_on_a_thread" as fn();)).unwrap();
    assert_eq!(seen.released.load(SeqCst), 1);
    assert_ne!(*seen.by.lock().unwrap(), Some(thread::current().id()));
    // Another one takes its place.
    listen(context).unwrap();
    listen(context).unwrap();
    assert_eq!(seen.released.load(SeqCst), 2);
    forget();
    assert_eq!(seen.released.load(SeqCst), 3);
}

#[test]
fn it_is_released_also_where_the_call_fails() {
    let (seen, context, _alone) = seen();
    let named =
        |name: Str| exported!("hear_as" as fn(Listen, Context, Release, Str); add, context, release, name);
    fails(1, "a listener needs a name", named("".into()));
    assert_eq!(seen.released.load(SeqCst), 1);
    let bytes = [0xFF_u8];
    let wrong = Str { data: bytes.as_ptr(), len: 1 };
    let (failed, ()) = call(named(wrong)).unwrap_err();
    assert_eq!(failed.code, -2);
    assert!(failed.message.starts_with("argument `name`: "), "{}", failed.message);
    assert_eq!(seen.released.load(SeqCst), 2);
    let nothing: Option<Listen> = None;
    fails(
        -2,
        "argument `listener`: the address is null",
        exported!("hear" as fn(Option<Listen>, Context, Release); nothing, context, release),
    );
    assert_eq!((seen.sum.load(SeqCst), seen.released.load(SeqCst)), (0, 3));
}

#[test]
fn there_may_be_nothing_to_release() {
    let (seen, context, _alone) = seen();
    let nothing: Option<Release> = None;
    call(exported!("hear" as fn(Listen, Context, Option<Release>); add, context, nothing)).unwrap();
    call(exported!("fire" as fn(u64); 1)).unwrap();
    forget();
    assert_eq!((seen.sum.load(SeqCst), seen.released.load(SeqCst)), (1, 0));
}

#[test]
fn a_kept_callback_is_given_text_and_slices_and_answers() {
    unsafe extern "C" fn rank(context: Context, text: Str, numbers: Slice<f64>) -> f64 {
        // SAFETY: the text and the numbers are there for the call, and the context is the test's.
        unsafe {
            release(context);
            text.get().unwrap().len() as f64 * numbers.get().unwrap().iter().sum::<f64>()
        }
    }
    let (seen, context, _alone) = seen();
    type Rank = unsafe extern "C" fn(Context, Str, Slice<f64>) -> f64;
    let no_release: Option<Release> = None;
    call(exported!("rank_with" as fn(Rank, Context, Option<Release>); rank, context, no_release)).unwrap();
    let numbers = [1.5, 2.0];
    let ranked = exported!("ranked" as fn(Str, Slice<f64>) -> f64; "abcd".into(), numbers[..].into());
    assert_eq!(call(ranked), Ok(14.0));
    assert_ne!(*seen.by.lock().unwrap(), Some(thread::current().id()), "it ran on a thread of the library's");
    call(exported!("forget_rank" as fn();)).unwrap();
}

#[test]
fn a_handle_releases_what_it_keeps() {
    unsafe extern "C" fn told(context: Context, text: Str) {
        // SAFETY: the text is there for the call, the context is the test's.
        unsafe { add(context, text.get().unwrap().len() as u64) };
    }
    let (seen, context, _alone) = seen();
    type Told = unsafe extern "C" fn(Context, Str);
    let topic = call(exported!("topic_new" as fn() -> *mut c_void;)).unwrap();
    for _ in 0..2 {
        let told: Told = told;
        call(exported!("topic_subscribe" as fn(*mut c_void, Told, Context, Release); topic, told, context, release))
            .unwrap();
    }
    call(exported!("topic_publish" as fn(*mut c_void, Str); topic, "word".into())).unwrap();
    assert_eq!((seen.sum.load(SeqCst), seen.released.load(SeqCst)), (8, 0));
    let gone: unsafe extern "C" fn(*mut c_void) = crate::library::symbol("topic_release");
    // SAFETY: the constructor's, once.
    unsafe { gone(topic) };
    assert_eq!(seen.released.load(SeqCst), 2);
    // One of a handle that is null goes back too.
    let told: Told = told;
    let none = exported!("topic_subscribe" as fn(*mut c_void, Told, Context, Release); null_mut(), told, context, release);
    fails(-2, "argument `topic`: the address is null", none);
    assert_eq!(seen.released.load(SeqCst), 3);
}
