//! Callbacks that reach a thread which no JavaScript runs on: nothing of Node's may be called there.

use upcall_glue_node::callback::{call, elsewhere, send};
use upcall_glue_node::calling::MISUSE;
use upcall_glue_node::environment::{Callee, Function, Functions};
use upcall_glue_node::exchange::{exchange, get, put};

#[test]
fn a_callback_that_returns_something_gives_its_stand_in_and_is_noted() {
    let mut other = Functions::new(7);
    let function = Function { callee: Callee::Kept(std::ptr::null_mut()), name: "kept".into() };
    let number = other.enter(function, false).map_err(|_| ()).unwrap();
    // Also where native code has lost the context.
    for number in [number, 0] {
        assert!(!MISUSE.noted());
        // SAFETY: it ends before the closures, which would need an environment, are called.
        let result = unsafe {
            call::<0, i32>(number, -5, |_, _| unreachable!("no environment"), |_, _| unreachable!())
        };
        assert_eq!(result, -5);
        assert!(MISUSE.take());
    }
    // One that returns nothing waits for its own thread, but this environment was never opened.
    assert!(elsewhere(number) && !elsewhere(number | 1));
    send(number, 0, || unreachable!("nobody delivers it"));
    assert!(MISUSE.take());
}

#[test]
fn values_go_through_the_exchange_of_this_thread_where_they_lie_unaligned() {
    let mut area = [0u8; 40];
    exchange(area.as_mut_ptr() as usize + 1);
    // SAFETY: the area has room behind its second byte, and no environment is used.
    unsafe {
        put(16, 0x0102_0304_0506_0708_u64);
        put(0, 2.5f64);
        let taken: Result<f64, _> = get(std::ptr::null_mut(), std::ptr::null_mut());
        assert_eq!(taken.ok(), Some(2.5));
    }
    assert_eq!(area[17..25], 0x0102_0304_0506_0708_u64.to_ne_bytes());
}
