// Made by upcall bindgen 0.1.0 --config protocol.toml --rust src/lib.rs; do not edit.

/** The constants of the module protocol. */
export const enum Protocol {
  /** The number of this agreement, which both sides must have. */
  NUMBER = 3,
  /**
   * Where lane 1 lies, and behind it the others. Each open call of a handler that answers later has one: a turn and a message
   * of its own, laid out like those at the start of the segment, which are lane 0's.
   */
  LANES = 4096,
  /** Bytes of a lane: the word of its turn, and `MESSAGE` bytes behind that its message. */
  LANE = 256,
  /** Where behind the word of a turn its message lies. */
  MESSAGE = 128,
  /**
   * The last lane. It has no calls: the handler's threads ask for `LOG`, `READ` and
   * `LIST` on it, one at a time.
   */
  SERVICE = 1023,
  /**
   * Where the guest's bell lies, which says which lanes have a `CALL` for it: a counter of 32 bits that
   * whoever rings adds 1 to, and the guest sleeps on; 32 bits that are not 0 while it sleeps; and at `BELL_LANES` the lanes.
   * Whoever finds that it sleeps sets these 32 bits to 0, adds 1 to the counter once more, and wakes it.
   */
  GUEST_BELL = 1024,
  /** The host's bell: which lanes have something for the host. Lane 0 never does, as who called waits for its turn. */
  HOST_BELL = 2048,
  /**
   * Where in a bell the lanes are: 16 words of 64 bits, lane k being bit k % 64 of word k / 64. Whoever passes a lane leaves the
   * message, passes the lane's turn, sets the bit, adds to the counter, and wakes the other side where it sleeps. The other
   * one takes a whole word, and leaves 0.
   */
  BELL_LANES = 64,
  /** Bytes before the frame of a lane that are the guest's own, until it has returned the call. */
  BEFORE = 16,
  /** Bytes of a segment, where the system's limits let it be as large. Nobody pays for what is not touched. */
  SEGMENT = 68719476736,
  /**
   * Where the guest leaves what a message speaks of: text, keys. From here on, as many bytes as the message says, up to
   * `ARENA`. It is lane 0's, and that of `SERVICE` from when lanes are used.
   */
  SCRATCH = 266240,
  /**
   * Where the host puts frames, and all that they point to, up to `SEGMENT`. The guest writes into what it was given there. In front is
   * what the engine lends (`LENT_VARIABLE`).
   */
  ARENA = 67375104,
  /** The environment variable that says which file descriptor the segment is in the guest's process. */
  SEGMENT_VARIABLE = "UPCALL_SEGMENT",
  /**
   * The one that says what the engine lends: for each file its descriptor in the guest's process, the offset of the segment from which on
   * it is to be mapped, read-only, and its bytes, as in `4:67375104:8192,5:67383296:100`.
   */
  LENT_VARIABLE = "UPCALL_LENT",
  /** Where in the segment what is lent to Node ends at the latest: it sees no more than 4 GiB, and what crosses lies behind. */
  LENT_TO_NODE = 3221225472,
  /** The one that says that the guest's process is in a sandbox. */
  SANDBOX_VARIABLE = "UPCALL_SANDBOX",
}

/** The constants of the module to_guest. */
export const enum ToGuest {
  /**
   * Call the handler: the frame's offset, where in the frame its output is (0 where it has none), where what it is given
   * begins and ends, and a fifth number:
   */
  CALL = 1,
  /** What a call of OPEN says where lanes are used from now on. */
  LANES = 1,
  /** What was asked for: a status, and what belongs to it. It rings no bell: whoever has asked waits for the lane's turn. */
  ANSWER = 2,
  /** End the process. */
  END = 3,
}

/** The constants of the module to_host. */
export const enum ToHost {
  /** The handler is loaded and made: `NUMBER`. */
  READY = 1,
  /** It is not: a number of `upcall_abi::refusal`, and the bytes of the text in the scratch. */
  REFUSED = 2,
  /** The call has ended: its status. From when the turn is passed the lane, the frame and its output are the host's. */
  RETURNED = 3,
  /** Another chunk of output, on the lane of the call: so many bytes. The answer: where it begins and ends. */
  GROW = 4,
  /** A line for the log: its level, and the bytes of the text in the scratch. */
  LOG = 5,
  /**
   * A key of a pool: pool and `as_of` (in the upper half), `at`, and the bytes of the key in the scratch. The answer: the
   * offset of an item. Before the next question on the lane, what it points to is the host's again.
   */
  READ = 6,
  /** The keys of a pool: as `READ`, with a prefix. The answer: offset and length of a list. */
  LIST = 7,
}
