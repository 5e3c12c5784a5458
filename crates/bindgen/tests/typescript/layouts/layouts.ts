// Made by upcall bindgen 0.1.0 --rust tests/typescript/layouts/lib.rs; do not edit.

/** What it is. */
export const enum Kind {
  None = -1,
  /** Three corners. */
  Triangle = 3,
}

/** A point. */
export const enum Point {
  $bytes = 8,
  /** To the right. */
  x = 0, // f32
  y = 4, // f32
}

/** Where something is. */
export const enum Tag {
  $bytes = 16,
  offset = 0, // u64
  len = 8, // u64
}

/** A struct within a struct, and an array. */
export const enum Shape {
  $bytes = 72,
  kindOf = 0, // Kind: i16
  corners = 4, // [Point; 3]
  label = 32, // Tag
  count = 48, // u64
  next = 64, // pointer
}

export const enum Packed {
  $bytes = 9,
  small = 0, // u8
  large = 1, // u64
  /** Bytes. */
  MOST = 9,
}

export const enum Either {
  $bytes = 8,
  whole = 0, // u64
  halves = 0, // [u32; 2]
}

export const enum Newtype {
  $bytes = 4,
  _0 = 0, // i16
  _1 = 2, // bool
}

export const enum Tags {
  $bytes = 24,
  points = 0, // Tag
  last = 16, // Newtype
}

export const enum Wide {
  Low = 1,
}

export const Wide_High = 1152921504606846976n;

export const enum Event {
  $bytes = 12,
  $tag = 0, // u8
}

export const enum Event_Moved {
  to = 4, // Point
}

export const enum Event_Typed {
  _0 = 4, // char
}

export const enum Event_tags {
  /** Nothing comes with it. */
  Quit = 0,
  Moved = 1,
  Typed = 7,
}

/** Constants that are in no module. */
export const enum Constants {
  /** Of no module. */
  VERSION = 3,
}

/** The constants of the module limits_of_all. */
export const enum Limits {
  /** A number still. */
  EXACT = 9007199254740991,
  BELOW = -5,
  HALF = 0.5,
  NAME = "a \"name\"",
  LETTER = "é",
  TEXT = "text",
}

export const Limits_BEYOND = 9007199254740992n;
/** Below what a number holds. */
export const Limits_LOWEST = -9223372036854775808n;
export const Limits_NEVER = NaN;
export const Limits_ON = true;
export const Limits_RAW = Uint8Array.of(114, 97, 119, 255);
export const Limits_HUGE = 340282366920938463463374607431768211455n;
