// Made by upcall bindgen 0.1.0 --config bindgen.toml --library statistics --rust src/lib.rs; do not edit.
/// <reference lib="esnext.disposable" />

/** An address; 0 is null. One of the last 4095 that there are, as C has them for marks, is its distance from the end: -1. */
export type Pointer<T = unknown> = number & { readonly pointsTo?: T };

/** The address of text that ends with a zero: `textAt` reads it. */
export type CText = Pointer<number>;

/** What is taken for an address. */
export type PointerTo<T> = Pointer<T> | (T extends object ? T : never);

/** What is taken where C has bytes or text. */
export type ByteArray = Uint8Array | Int8Array;

/** What is taken for an address of anything: `void *`. */
export type AnyMemory = Pointer | View | NativeArray<any> | Out<any, any> | ArrayBuffer | ArrayBufferView;

/** What is taken for a function: one for the length of the call, one that is kept, or an address. */
export type Callable<F extends (...given: never) => unknown> = F | Callback<F> | Pointer<F>;

/** What a fallible function throws. */
export declare class NativeError extends Error {
  constructor(message: string, code: number);
  readonly code: number;
}

/** A struct, a union or an enum with data in memory. */
export declare class View {
  protected constructor(...given: never);
  /** The one at an address, as long as native code keeps it there. */
  static at<T extends View>(this: new (...given: never) => T, address: Pointer<T>): T;
  /** A copy of the one at an address. */
  static read<T extends View>(this: new (...given: never) => T, address: Pointer<T>): T;
  /** Several side by side: so many, or copies of these. */
  static array<T extends View>(this: new (...given: never) => T, given: number | readonly T[]): NativeArray<T>;
  protected readonly _r: object;
}

/** Values side by side in memory that no typed array holds. */
export declare class NativeArray<T> {
  private constructor();
  /** Several that no class makes and no typed array holds: so many, or copies of these. */
  static of(kind: "bool", given: number | readonly boolean[]): NativeArray<boolean>;
  static of(kind: "char", given: number | readonly string[]): NativeArray<string>;
  static of(kind: "isize" | "usize", given: number | readonly number[]): NativeArray<number>;
  static of(kind: "i128" | "u128", given: number | readonly bigint[]): NativeArray<bigint>;
  static of(kind: "address", given: number | readonly (View | number | null)[]): NativeArray<Pointer<any>>;
  readonly length: number;
  at(index: number): T;
  set(index: number, value: T): void;
  [Symbol.iterator](): Iterator<T>;
}

/**
 * Room for one value that native code writes through a pointer: `const count = Out.i32(); measure(count); count.value`.
 * `Kind` is the name of what makes one. For a struct, pass one: `new Point()`.
 */
export declare class Out<T, Kind extends string> {
  private constructor();
  private readonly kind: Kind;
  value: T;
  static address<T>(value?: Pointer<T> | View | null): Out<Pointer<T>, "address">;
  static bool(value?: boolean): Out<boolean, "bool">;
  static char(value?: string): Out<string, "char">;
  static f32(value?: number): Out<number, "f32">;
  static f64(value?: number): Out<number, "f64">;
  static i8(value?: number): Out<number, "i8">;
  static i16(value?: number): Out<number, "i16">;
  static i32(value?: number): Out<number, "i32">;
  static i64(value?: number | bigint): Out<bigint, "i64">;
  static i128(value?: number | bigint): Out<bigint, "i128">;
  static isize(value?: number | bigint): Out<number, "isize">;
  static u8(value?: number): Out<number, "u8">;
  static u16(value?: number): Out<number, "u16">;
  static u32(value?: number): Out<number, "u32">;
  static u64(value?: number | bigint): Out<bigint, "u64">;
  static u128(value?: number | bigint): Out<bigint, "u128">;
  static usize(value?: number | bigint): Out<number, "usize">;
}

/** The text at an address, up to its zero, and no more than `max` bytes; null at 0. It is copied, and read as UTF-8. */
export declare function textAt(pointer: Pointer<any>, max?: number): string | null;
/** The texts at so many addresses side by side, as `char **` has them. */
export declare function textsAt(pointer: Pointer<any>, count: number): (string | null)[];
/** A copy of so many bytes at an address. */
export declare function bytesAt(pointer: Pointer<any>, length: number): Uint8Array;

/** Elements that native code has given away: they are released once. */
export declare class OwnedBuffer<A> {
  private constructor();
  /** The elements, until the release. */
  readonly array: A;
  readonly length: number;
  release(): void;
  [Symbol.dispose](): void;
}

/** A function that native code may keep, until it is released. One that returns nothing may be called from any thread. */
export declare class Callback<F extends (...given: never) => unknown> {
  constructor(call: F);
  private readonly call: F;
  release(): void;
  [Symbol.dispose](): void;
}

/** The address of what lies in native memory. */
export declare function addressOf<T extends View>(value: T | NativeArray<T>): Pointer<T>;
export declare function addressOf(value: NativeArray<any> | Out<any, any> | ArrayBuffer | ArrayBufferView): Pointer<any>;

export declare class Slice_f64 extends View {
  constructor(init?: Slice_f64 | Slice_f64.Init);
  static readonly size: number;
  static readonly align: number;
  static readonly offsets: { readonly data: number; readonly len: number };
  get data(): Pointer<number>;
  set data(value: Pointer<number> | View | null);
  get len(): number;
  set len(value: number | bigint);
  /** The elements where they are, which must be there as long as they are looked at. */
  elements(): Float64Array;
}
export declare namespace Slice_f64 {
  interface Init {
    data?: Pointer<number> | View | null;
    len?: number | bigint;
  }
}

export declare class Text extends View {
  constructor(init?: Text | Text.Init);
  static readonly size: number;
  static readonly align: number;
  static readonly offsets: { readonly data: number; readonly len: number; readonly capacity: number; readonly release: number };
  get data(): Pointer<number>;
  set data(value: Pointer<number> | View | null);
  get len(): number;
  set len(value: number | bigint);
  get capacity(): number;
  set capacity(value: number | bigint);
  get release(): Pointer<(data: Pointer<number>, len: number, capacity: number) => void>;
  set release(value: Pointer<(data: Pointer<number>, len: number, capacity: number) => void> | View | null);
}
export declare namespace Text {
  interface Init {
    data?: Pointer<number> | View | null;
    len?: number | bigint;
    capacity?: number | bigint;
    release?: Pointer<(data: Pointer<number>, len: number, capacity: number) => void> | View | null;
  }
}

export declare class Failure extends View {
  constructor(init?: Failure | Failure.Init);
  static readonly size: number;
  static readonly align: number;
  static readonly offsets: { readonly message: number; readonly code: number };
  get message(): Text;
  set message(value: Text | Text.Init);
  code: number;
}
export declare namespace Failure {
  interface Init {
    message?: Text | Text.Init;
    code?: number;
  }
}

/** What a list of numbers comes to. */
export declare class Summary extends View {
  constructor(init?: Summary | Summary.Init);
  static readonly size: number;
  static readonly align: number;
  static readonly offsets: { readonly min: number; readonly max: number; readonly count: number };
  /** The smallest. */
  min: number;
  /** The largest. */
  max: number;
  /** How many there are. */
  count: number;
}
export declare namespace Summary {
  interface Init {
    min?: number;
    max?: number;
    count?: number;
  }
}

export declare class Str extends View {
  constructor(init?: Str | Str.Init);
  static readonly size: number;
  static readonly align: number;
  static readonly offsets: { readonly data: number; readonly len: number };
  get data(): Pointer<number>;
  set data(value: Pointer<number> | View | null);
  get len(): number;
  set len(value: number | bigint);
}
export declare namespace Str {
  interface Init {
    data?: Pointer<number> | View | null;
    len?: number | bigint;
  }
}

/** What a function throws for its error Empty. */
export declare class EmptyError extends NativeError {}

/** The library's version: a plain C function needs no attribute but its own. */
export declare function statisticsVersion(): number;

/**
 * The arithmetic mean.
 * @throws {@link EmptyError} when it fails
 */
export declare function mean(values: Float64Array): number;

/**
 * Smallest and largest; zeroes of an empty list.
 * @throws {@link NativeError_} when it fails
 */
export declare function summarize(values: Float64Array): Summary;

/**
 * How many of the values the caller wants to keep.
 * @throws {@link NativeError_} when it fails
 */
export declare function countIf(values: Float64Array, keep: Callable<(arg0: number) => boolean>): number;

/**
 * A greeting.
 * @throws {@link NativeError_} when it fails
 */
export declare function greet(name: string): string;

/**
 * A sum that begins here.
 * @throws {@link NativeError_} when it fails
 */
export declare function sumNew(start: number): Pointer<Sum>;

/**
 * Adds and tells the sum.
 * @throws {@link NativeError_} when it fails
 */
export declare function sumAdd(sum: PointerTo<Sum>, value: number): number;

export declare function sumRelease(sum: PointerTo<Sum> | null): void;

/** A sum that remembers. */
export declare class Sum {
  private readonly own: never;
  /**
   * A sum that begins here.
   * @throws {@link NativeError_} when it fails
   */
  constructor(start: number);
  /** Takes over what lies at an address. */
  static from(address: Pointer<Sum>): Sum;
  /**
   * Adds and tells the sum.
   * @throws {@link NativeError_} when it fails
   */
  add(value: number): number;
  /** Gives it back; a second time does nothing. Any other use after this is an error. */
  release(): void;
  [Symbol.dispose](): void;
  get released(): boolean;
}

/** The library's variables. */
export declare const statics: {
};
