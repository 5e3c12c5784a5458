//! What the two sides have agreed on: where things lie in the segment, and what the messages mean. Offsets are those of the
//! segment; a message is a number that says what it is, and what that number's docs say.

use std::ops::Range;
use upcall_segment::HEAD;

/// The number of this agreement, which both sides must have.
pub const NUMBER: u64 = 1;

/// Bytes of a segment, where the system's limits let it be as large. Nobody pays for what is not touched.
pub const SEGMENT: u64 = 64 << 30;

/// Where the guest leaves what a message speaks of: text, keys. From the start of it, as many bytes as the message says.
pub const SCRATCH: Range<u64> = HEAD..HEAD + (64 << 20);

/// Where the host puts frames, and all that they point to. The guest writes into what it was given there.
pub const ARENA: Range<u64> = SCRATCH.end..SEGMENT;

/// The environment variable that says which file descriptor the segment is in the guest's process.
pub const SEGMENT_VARIABLE: &str = "UPCALL_SEGMENT";

/// The one that says that the guest's process is in a sandbox.
pub const SANDBOX_VARIABLE: &str = "UPCALL_SANDBOX";

/// What the host tells the guest.
pub mod to_guest {
    /// Call the handler: the frame's offset, where in the frame its output is (0 where it has none), and where what it is
    /// given begins and ends.
    pub const CALL: u64 = 1;
    /// What was asked for: a status, and what belongs to it.
    pub const ANSWER: u64 = 2;
    /// End the process.
    pub const END: u64 = 3;

    /// An answer.
    pub(crate) fn answer(status: upcall_abi::Status, [a, b]: [u64; 2]) -> upcall_segment::Message {
        let with = [u64::from(status.0.cast_unsigned()), a, b, 0, 0];
        upcall_segment::Message { what: ANSWER, with }
    }
}

/// What the guest tells the host.
pub mod to_host {
    /// The handler is loaded and made: [`NUMBER`](super::NUMBER).
    pub const READY: u64 = 1;
    /// It is not: a number of `upcall_abi::refusal`, and the bytes of the text in the scratch.
    pub const REFUSED: u64 = 2;
    /// The call has ended: its status.
    pub const RETURNED: u64 = 3;
    /// Another chunk of output: so many bytes. The answer: where it begins and ends.
    pub const GROW: u64 = 4;
    /// A line for the log: its level, and the bytes of the text in the scratch.
    pub const LOG: u64 = 5;
    /// A key of a pool: pool and `as_of` (in the upper half), `at`, and the bytes of the key in the scratch. The answer: the
    /// offset of an item.
    pub const READ: u64 = 6;
    /// The keys of a pool: as `READ`, with a prefix. The answer: offset and length of a list.
    pub const LIST: u64 = 7;
}
