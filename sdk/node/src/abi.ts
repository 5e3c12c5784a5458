// From crates/abi and crates/apart, by `UPCALL_WRITE=1 cargo test --package upcall-node --test mirrors`.
/** What frames are made of: sizes and offsets in bytes, and the numbers that say what is meant. */

export const enum Rel {
  $bytes = 16,
  offset = 0,
  len = 8,
}

export const enum ErrorSlot {
  $bytes = 32,
  text = 0,
  typeLen = 16,
  messageLen = 20,
  stackLen = 24,
  item = 28,
}

export const enum FrameHead {
  $bytes = 80,
  abi = 0,
  kind = 2,
  size = 4,
  base = 8,
  error = 40,
  complete = 72,
}

export const enum OpenFrame {
  $bytes = 152,
  head = 0,
  name = 80,
  settings = 96,
  services = 112,
  added = 120,
  batch = 136,
  worker = 140,
  workers = 144,
}

export const enum Setting {
  $bytes = 32,
  name = 0,
  value = 16,
}

export const enum PoolEntry {
  $bytes = 48,
  path = 0,
  valueType = 16,
  valueSize = 32,
  id = 36,
  access = 40,
}

export const enum Item {
  $bytes = 64,
  key = 0,
  value = 16,
  version = 32,
  time = 40,
  pool = 48,
  sender = 52,
  tag = 56,
}

export const enum Progress {
  $bytes = 16,
  at = 0,
  chunk = 8,
  done = 12,
}

export const enum FlowFrame {
  $bytes = 192,
  head = 0,
  items = 80,
  values = 96,
  stride = 112,
  out = 120,
  done = 152,
  progress = 160,
}

export const enum Output {
  $bytes = 32,
  at = 0,
  end = 8,
  chunk = 16,
  grow = 24,
}

export const enum Record {
  $bytes = 16,
  pool = 0,
  item = 4,
  valueLen = 8,
  keyLen = 12,
}

export const enum DescribeFrame {
  $bytes = 112,
  head = 0,
  out = 80,
}

export const enum CancelFrame {
  $bytes = 96,
  head = 0,
  call = 80,
  why = 88,
}

export const enum FlowOpen {
  $bytes = 48,
  size = 0,
  pools = 8,
  senders = 24,
  poolServices = 40,
}

export const enum CombineFrame {
  $bytes = 120,
  head = 0,
  from = 80,
  into = 96,
  count = 112,
}

export const enum CombineOpen {
  $bytes = 24,
  size = 0,
  elementSize = 4,
  element = 8,
}

export const enum Abi {
  NUMBER = 2,
}

export const enum Kind {
  OPEN = 1,
  FLUSH = 3,
  CLOSE = 4,
  PING = 5,
  DESCRIBE = 6,
  CANCEL = 7,
  FLOW = 16,
  COMBINE = 17,
}

export const enum Access {
  WATCH = 1,
  EMIT = 2,
  READ = 4,
}

export const enum Status {
  OK = 0,
  FAILED = 1,
  PENDING = 2,
}

export const enum About {
  KIND = 1,
  FORM = 2,
  TAKES = 3,
  GIVES = 4,
  COMMUTATIVE = 5,
  ANSWERS_LATER = 6,
  PARAMETER = 8,
}

export const enum Level {
  ERROR = 1,
  WARN = 2,
  INFO = 3,
  DEBUG = 4,
  TRACE = 5,
}

export const enum AsOf {
  NOW = 0,
  VERSION = 1,
  TIME = 2,
}

export const enum Missing {
  NOT_DECLARED = 1,
  COMPACTED = 2,
  UNKNOWN_AS_OF = 3,
}

export const enum Refused {
  RUNTIME_FAILED = 1,
  FILE_MISSING = 2,
  FILE_INVALID = 3,
  HANDLER_MISSING = 4,
  CONSTRUCTOR_FAILED = 5,
  ABI_MISMATCH = 6,
}

export const enum Cancelled {
  TIMED_OUT = 1,
  FROM_OUTSIDE = 2,
}

export const enum None {
  ITEM = 4294967295,
  CONDITION = 4294967295,
}

export const enum ToGuest {
  CALL = 1,
  ANSWER = 2,
  END = 3,
}

export const enum ToHost {
  READY = 1,
  REFUSED = 2,
  RETURNED = 3,
  GROW = 4,
  LOG = 5,
  READ = 6,
  LIST = 7,
}

export const enum Shared {
  number = 2,
  message = 128,
  lanes = 4096,
  lane = 256,
  service = 1023,
  scratch = 266240,
  scratchEnd = 67375104,
  arena = 67375104,
  end = 68719476736,
}
