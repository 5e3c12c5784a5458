//! A value that knows how many of it there are, and that panics on request.

use std::cell::Cell;

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
    /// The clone, or the drop, that comes after this many others panics; `None`: nothing does.
    pub static FUSE: Cell<Option<usize>> = const { Cell::new(None) };
}

/// How many there are on this thread.
pub fn live() -> usize {
    LIVE.get()
}

fn burn() {
    match FUSE.get() {
        Some(0) => {
            FUSE.set(None);
            panic!("on request");
        }
        left => FUSE.set(left.map(|left| left - 1)),
    }
}

/// Owns memory, so that a sanitizer sees a second drop too.
#[derive(Debug, PartialEq)]
pub struct Counted(pub Box<u32>);

impl Counted {
    pub fn new(number: u32) -> Counted {
        LIVE.set(LIVE.get() + 1);
        Counted(Box::new(number))
    }
}

impl Clone for Counted {
    fn clone(&self) -> Counted {
        burn();
        Counted::new(*self.0)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        LIVE.set(LIVE.get().checked_sub(1).expect("dropped twice"));
        if !std::thread::panicking() {
            burn();
        }
    }
}
