/// <reference lib="esnext.disposable" />

/** An address; 0 is null. */
export type Pointer<T = unknown> = number & { readonly pointsTo?: T };

/** What is taken for an address. */
export type PointerTo<T> = Pointer<T> | (T extends object ? T : never);

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
export declare function addressOf(value: NativeArray<any> | ArrayBuffer | ArrayBufferView): Pointer<any>;
