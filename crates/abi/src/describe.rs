use crate::{FrameHead, Output};

/// Asks a handler what it is, before OPEN. The handler answers with [`crate::Record`]s in `out`, one for each thing that it
/// says of itself: which thing is the record's `pool`, one of [`about`]; key and value are UTF-8.
///
/// What it says holds for all instances of the handler.
#[repr(C)]
#[derive(Debug)]
pub struct DescribeFrame {
    /// The head; its kind is [`crate::kind::DESCRIBE`].
    pub head: FrameHead,
    /// Where the answer goes.
    pub out: Output,
}

crate::layout::layout!(DescribeFrame: 112, 8 { head: 0, out: 80 });

/// What a record of a [`DescribeFrame`] is about. Engines pass over numbers that they do not know.
pub mod about {
    /// The kind of batch that the handler takes: key its name, value its number in decimal. Exactly one.
    pub const KIND: u32 = 1;
    /// How it likes a flow's objects: key `object` or `batch`. How it likes the vertices of a graph: key `vertex` (one by one),
    /// `gather` (one by one, with what its neighbours come to) or `interval` (all of a frame at once).
    pub const FORM: u32 = 2;
    /// The type of the values it takes: key its name, value its bytes in decimal, nothing where they differ. None: any bytes.
    /// `int` and `float` are whichever number of that sort a pool declares.
    pub const TAKES: u32 = 3;
    /// A type of the values it gives; as `TAKES`. `bytes` beside others: any bytes too.
    pub const GIVES: u32 = 4;
    /// Combining is commutative.
    pub const COMMUTATIVE: u32 = 5;
    /// It may answer later ([`crate::Status::PENDING`]). Of the form `object` it is handed one item in a frame, so that each
    /// has its own answer.
    pub const ANSWERS_LATER: u32 = 6;
    /// An array that it reads or writes: key its name, value `read` or `write`.
    pub const ARRAY: u32 = 7;
    /// A setting that it understands: key its name, value up to three lines: its type; `=` and its default, or nothing
    /// where there is none; the range of its values, or nothing.
    pub const PARAMETER: u32 = 8;
    /// The type of a value that a vertex program has: key `own` (what a vertex keeps to itself), `shown` (what it shows to its
    /// neighbours) or `edge`, value one of `f32`, `f64`, `i32`, `i64`, `u32` and `u64`. Without one of them, the program has no such
    /// value; it must have `shown`.
    pub const VALUE: u32 = 9;
    /// What a vertex program needs: key `outgoing` (it looks at outgoing edges too), `writes` (it sets the values of outgoing edges, and
    /// so looks at them, too) or `selective` (only vertices that see a change are updated).
    pub const NEEDS: u32 = 10;
    /// By what a vertex program of the form `gather` has the engine put together what its incoming neighbours show: key `sum` or
    /// `count`, which come to an `f64`, or `min` or `max`, which are of the type of `shown`; of no neighbours 0, or the largest or
    /// the least number there is.
    pub const GATHER: u32 = 11;
}
