//! Chunks of output that a guest asks for.

use std::cell::Cell;
use upcall_abi::{FlowFrame, FrameHead, Rel, Status, kind};
use upcall_crossing::{Chunks, Crossing, Full, Grown, Room, cross};

/// Memory of a guest, of so many bytes.
struct Memory {
    words: Vec<u128>,
    given: u64,
}

// SAFETY: each place is given once, in multiples of 16, and the words stay where they are; `place` looks whether all bytes are
// inside.
unsafe impl Room for Memory {
    fn reset(&mut self) {
        self.given = 0;
    }

    fn give(&mut self, bytes: u64) -> Result<(u64, *mut u8), Full> {
        let at = self.given;
        let next = at.checked_add(bytes).and_then(|end| end.checked_next_multiple_of(16)).ok_or(Full)?;
        let place = self.place(at, next - at).ok_or(Full)?;
        self.given = next;
        Ok((at, place))
    }

    fn give_back(&mut self, from: u64) {
        self.given = from;
    }

    fn place(&self, offset: u64, bytes: u64) -> Option<*mut u8> {
        let end = offset.checked_add(bytes)?;
        let first = self.words.as_ptr().cast_mut().cast::<u8>();
        (end <= size_of_val(&*self.words) as u64).then(|| first.wrapping_add(offset as usize))
    }

    fn end(&self) -> u64 {
        self.given
    }
}

thread_local! {
    /// What the engine was asked for, and the most that it gives.
    static ASKED: Cell<u64> = const { Cell::new(0) };
    static MOST: Cell<u64> = const { Cell::new(u64::MAX) };
}

unsafe extern "C" fn grow(frame: *mut FrameHead, need: u64) -> Status {
    ASKED.set(need);
    if need > MOST.get() {
        return Status::FAILED;
    }
    // SAFETY: the frame is a flow's, as the tests make them.
    let out = unsafe { &mut (*frame.cast::<FlowFrame>()).out };
    // Nobody writes there.
    (out.at, out.end, out.chunk) = (1 << 40, (1 << 40) + need, out.chunk + 1);
    Status::OK
}

/// A call of a guest with a MiB of memory.
struct Called {
    memory: Memory,
    chunks: Chunks,
    frame: Box<FlowFrame>,
    crossing: Crossing,
}

fn called() -> Called {
    let mut memory = Memory { words: vec![0; (1 << 20) / 16], given: 0 };
    let (mut chunks, mut frame) = (Chunks::default(), Box::new(FlowFrame::new(kind::FLOW)));
    frame.out.grow = Some(grow);
    frame.items = Rel::EMPTY;
    // SAFETY: a whole frame, without items and without room.
    let crossing = unsafe { cross(&mut memory, &mut chunks, (&raw mut *frame).cast(), kind::FLOW) }.unwrap();
    Called { memory, chunks, frame, crossing }
}

impl Called {
    fn asks(&mut self, need: u64) -> Grown {
        // SAFETY: the frame is that of the call, and nobody else uses it.
        unsafe {
            let emitted = self.crossing.emitted((&raw mut *self.frame).cast()).unwrap();
            self.chunks.grow(&mut self.memory, &emitted, need).unwrap()
        }
    }
}

#[test]
fn an_engine_is_not_asked_for_more_than_the_guest_has_room_for() {
    for need in [2 << 30, (1 << 20) + 1, 1 << 20, 8 << 30, u64::MAX] {
        assert_eq!(called().asks(need), None);
        assert_eq!(ASKED.get(), 0, "it counts what it gives, and stops a flow for what it cannot give");
    }
    let [at, end] = called().asks(512 << 10).unwrap();
    assert_eq!((ASKED.get(), end - at), (512 << 10, 512 << 10));
}

#[test]
fn what_an_engine_refuses_takes_no_room() {
    MOST.set(100);
    let mut called = called();
    for _ in 0..100 {
        assert_eq!(called.asks(512 << 10), None);
    }
    MOST.set(u64::MAX);
    assert!(called.asks(512 << 10).is_some());
}
