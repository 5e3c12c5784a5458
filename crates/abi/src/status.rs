/// What an upcall returned.
///
/// Not an enum: a Rust enum that foreign code fills with a number of its own is undefined behaviour. Any
/// number other than the four below is a failure.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Status(pub i32);

impl Status {
    /// All items are done.
    pub const OK: Status = Status(0);
    /// An item failed; the error slot says which and why, `done` how many precede it.
    pub const FAILED: Status = Status(1);
    /// The guest keeps the frame and will call `complete`, once, before CLOSE has returned. Only a handler that says so when
    /// it is asked what it is may answer so, and only where the head has a `complete`. What the frame shows stays as it is
    /// until then, and so does its output.
    pub const PENDING: Status = Status(2);
    /// The guest died or was killed while it had the frame, and nobody is to blame. What it had finished counts: the first
    /// `done` items of the frame, with what they have emitted. The others are delivered again, and what was emitted for
    /// them does not count. Answered by a host in place of its guest.
    pub const LOST: Status = Status(3);
}

crate::layout::layout!(Status: 4, 4 { 0: 0 });
