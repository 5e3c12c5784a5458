//! What the two sides have agreed on: where things lie in the segment, and what the messages mean. Offsets are those of the
//! segment; a message is a number that says what it is, and what that number's docs say.

use upcall_segment::HEAD;

/// The number of this agreement, which both sides must have.
pub const NUMBER: u64 = 3;

/// Where lane 1 lies, and behind it the others. Each open call of a handler that answers later has one: a turn and a message
/// of its own, laid out like those at the start of the segment, which are lane 0's.
pub const LANES: u64 = HEAD;

/// Bytes of a lane: the word of its turn, and [`MESSAGE`] bytes behind that its message.
pub const LANE: u64 = 256;

/// Where behind the word of a turn its message lies.
pub const MESSAGE: u64 = upcall_segment::MESSAGE;

/// The last lane. It has no calls: the handler's threads ask for [`LOG`](to_host::LOG), [`READ`](to_host::READ) and
/// [`LIST`](to_host::LIST) on it, one at a time.
pub const SERVICE: u64 = 1023;

// Each open call has a lane of its own, behind the first.
const _: () = assert!(upcall_host::Isolation::MOST_OPEN < SERVICE as usize);

/// Where the lane of this number lies, from 1 on.
#[must_use]
pub const fn lane(number: u64) -> u64 {
    LANES + (number - 1) * LANE
}

/// Where the guest's bell lies, which says which lanes have a [`CALL`](to_guest::CALL) for it: a counter of 32 bits that
/// whoever rings adds 1 to, and the guest sleeps on; 32 bits that are not 0 while it sleeps; and at [`BELL_LANES`] the lanes.
/// Whoever finds that it sleeps sets these 32 bits to 0, adds 1 to the counter once more, and wakes it.
pub const GUEST_BELL: u64 = upcall_segment::GUEST_BELL;

/// The host's bell: which lanes have something for the host. Lane 0 never does, as who called waits for its turn.
pub const HOST_BELL: u64 = upcall_segment::HOST_BELL;

/// Where in a bell the lanes are: 16 words of 64 bits, lane k being bit k % 64 of word k / 64. Whoever passes a lane leaves the
/// message, passes the lane's turn, sets the bit, adds to the counter, and wakes the other side where it sleeps. The other
/// one takes a whole word, and leaves 0.
pub const BELL_LANES: u64 = upcall_segment::RUNG;

/// Bytes before the frame of a lane that are the guest's own, until it has returned the call.
pub const BEFORE: u64 = 16;

const _: () = assert!(BEFORE == upcall_crossing::BEFORE);

/// Bytes of a segment, where the system's limits let it be as large. Nobody pays for what is not touched.
pub const SEGMENT: u64 = 64 << 30;

/// Where the guest leaves what a message speaks of: text, keys. From here on, as many bytes as the message says, up to
/// [`ARENA`]. It is lane 0's, and that of [`SERVICE`] from when lanes are used.
pub const SCRATCH: u64 = 266_240;

const _: () = assert!(SCRATCH == (lane(SERVICE) + LANE).next_multiple_of(HEAD));

/// Where the host puts frames, and all that they point to, up to [`SEGMENT`]. The guest writes into what it was given there. In front is
/// what the engine lends ([`LENT_VARIABLE`]).
pub const ARENA: u64 = SCRATCH + (64 << 20);

/// The environment variable that says which file descriptor the segment is in the guest's process.
pub const SEGMENT_VARIABLE: &str = "UPCALL_SEGMENT";

/// The one that says what the engine lends: for each file its descriptor in the guest's process, the offset of the segment from which on
/// it is to be mapped, read-only, and its bytes, as in `4:67375104:8192,5:67383296:100`.
pub const LENT_VARIABLE: &str = "UPCALL_LENT";

/// Where in the segment what is lent to Node ends at the latest: it sees no more than 4 GiB, and what crosses lies behind.
pub const LENT_TO_NODE: u64 = 3 << 30;

/// The one that says that the guest's process is in a sandbox.
pub const SANDBOX_VARIABLE: &str = "UPCALL_SANDBOX";

/// What the host tells the guest.
pub mod to_guest {
    /// Call the handler: the frame's offset, where in the frame its output is (0 where it has none), where what it is given
    /// begins and ends, and a fifth number:
    ///
    /// - of OPEN, [`LANES`] where calls may be answered later: lanes are used from now on, for services in this call already. The next
    ///   call is the first that rings the guest's bell, that of lane 0 too.
    /// - of CANCEL, the lane of the call that is no longer waited for. It may have its own call waiting still, which comes
    ///   first. The frame's `call` is an offset.
    /// - else 0.
    ///
    /// On lane 0 the frame has to be answered at once; on another one it may be answered later, from any thread.
    pub const CALL: u64 = 1;
    /// What a call of OPEN says where lanes are used from now on.
    pub const LANES: u64 = 1;
    /// What was asked for: a status, and what belongs to it. It rings no bell: whoever has asked waits for the lane's turn.
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
    /// The call has ended: its status. From when the turn is passed the lane, the frame and its output are the host's.
    pub const RETURNED: u64 = 3;
    /// Another chunk of output, on the lane of the call: so many bytes. The answer: where it begins and ends.
    pub const GROW: u64 = 4;
    /// A line for the log: its level, and the bytes of the text in the scratch.
    pub const LOG: u64 = 5;
    /// A key of a pool: pool and `as_of` (in the upper half), `at`, and the bytes of the key in the scratch. The answer: the
    /// offset of an item. Before the next question on the lane, what it points to is the host's again.
    pub const READ: u64 = 6;
    /// The keys of a pool: as `READ`, with a prefix. The answer: offset and length of a list.
    pub const LIST: u64 = 7;
}
