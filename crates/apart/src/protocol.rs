//! What the two sides have agreed on: where things lie in the segment, and what the messages mean.

use std::ops::Range;
use upcall_segment::HEAD;

/// Bytes of a segment. Nobody pays for what is not touched.
pub(crate) const SEGMENT: u64 = 64 << 30;

/// Where the guest leaves what a message speaks of: text, keys. From the start of it, as many bytes as the message says.
pub(crate) const SCRATCH: Range<u64> = HEAD..HEAD + (64 << 20);

/// Where the host puts frames, and all that they point to. The guest writes into what it was given there.
pub(crate) const ARENA: Range<u64> = SCRATCH.end..SEGMENT;

/// The environment variable that says which file descriptor the segment is in the guest's process.
pub(crate) const SEGMENT_VARIABLE: &str = "UPCALL_SEGMENT";

/// The one that says that the guest's process is in a sandbox.
pub(crate) const SANDBOX_VARIABLE: &str = "UPCALL_SANDBOX";

/// What the host tells the guest.
pub(crate) mod to_guest {
    /// Call the handler: the frame's offset, and where in the frame its output is; 0 where it has none.
    pub(crate) const CALL: u64 = 1;
    /// What was asked for: a status, and what belongs to it.
    pub(crate) const ANSWER: u64 = 2;
    /// End the process.
    pub(crate) const END: u64 = 3;

    /// An answer.
    pub(crate) fn answer(status: upcall_abi::Status, [a, b]: [u64; 2]) -> upcall_segment::Message {
        let with = [u64::from(status.0.cast_unsigned()), a, b, 0, 0];
        upcall_segment::Message { what: ANSWER, with }
    }
}

/// What the guest tells the host.
pub(crate) mod to_host {
    /// The handler is loaded and made.
    pub(crate) const READY: u64 = 1;
    /// It is not: a number of `upcall_abi::refusal`, and the bytes of the text in the scratch.
    pub(crate) const REFUSED: u64 = 2;
    /// The call has ended: its status.
    pub(crate) const RETURNED: u64 = 3;
    /// Another chunk of output: so many bytes. The answer: where it begins and ends.
    pub(crate) const GROW: u64 = 4;
    /// A line for the log: its level, and the bytes of the text in the scratch.
    pub(crate) const LOG: u64 = 5;
    /// A key of a pool: pool and `as_of` (in the upper half), `at`, and the bytes of the key in the scratch. The answer: the
    /// offset of an item.
    pub(crate) const READ: u64 = 6;
    /// The keys of a pool: as `READ`, with a prefix. The answer: offset and length of a list.
    pub(crate) const LIST: u64 = 7;
}
