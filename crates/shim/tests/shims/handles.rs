//! Handles through shims: who may use one, and when it ends.

use crate::library::{call, exported, fails};
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::{Barrier, Mutex};
use upcall_abi::Str;

/// A handle, as another language holds it.
type Counter = *mut c_void;

const IN_USE: &str = "the `WordCounter` is in use by another call, and one of the two changes it";

/// The library counts its handles, so one test at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn new(start: u64) -> Counter {
    call(exported!("word_counter_new" as fn(u64) -> Counter; start)).unwrap()
}

fn get(counter: Counter) -> u64 {
    call(exported!("word_counter_get" as fn(Counter) -> u64; counter)).unwrap()
}

fn release(counter: Counter) {
    let release: unsafe extern "C" fn(Counter) = crate::library::symbol("word_counter_release");
    // SAFETY: each test releases what it has made, once.
    unsafe { release(counter) };
}

fn live() -> i32 {
    call(exported!("counters_alive" as fn() -> i32;)).unwrap()
}

/// A handle whose symbols have a name of their own.
type Fragile = *mut c_void;

type Update = unsafe extern "C" fn(Fragile, u64) -> u64;

fn new_fragile(value: u64) -> Fragile {
    call(exported!("nil_new" as fn(u64) -> Fragile; value)).unwrap()
}

fn release_fragile(fragile: Fragile) {
    let release: unsafe extern "C" fn(Fragile) = crate::library::symbol("nil_release");
    // SAFETY: each test releases what it has made, once.
    unsafe { release(fragile) };
}

macro_rules! updated {
    ($fragile:expr, $update:expr) => {{
        let fragile: Fragile = $fragile;
        exported!("nil_update" as fn(Fragile, Update, Fragile); fragile, $update, fragile)
    }};
}

macro_rules! add {
    ($counter:expr, $by:expr) => {
        exported!("word_counter_add" as fn(Counter, u64) -> u64; $counter, $by)
    };
}

#[test]
fn a_handle_lives_from_its_constructor_to_its_release() {
    let _alone = ONE_AT_A_TIME.lock();
    let before = live();
    let counter = new(5);
    assert_eq!(call(add!(counter, 3)), Ok(8));
    assert_eq!(get(counter), 8);
    fails(1, "8 and 1000 are more than 1000", add!(counter, 1000));
    let fork = call(exported!("word_counter_fork" as fn(Counter) -> Counter; counter)).unwrap();
    assert_eq!((get(fork), live()), (8, before + 2));
    release(counter);
    assert_eq!((get(fork), live()), (8, before + 1));
    release(fork);
    release(null_mut());
    assert_eq!(live(), before);
    // As a call sees it that another thread's release has overtaken.
    let released = "the `WordCounter` was released";
    fails(-3, released, exported!("word_counter_get" as fn(Counter) -> u64; counter));
    fails(-3, released, add!(counter, 1));
}

#[test]
fn a_constructor_that_fails_returns_null() {
    let parse = |text: &str| call(exported!("word_counter_parse" as fn(Str) -> Counter; text.into()));
    let (failed, counter) = parse("x").unwrap_err();
    assert_eq!((failed.message.as_str(), counter), ("invalid digit found in string", null_mut()));
    let counter = parse("7").unwrap();
    assert_eq!(get(counter), 7);
    release(counter);
}

#[test]
fn other_functions_take_and_return_handles() {
    let _alone = ONE_AT_A_TIME.lock();
    let a = call(exported!("counter_of" as fn(Str) -> Counter; "one two three".into())).unwrap();
    let b = new(10);
    assert_eq!(call(exported!("swap_counts" as fn(Counter, Counter); a, b)), Ok(()));
    assert_eq!((get(a), get(b)), (10, 3));
    let total = |a: Counter, b: *const c_void| exported!("total" as fn(Counter, *const c_void) -> u64; a, b);
    assert_eq!(call(total(a, b)), Ok(13));
    assert_eq!(call(total(a, null())), Ok(10));
    assert_eq!(call(total(a, a)), Ok(20));
    fails(-2, "argument `counter`: the address is null", total(null_mut(), b));
    fails(-2, "argument `word_counter`: the address is null", add!(null_mut(), 1));
    fails(-2, "argument `word_counter`: the address is not a multiple of 8", add!(a.wrapping_byte_add(4), 1));
    release(a);
    release(b);
}

#[test]
fn a_handle_is_not_changed_twice_at_once() {
    let _alone = ONE_AT_A_TIME.lock();
    let a = new(1);
    let overlap = "arguments `left` and `right` overlap, and the function writes to one of them";
    fails(-2, overlap, exported!("swap_counts" as fn(Counter, Counter); a, a));
    assert_eq!(get(a), 1);
    release(a);
}

#[test]
fn a_callback_may_read_what_is_read_and_change_nothing() {
    unsafe extern "C" fn visit(counter: Counter, count: u64) {
        assert_eq!(get(counter), count);
        fails(-3, IN_USE, add!(counter, 1));
    }
    unsafe extern "C" fn update(fragile: Fragile, value: u64) -> u64 {
        let in_use = IN_USE.replace("WordCounter", "Fragile");
        fails(-3, &in_use, exported!("nil_get" as fn(Fragile) -> u64; fragile));
        value * 2
    }
    let _alone = ONE_AT_A_TIME.lock();
    let counter = new(21);
    type Visit = unsafe extern "C" fn(Counter, u64);
    let visited =
        exported!("word_counter_visit" as fn(Counter, Visit, Counter) -> u64; counter, visit, counter);
    assert_eq!(call(visited), Ok(21));
    release(counter);

    let fragile = new_fragile(21);
    assert_eq!(call(updated!(fragile, update)), Ok(()));
    assert_eq!(call(exported!("nil_get" as fn(Fragile) -> u64; fragile)), Ok(42));
    release_fragile(fragile);
}

#[test]
fn a_handle_that_is_released_during_a_call_ends_with_it() {
    unsafe extern "C" fn visit(counter: Counter, _: u64) {
        let before = live();
        release(counter);
        assert_eq!(live(), before);
        let read = exported!("word_counter_get" as fn(Counter) -> u64; counter);
        fails(-3, "the `WordCounter` was released", read);
    }
    let _alone = ONE_AT_A_TIME.lock();
    let before = live();
    let counter = new(21);
    type Visit = unsafe extern "C" fn(Counter, u64);
    let visited =
        exported!("word_counter_visit" as fn(Counter, Visit, Counter) -> u64; counter, visit, counter);
    assert_eq!(call(visited), Ok(21));
    assert_eq!(live(), before);

    // The same with the one call that changes it.
    unsafe extern "C" fn update(fragile: Fragile, value: u64) -> u64 {
        release_fragile(fragile);
        fails(-3, "the `Fragile` was released", exported!("nil_get" as fn(Fragile) -> u64; fragile));
        value
    }
    assert_eq!(call(updated!(new_fragile(21), update)), Ok(()));
}

#[test]
fn a_destructor_that_panics_goes_unheard() {
    release_fragile(new_fragile(13));
}

#[test]
fn threads_that_share_a_handle_lose_nothing() {
    let _alone = ONE_AT_A_TIME.lock();
    let before = live();
    let counter = new(0);
    let address = counter.expose_provenance();
    let barrier = Barrier::new(4);
    let done: u64 = std::thread::scope(|scope| {
        let threads = [(); 4].map(|()| {
            scope.spawn(|| {
                let counter: Counter = std::ptr::with_exposed_provenance_mut(address);
                barrier.wait();
                // Each addition is done, or refused because of another call.
                (0..200)
                    .filter(|_| {
                        call(add!(counter, 1)).map_err(|(failed, _)| assert_eq!(failed.code, -3)).is_ok()
                    })
                    .count() as u64
            })
        });
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(get(counter), done);
    assert!(done > 0);
    release(counter);
    assert_eq!(live(), before);
}
