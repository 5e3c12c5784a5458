/** One object that reaches a handler. */

import { Item } from "../abi.js";
import type { Names } from "../context.js";
import { ClosedError, type Ended, ended, reason } from "../ended.js";
import { type Memory, utf8 } from "../memory.js";
import type { Numeric } from "../numbers.js";
import { unpacked } from "./typed.js";

/** `AbortSignal`, where the program's types have it. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } } ? Known : unknown;

/**
 * One object that reaches a handler. Ends with its call: of a handler that answers later, when it is answered. A handler that
 * answers at once is given the same one for each object of a batch.
 */
export interface FlowObject<Taken = Uint8Array> {
  /** The key as text. */
  readonly key: string;
  /** The key: UTF-8, a view that ends with the call; a copy for a handler that answers later. */
  readonly keyBytes: Uint8Array;
  /**
   * The value: a view of the engine's memory that ends with the call, whose `slice()` is yours to keep. For a handler that
   * answers later it is a copy. Where the handler takes values of a class, it is one.
   */
  readonly value: Taken;
  /** The value as a number, in a pool that declares a number type; 64-bit integers are bigints. */
  readonly number: Numeric;
  /** The value as text. */
  text(): string;
  /** Strictly increasing per key, unique per pool; 0 for the sample of a flow file's `warm`. */
  readonly version: number;
  /** Nanoseconds since the Unix epoch, never backward within a pool. */
  readonly time: bigint;
  /** The path of the pool it was put into. */
  readonly pool: string;
  /** Who put it: a handler's name, or who puts from outside. */
  readonly sender: string;
  /**
   * Of a handler that answers later: aborted when nobody waits for the answer any more. Its reason is a `TimedOutError`, a
   * `CancelledError` or a `ClosedError`.
   */
  readonly signal: Signal;
}

/**
 * Short texts that were seen lately, by what their place hints at: making a string costs more than comparing bytes. As many as the
 * different words of a book, nearly.
 */
const SLOTS = 16384;
const SHORT = 32;
const SEEN: string[] = new Array(SLOTS).fill("");
const LENGTHS = new Uint8Array(SLOTS);
/** Their bytes, four at a time; the last four where they are no multiple of that, and less than four in one. */
const WORDS = new Uint32Array((SLOTS * SHORT) / 4);

/** Text of the memory. */
export function shown(memory: Memory, at: number, bytes: number, hint: number): string {
  if (bytes > SHORT) return memory.buffer.utf8Slice(at, at + bytes);
  const slot = hint & (SLOTS - 1);
  const view = memory.view;
  const last = at + bytes - 4;
  let word = (slot * SHORT) / 4;
  same: if (LENGTHS[slot] === bytes) {
    if (bytes < 4) {
      if (WORDS[word] !== few(memory, at, bytes)) break same;
      return SEEN[slot]!;
    }
    for (let from = at; from < last; from += 4) {
      if (view.getUint32(from, true) !== WORDS[word++]) break same;
    }
    if (view.getUint32(last, true) === WORDS[word]) return SEEN[slot]!;
  }
  const made = memory.buffer.utf8Slice(at, at + bytes);
  word = (slot * SHORT) / 4;
  if (bytes < 4) WORDS[word] = few(memory, at, bytes);
  else {
    for (let from = at; from < last; from += 4) WORDS[word++] = view.getUint32(from, true);
    WORDS[word] = view.getUint32(last, true);
  }
  LENGTHS[slot] = bytes;
  SEEN[slot] = made;
  return made;
}

/** Less than four bytes as a word. */
function few({ bytes: there }: Memory, at: number, bytes: number): number {
  let word = 0;
  for (let index = 0; index < bytes; index++) word |= there[at + index]! << (8 * index);
  return word;
}

/** What an object is of. */
export interface Scope {
  /** Whether its call has ended. */
  readonly over: boolean;
}

const ALWAYS: Scope = { over: false };

/** An object that is read where it lies. */
export class ObjectView implements FlowObject {
  /** The offset of its item; 0 once its call has ended. */
  at = 0;
  private taken: unknown;

  constructor(
    protected readonly memory: Memory,
    private readonly names: Names,
    private readonly scope: Scope = ALWAYS,
  ) {}

  protected place(): number {
    const at = this.at;
    if (at === 0 || this.scope.over) throw ended("an object");
    return at;
  }

  get key(): string {
    const at = this.place();
    const words = this.memory.words;
    const item = at >>> 2;
    return shown(this.memory, words[item]!, words[item + Item.key / 4 + 2]!, words[item + Item.tag / 4]!);
  }

  get keyBytes(): Uint8Array {
    return this.bytes(this.place() + Item.key);
  }

  /** It shows the item at this offset from now on, whose value is read where the handler takes one of a class. */
  show(item: number): void {
    this.at = item;
    const { takes } = this.names.forms;
    if (takes !== undefined) this.taken = unpacked(this.memory, item, takes);
  }

  get value(): Uint8Array {
    const at = this.place() + Item.value;
    // The handler knows what it takes.
    if (this.names.forms.takes !== undefined) return this.taken as Uint8Array;
    return this.bytes(at);
  }

  protected bytes(slice: number): Uint8Array {
    return this.memory.lend(this.memory.u64(slice), this.memory.u64(slice + 8));
  }

  get number(): Numeric {
    const item = this.place();
    const pool = this.names.find(this.memory.u32(item + Item.pool));
    const at = this.memory.u64(item + Item.value);
    if (pool?.number === undefined) {
      throw new TypeError(`the pool ${this.pool} does not declare a number type: read \`value\` or \`text()\``);
    }
    return pool.number.read(this.memory, at);
  }

  text(): string {
    const at = this.place() + Item.value;
    return this.memory.text(at);
  }

  get version(): number {
    return this.memory.u64(this.place() + Item.version);
  }

  get time(): bigint {
    return this.memory.view.getBigUint64(this.place() + Item.time, true);
  }

  get pool(): string {
    return this.names.find(this.memory.u32(this.place() + Item.pool))?.path ?? "";
  }

  get sender(): string {
    return this.names.senders[this.memory.u32(this.place() + Item.sender)] ?? "";
  }

  get signal(): AbortSignal {
    throw new TypeError("a handler that answers at once has no signal: write `async onObject`");
  }
}

/** The object of a call that is answered later: other frames come and go meanwhile, so what it shows is copied. */
export class OpenObject extends ObjectView {
  private abort: AbortController | undefined;
  private over: Ended = ClosedError;

  protected override place(): number {
    if (this.at === 0) throw ended("an object", this.over);
    return this.at;
  }

  protected override bytes(slice: number): Uint8Array {
    return this.memory.copy(this.memory.u64(slice), this.memory.u64(slice + 8));
  }

  override get signal(): AbortSignal {
    if (this.abort === undefined) {
      this.abort = new AbortController();
      if (this.at === 0) this.abort.abort(reason(this.over));
    }
    return this.abort.signal;
  }

  /** It is answered, or nobody waits for that any more. */
  finish(why: Ended = ClosedError): void {
    this.at = 0;
    this.over = why;
  }

  /** Tells who has asked for the signal that it is over. */
  tell(why: Error): void {
    this.abort?.abort(why);
  }
}

/** What a read of a pool has found: copies, to be kept as long as you like. */
export class Found {
  constructor(
    readonly value: Uint8Array,
    /** Strictly increasing per key. */
    readonly version: number,
    /** Nanoseconds since the Unix epoch. */
    readonly time: bigint,
    /** The value as a number, where the pool declares a number type. */
    readonly number: Numeric | undefined,
  ) {}

  /** The value as text. */
  text(): string {
    return utf8(this.value);
  }
}
