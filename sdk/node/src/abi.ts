// Made by upcall bindgen 0.1.0 --config abi.toml --rust src/lib.rs; do not edit.

/** A slice whose place is an offset from one of the frame's bases (`crate::base`). */
export const enum Rel {
  $bytes = 16,
  /** Bytes from the base that the field's docs name. */
  offset = 0, // u64
  /** Elements, not bytes. */
  len = 8, // u64
}

/** Where a guest describes a failure: engine memory that holds type, message and stack one after the other. */
export const enum ErrorSlot {
  $bytes = 32,
  /** The room for text, relative to `base::OUTPUT`. */
  text = 0, // Rel
  /** Bytes of the error's type name, at the start of `text`. */
  typeLen = 16, // u32
  /** Bytes of the message, after the type name. */
  messageLen = 20, // u32
  /** Bytes of the stack trace, after the message. */
  stackLen = 24, // u32
  /** Index of the item that failed, or `ErrorSlot::NO_ITEM`. */
  item = 28, // u32
  /** The failure concerns the whole frame. */
  NO_ITEM = 4294967295,
}

/**
 * The first field of every frame. `abi` to `error` stay where they are in every ABI, so that a driver can
 * say why it refuses a frame.
 */
export const enum FrameHead {
  $bytes = 80,
  /** `crate::ABI` of the engine. */
  abi = 0, // u16
  /** One of `kind`. */
  kind = 2, // u16
  /**
   * Bytes of the whole frame. Frames only grow by appending, so a field that ends beyond it is absent.
   * `FrameHead::check` compares it.
   */
  size = 4, // u32
  /** What the offsets of a slice are relative to, by `base`; all 0 in-process. */
  base = 8, // [u64; 4]
  /** Where a failure is described. */
  error = 40, // ErrorSlot
  /**
   * Called once, from any thread, for a frame that was answered with `Status::PENDING`, with what the frame would have
   * been answered otherwise; the frame is the engine's again. Null where a frame has to be answered at once.
   */
  complete = 72, // pointer
}

/** Where emissions go: the current chunk of a chain. Offsets are relative to `base::OUTPUT`. */
export const enum Output {
  $bytes = 32,
  /** The next free byte, a multiple of 8. */
  at = 0, // u64
  /** The end of the current chunk. */
  end = 8, // u64
  /**
   * Index of the current chunk. On failure the driver puts `chunk` and `at` back to where they were before
   * the item; the engine drops the chunks after it. If it goes on writing it sets `end`, too.
   */
  chunk = 16, // u32
  /**
   * Opens a chunk with at least `need` bytes after the current one and sets `at`, `end` and `chunk`; drops
   * what a driver that went back has left there. `FAILED` when there is no more memory.
   */
  grow = 24, // pointer
}

/**
 * Asks a handler what it is, before OPEN. The handler answers with `crate::Record`s in `out`, one for each thing that it
 * says of itself: which thing is the record's `pool`, one of `about`; key and value are UTF-8.
 */
export const enum DescribeFrame {
  $bytes = 112,
  /** The head; its kind is `crate::kind::DESCRIBE`. */
  head = 0, // FrameHead
  /** Where the answer goes. */
  out = 80, // Output
}

/** What an upcall returned. */
export const enum Status {
  /** All items are done. */
  OK = 0,
  /** An item failed; the error slot says which and why, `done` how many precede it. */
  FAILED = 1,
  /**
   * The guest keeps the frame and will call `complete`, once, before CLOSE has returned. Only a handler that says so when
   * it is asked what it is may answer so, and only where the head has a `complete`. What the frame shows stays as it is
   * until then, and so does its output.
   */
  PENDING = 2,
  /**
   * The guest died or was killed while it had the frame, and nobody is to blame. What it had finished counts: the first
   * `done` items of the frame, with what they have emitted. The others are delivered again, and what was emitted for
   * them does not count. Answered by a host in place of its guest.
   */
  LOST = 3,
}

/** The first frame of an instance, on the thread of its worker, after DESCRIBE if the engine asks. */
export const enum OpenFrame {
  $bytes = 152,
  /** The head; its kind is `crate::kind::OPEN`. */
  head = 0, // FrameHead
  /** The handler's name, UTF-8. */
  name = 80, // Rel
  /** The handler's settings. */
  settings = 96, // Rel
  /** What the engine does for every handler; null where it keeps no log. */
  services = 112, // pointer
  /** What the engine adds for handlers of this kind: one struct, which begins with its size in bytes (`u32`). */
  added = 120, // Rel
  /** The kind of batch that will come: one of `crate::kind`. */
  batch = 136, // u16
  /** Index of this worker among those that run the handler. */
  worker = 140, // u32
  /** How many workers run the handler. */
  workers = 144, // u32
}

/** One setting of a handler: both UTF-8. What is not a plain value in the flow's file arrives as JSON text. */
export const enum Setting {
  $bytes = 32,
  /** Its name. */
  name = 0, // Rel
  /** Its value. */
  value = 16, // Rel
}

/**
 * What an engine does for every handler. Called on the handler's worker only; a handler that answers later may call from
 * any thread.
 */
export const enum Services {
  $bytes = 24,
  /** Bytes of this struct, which grows by appending only. */
  size = 0, // u32
  /** Passed to each function. */
  context = 8, // pointer
  /** Logs `len` bytes of UTF-8 at one of `level`, under the handler's name. */
  log = 16, // pointer
}

/**
 * Tells a handler that a frame which it has answered with `crate::Status::PENDING` is no longer waited for: whatever it
 * does for that frame is to be cancelled by its language's own means. The frame is completed all the same, now or as soon
 * as the handler can, with `crate::Status::FAILED`; one that was completed meanwhile is passed over.
 */
export const enum CancelFrame {
  $bytes = 96,
  /** The head; its kind is `crate::kind::CANCEL`. */
  head = 0, // FrameHead
  /** The frame that is no longer waited for. */
  call = 80, // pointer
  /** One of `cancelled`. */
  why = 88, // u32
}

/** What the flow engine adds to OPEN. */
export const enum FlowOpen {
  $bytes = 48,
  /** Bytes of this struct, which grows by appending only. */
  size = 0, // u32
  /** The pools that the handler watches, emits to or reads. */
  pools = 8, // Rel
  /** Names by sender id (`Item::sender`), UTF-8: 0 is who puts from outside, the rest are handlers. */
  senders = 24, // Rel
  /** What the flow does for a handler; valid until CLOSE has returned. */
  poolServices = 40, // pointer
}

/** One pool that a handler watches, emits to or reads. */
export const enum PoolEntry {
  $bytes = 48,
  /** Its path, UTF-8. */
  path = 0, // Rel
  /** The name of its declared value type (`u64`, `text`), empty when values are plain bytes. */
  valueType = 16, // Rel
  /** Bytes of a value when the type is blittable, else 0. */
  valueSize = 32, // u32
  /** Its id, in `Item::pool` and `crate::Record::pool`. */
  id = 36, // u32
  /** Bits of `access`. */
  access = 40, // u32
}

/**
 * What the flow does for a handler. Called on the handler's worker only, while it is called; a handler that answers later
 * may call from any thread until CLOSE has returned.
 */
export const enum PoolServices {
  $bytes = 32,
  /** Bytes of this struct, which grows by appending only. */
  size = 0, // u32
  /** Passed to each function. */
  context = 8, // pointer
  /**
   * Reads a key from a pool. `OK` with `found.version` 0 means that there is none; `FAILED`, with `found.tag` one of
   * `missing`, that it cannot be read. Views in `found` are relative to `base::BATCH` of the current frame, and end
   * when the handler's call returns; for a handler that answers later they end when the same thread asks again.
   */
  read = 16, // pointer
  /**
   * Lists the keys of a pool that begin with the query's key, sorted, as they are now; `FAILED` when the handler may
   * not read the pool, or, with `missing::NO_ROOM` as the list's offset, has no room for the keys. The list and the keys are relative to `base::BATCH` of the current frame, and end as what `read` finds.
   */
  list = 24, // pointer
}

/** How far the output was when a batch handler reported items as done. */
export const enum Progress {
  $bytes = 16,
  /** `Output::at` then. */
  at = 0, // u64
  /** `Output::chunk` then. */
  chunk = 8, // u32
  /** Items that it reported; 0 where it has not. */
  done = 12, // u32
}

/** The flow engine's batch, or its FLUSH. */
export const enum FlowFrame {
  $bytes = 192,
  /** The head; its kind is `crate::kind::FLOW` or `crate::kind::FLUSH`. */
  head = 0, // FrameHead
  /** The batch, relative to `base::BATCH`. */
  items = 80, // Rel
  /** All values side by side where the engine has them so, relative to `base::BATCH`; else empty. */
  values = 96, // Rel
  /** Bytes from one value to the next in `values`; 0 when they are scattered. */
  stride = 112, // u64
  /** Where emissions go. */
  out = 120, // Output
  /**
   * Items finished. The driver stores it after each item, behind all that the item has emitted: whoever finds it after
   * the guest has died finds the output of so many items, too. On failure it names the one that failed.
   */
  done = 152, // u32
  /**
   * Of a batch handler, which emits for no item in particular: how far the output was at its last two reports. One of
   * the two is that of `done`, whenever the guest dies: `FlowFrame::report`.
   */
  progress = 160, // [Progress; 2]
}

/** One object that reaches a handler: one cache line. All slices are relative to `base::BATCH`. */
export const enum Item {
  $bytes = 64,
  /** The key, UTF-8. */
  key = 0, // Rel
  /** The value. */
  value = 16, // Rel
  /** Strictly increasing per key, unique per pool, at least 1; 0 for a sample that was never put. */
  version = 32, // u64
  /** Nanoseconds since the Unix epoch, never backward within a pool. */
  time = 40, // u64
  /** The pool's id. */
  pool = 48, // u32
  /** Who put it: an index into `crate::FlowOpen::senders`. */
  sender = 52, // u32
  /** A hash of the key by the engine: equal keys have equal ones as long as it runs. */
  tag = 56, // u64
}

/** The head of one emission; the value, the key and padding to a multiple of 8 follow. */
export const enum Record {
  $bytes = 16,
  /** The pool's id. */
  pool = 0, // u32
  /** Index of the item that was being handled, or `Record::NO_ITEM`. */
  item = 4, // u32
  /** Bytes of the value. */
  valueLen = 8, // u32
  /** Bytes of the key. */
  keyLen = 12, // u32
  /** Emitted by FLUSH, or by a batch handler. */
  NO_ITEM = 4294967295,
  /**
   * A pool that is none: the record says that the next one, of the same item, is emitted on condition. Its value is the
   * version that must be the newest of that one's key, 8 bytes, little-endian; 0 for none.
   */
  CONDITION = 4294967295,
}

/** What the engine adds to OPEN for a handler that combines. */
export const enum CombineOpen {
  $bytes = 24,
  /** Bytes of this struct, which grows by appending only. */
  size = 0, // u32
  /** Bytes of an element. */
  elementSize = 4, // u32
  /** The name of the elements' type, UTF-8, relative to `base::BATCH`: `f64`, or that of a blittable struct. */
  element = 8, // Rel
}

/** Two arrays of one blittable type, `count` elements each: the handler combines `from` into `into`, element by element. */
export const enum CombineFrame {
  $bytes = 120,
  /** The head; its kind is `crate::kind::COMBINE`, or `crate::kind::FLUSH` with no elements. */
  head = 0, // FrameHead
  /** The first array, relative to `base::BATCH`, in bytes; aligned to an element. */
  from = 80, // Rel
  /** The second array, relative to `base::OUTPUT`; as long, aligned alike, and apart from the first. */
  into = 96, // Rel
  /** Elements of each. */
  count = 112, // u64
}

/** A slice whose place is an offset from one of the frame's bases (`crate::base`). */
export const enum Rel_VertexLent {
  $bytes = 16,
  /** Bytes from the base that the field's docs name. */
  offset = 0, // u64
  /** Elements, not bytes. */
  len = 8, // u64
}

/** What the engine adds to OPEN for a vertex program: the graph. */
export const enum VertexOpen {
  $bytes = 40,
  /** Bytes of this struct, which grows by appending only. */
  size = 0, // u32
  /** Whether edges have a direction: 0 or 1. If they have none, those that come in and those that go out are the same. */
  directed = 4, // u32
  /** How many vertices it has. */
  vertices = 8, // u64
  /** How many edges, each direction counted where they have none. */
  edges = 16, // u64
  /**
   * What frames point into, for a guest in this process that sees no memory but its own and can map files: relative to
   * `base::BATCH`. It stays until CLOSE.
   */
  lent = 24, // Rel_VertexLent
}

/** Memory of the engine's to which it has mapped all of a file. */
export const enum VertexLent {
  $bytes = 24,
  /** Where it begins. */
  address = 0, // u64
  /** Bytes of the file. */
  bytes = 8, // u64
  /** The number of the file's descriptor. */
  file = 16, // u64
}

/**
 * The edges of a frame's vertices in one direction, relative to `base::FILES` but for `at`. The edges of the vertex at `i` are
 * those at `begins[i]..ends[i]` of the arrays of edges, in ascending order of their other ends.
 */
export const enum Edges {
  $bytes = 96,
  /** Where the edges of each vertex begin. */
  begins = 0, // Rel
  /** Where they end. The two may be one array, of which the second begins an element later. */
  ends = 16, // Rel
  /** The numbers of the vertices at the other ends. */
  ids = 32, // Rel
  /** Where in `VertexFrame::shown` is what these show, relative to `base::COLUMNS`. */
  at = 48, // Rel
  /** The values of edges; empty unless the handler has said that it looks at them. */
  values = 64, // Rel
  /** Where in `values` that of an edge is; empty where it is at the edge's own place. */
  places = 80, // Rel
}

/** Vertices of a graph that are updated together, and what they see: `count` elements in each array of vertices. */
export const enum VertexFrame {
  $bytes = 536,
  /** The head; its kind is `crate::kind::VERTEX`. */
  head = 0, // FrameHead
  /** One of `phase`. */
  phase = 80, // u32
  /** Consecutive vertices that add to one of `tallies`: a power of two. */
  block = 84, // u32
  /** The number of the iteration, from 0 on; of the one that has ended where that is what the frame is about. */
  iteration = 88, // u64
  /** The total of the iteration before (of the start, for the first); what the iteration, or the interval, has come to that has ended. */
  total = 96, // f64
  /** The first vertex of a block: the one that adds to the first of `tallies`. */
  first = 104, // u64
  /** How many vertices there are. */
  count = 112, // u64
  /**
   * Their numbers in ascending order, relative to `base::BATCH`, none of which is below `first`. Empty where they are
   * `first`, `first + 1` and so on.
   */
  ids = 120, // Rel
  /** What each keeps to itself, relative to `base::OUTPUT`: read and written. */
  own = 136, // Rel
  /** What each showed, relative to `base::BATCH`. Empty at the start. */
  before = 152, // Rel
  /** What each shows from the next iteration on, relative to `base::OUTPUT`: as `before`, until it is written. */
  next = 168, // Rel
  /** How many edges go out of each, relative to `base::BATCH`. */
  outDegrees = 184, // Rel
  /** What neighbours show, relative to `base::COLUMNS`: at the places that `Edges::at` names, which are within. */
  shown = 200, // Rel
  /** The edges that come in. At the start, and where neighbours are gathered, only where they begin and end is there. */
  incoming = 216, // Edges
  /** The edges that go out; empty unless the handler has said that it looks at them, or writes their values. */
  outgoing = 312, // Edges
  /**
   * What each one's incoming neighbours come to, relative to `base::BATCH`, of a handler that has said by what they are to be
   * gathered (`crate::about::GATHER`): numbers as that says.
   */
  gathered = 408, // Rel
  /**
   * What vertices add up, relative to `base::OUTPUT`, one for each block from `first` on: each vertex adds to that at
   * `(id - first) / block`.
   */
  tallies = 424, // Rel
  /** Room for vertices that are to be updated in the next iteration besides those that see a change, relative to `base::OUTPUT`. */
  woken = 440, // Rel
  /** How many of them were written. */
  wakes = 456, // u64
  /** How many vertices were updated in the iteration, or the interval, that has ended. */
  updated = 464, // u64
  /** How many are scheduled for the next. */
  scheduled = 472, // u64
  /** Its residual. */
  residual = 480, // f64
  /** Whether it was the last iteration, or the interval is to be updated again: anything but 0, written by the handler. */
  ended = 488, // u32
  /** Bytes of an edge's value; 0 where there is none. */
  valueSize = 492, // u32
  /**
   * Values that outgoing edges have from the next iteration on, relative to `base::OUTPUT`: one for each edge of the frame's
   * vertices, in the order of `outgoing`, those of one vertex behind those of the one before. Each is as it
   * was until it is written. Empty at the start, and for handlers that have not said that they write them.
   */
  nextValues = 496, // Rel
  /** The first vertex of the interval whose vertices are updated, or were: all of the graph's in Jacobi's way. */
  intervalFirst = 512, // u64
  /** The vertex behind its last. */
  intervalEnd = 520, // u64
  /** How often it was updated in this iteration before. */
  pass = 528, // u64
}

/** What the vertices of a block have added up. */
export const enum VertexTally {
  $bytes = 16,
  /** How far the program is from its end. */
  residual = 0, // f64
  /** What all vertices see in the next iteration. */
  total = 8, // f64
}

/** What to read from a pool. */
export const enum Query {
  $bytes = 32,
  /** The key, UTF-8: an address of the handler's own. */
  key = 0, // pointer
  /** Bytes of the key. */
  keyLen = 8, // u64
  /** The pool's id. */
  pool = 16, // u32
  /** One of `as_of`. */
  asOf = 20, // u32
  /** The version, or the time in nanoseconds since the Unix epoch, that `as_of` speaks of. */
  at = 24, // u64
}

/** Constants that are in no module. */
export const enum Abi {
  /** The number of this boundary. A guest built for another number is refused when it is loaded. */
  ABI = 2,
}

/** The constants of the module cancelled. */
export const enum Cancelled {
  /** It took longer than the handler's deadline. */
  TIMED_OUT = 1,
  /** Somebody outside the handler has cancelled it: the flow is being stopped. */
  FROM_OUTSIDE = 2,
}

/** The constants of the module about. */
export const enum About {
  /** The kind of batch that the handler takes: key its name, value its number in decimal. Exactly one. */
  KIND = 1,
  /**
   * How it likes a flow's objects: key `object` or `batch`. How it likes the vertices of a graph: key `vertex` (one by one),
   * `gather` (one by one, with what its neighbours come to) or `interval` (all of a frame at once).
   */
  FORM = 2,
  /**
   * The type of the values it takes: key its name, value its bytes in decimal, nothing where they differ. None: any bytes.
   * `int` and `float` are whichever number of that sort a pool declares.
   */
  TAKES = 3,
  /** A type of the values it gives; as `TAKES`. `bytes` beside others: any bytes too. */
  GIVES = 4,
  /** Combining is commutative. */
  COMMUTATIVE = 5,
  /**
   * It may answer later (`crate::Status::PENDING`). Of the form `object` it is handed one item in a frame, so that each
   * has its own answer.
   */
  ANSWERS_LATER = 6,
  /** An array that it reads or writes: key its name, value `read` or `write`. */
  ARRAY = 7,
  /**
   * A setting that it understands: key its name, value up to three lines: its type; `=` and its default, or nothing
   * where there is none; the range of its values, or nothing.
   */
  PARAMETER = 8,
  /**
   * The type of a value that a vertex program has: key `own` (what a vertex keeps to itself), `shown` (what it shows to its
   * neighbours) or `edge`, value one of `f32`, `f64`, `i32`, `i64`, `u32` and `u64`. Without one of them, the program has no such
   * value; it must have `shown`.
   */
  VALUE = 9,
  /**
   * What a vertex program needs: key `outgoing` (it looks at outgoing edges too), `writes` (it sets the values of outgoing edges, and
   * so looks at them, too) or `selective` (only vertices that see a change are updated).
   */
  NEEDS = 10,
  /**
   * By what a vertex program of the form `gather` has the engine put together what its incoming neighbours show: key `sum` or
   * `count`, which come to an `f64`, or `min` or `max`, which are of the type of `shown`; of no neighbours 0, or the largest or
   * the least number there is.
   */
  GATHER = 11,
}

/** The constants of the module access. */
export const enum Access {
  /** Objects of the pool reach the handler. */
  WATCH = 1,
  /** The handler may emit into the pool. */
  EMIT = 2,
  /** The handler may read the pool through `crate::PoolServices::read`. */
  READ = 4,
}

/** The constants of the module as_of. */
export const enum AsOf {
  /** Now. */
  NOW = 0,
  /** What the key was at a version of the pool. */
  VERSION = 1,
  /** What the key was at a time. */
  TIME = 2,
}

/** The constants of the module missing. */
export const enum Missing {
  /** The handler may not read the pool. */
  NOT_DECLARED = 1,
  /** What the key was then is no longer kept. */
  COMPACTED = 2,
  /** The engine does not know what the query's `as_of` means: the handler is newer than it. */
  UNKNOWN_AS_OF = 3,
  /** The memory that the guest sees has no room for what was found. */
  NO_ROOM = 4,
}

/** The constants of the module kind. */
export const enum Kind {
  /** `crate::OpenFrame`: settings, worker, and what the engine adds. */
  OPEN = 1,
  /** The input has ended; what is held back may be emitted. The frame is the one of the handler's kind, without a batch. */
  FLUSH = 3,
  /** `crate::FrameHead` alone: release what is held, flush the guest's standard output. */
  CLOSE = 4,
  /** `crate::FrameHead` alone: answered with `OK` and nothing else; measures what a crossing costs. */
  PING = 5,
  /** `crate::DescribeFrame`: the handler says what it is. */
  DESCRIBE = 6,
  /** `crate::CancelFrame`: a frame that was answered with `crate::Status::PENDING` is no longer waited for. */
  CANCEL = 7,
  /** `crate::FlowFrame`: objects of a flow, one by one or a batch at a time as the handler likes. */
  FLOW = 16,
  /** `crate::CombineFrame`: two arrays, of which the second takes what the first adds to it. */
  COMBINE = 17,
  /** `crate::VertexFrame`: vertices of a graph, with what they see. */
  VERTEX = 18,
}

/** The constants of the module base. */
export const enum Base {
  /** Items, keys, values, settings, names. */
  BATCH = 0,
  /** Mapped files. */
  FILES = 1,
  /** Columns. */
  COLUMNS = 2,
  /** Output chunks and the error slot. */
  OUTPUT = 3,
}

/** The constants of the module refusal. */
export const enum Refusal {
  /** The runtime did not start. */
  RUNTIME_FAILED = 1,
  /** The handler's file is not there or cannot be read. */
  FILE_MISSING = 2,
  /** The file is there but is not what it should be. */
  FILE_INVALID = 3,
  /** The file holds no such handler. The text: why, then each handler that it holds on a line of its own. */
  HANDLER_MISSING = 4,
  /** The handler's constructor failed. */
  CONSTRUCTOR_FAILED = 5,
  /** The handler was built for another number of the boundary. */
  ABI_MISMATCH = 6,
}

/** The constants of the module level. */
export const enum Level {
  /** Something failed. */
  ERROR = 1,
  /** Something looks wrong. */
  WARN = 2,
  /** Something worth telling. */
  INFO = 3,
  /** For whoever debugs the handler. */
  DEBUG = 4,
  /** Everything. */
  TRACE = 5,
}

/** The constants of the module phase. */
export const enum Phase {
  /**
   * What vertices begin with: `own` and `next` are to be written. Of the edges only begins and ends are there. Who schedules
   * a vertex schedules it for the first iteration.
   */
  START = 0,
  /** Each vertex is to be updated. */
  UPDATE = 1,
  /** An iteration has ended; there are no vertices. Every instance is told, with the same numbers. */
  AFTER = 2,
  /** The vertices of an interval were updated; there are none. One instance is told, and asked whether they are to be updated again. */
  INTERVAL = 3,
}
