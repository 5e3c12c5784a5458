/// What an upcall returned.
///
/// Not an enum: a Rust enum that foreign code fills with a number of its own is undefined behaviour. Any
/// number other than the three below is a failure.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Status(pub i32);

impl Status {
    /// All items are done.
    pub const OK: Status = Status(0);
    /// An item failed; the error slot says which and why, `done` how many precede it.
    pub const FAILED: Status = Status(1);
    /// The guest goes on by itself and will call `complete`.
    pub const PENDING: Status = Status(2);
}

crate::layout::layout!(Status: 4, 4 { 0: 0 });
