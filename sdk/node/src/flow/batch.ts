/** The objects of one call, for handlers that take them together. */

import { FlowFrame, Item } from "../abi.js";
import type { Names } from "../context.js";
import { ended } from "../ended.js";
import type { Memory } from "../memory.js";
import type { NumberArray, NumberType } from "../numbers.js";
import type { Emitter, Mark } from "./emit.js";
import { type FlowObject, ObjectView, type Scope, shown } from "./object.js";
import { report } from "./progress.js";
import { unpacked } from "./typed.js";

/** The objects of one call. Ends with the call. */
export interface Batch<Taken = Uint8Array> extends Iterable<FlowObject<Taken>> {
  readonly length: number;
  /** The object at an index: each is a view of its own. */
  get(index: number): FlowObject<Taken>;
  /** The keys as text. */
  keys(): string[];
  /**
   * The values: of a class where the handler takes one, else a typed array of copies where the pool declares a number type, else
   * views that end with the call.
   */
  values(): Taken[] | NumberArray;
  /** Where all keys and values lie: for loops that make no object for each. */
  columns(): Columns;
  /**
   * Reports that the first `count` objects are done: what was emitted so far is kept. On failure everything since the last
   * report fails together and keeps nothing that it emitted.
   */
  done(count: number): void;
}

/**
 * Where the keys and values of a batch lie: of each where it begins in `bytes` and how many bytes it has. `bytes` is a view that
 * ends with the call, the others are yours.
 */
export interface Columns {
  readonly bytes: Uint8Array;
  readonly keys: Uint32Array;
  readonly keyLengths: Uint32Array;
  readonly values: Uint32Array;
  readonly valueLengths: Uint32Array;
}

export class BatchView implements Batch, Scope {
  /** Its call has ended, and with it that of its objects. */
  over = false;
  private readonly items: number;
  private readonly count: number;
  /** Where the output stood at the last report. */
  kept: Mark;

  constructor(
    private readonly memory: Memory,
    private readonly names: Names,
    private readonly frame: number,
    private readonly emit: Emitter,
  ) {
    this.items = memory.u64(frame + FlowFrame.items);
    this.count = memory.u64(frame + FlowFrame.items + 8);
    this.kept = emit.mark();
  }

  private place(): number {
    if (this.over) throw ended("a batch");
    return this.items;
  }

  get length(): number {
    this.place();
    return this.count;
  }

  get(index: number): FlowObject {
    const items = this.place();
    if (!(Number.isInteger(index) && index >= 0 && index < this.count)) {
      throw new RangeError(`object ${index} of a batch of ${this.count}`);
    }
    return this.shown(items + Item.$bytes * index);
  }

  private shown(item: number): ObjectView {
    const view = new ObjectView(this.memory, this.names, this);
    view.show(item);
    return view;
  }

  [Symbol.iterator](): Iterator<FlowObject> {
    let at = this.place();
    const end = at + Item.$bytes * this.count;
    // By hand, as a generator's steps are calls that are never compiled into the loop.
    return {
      next: () => {
        if (at === end) return { done: true, value: undefined };
        this.place();
        const value = this.shown(at);
        at += Item.$bytes;
        return { done: false, value };
      },
    };
  }

  keys(): string[] {
    const { memory } = this;
    const made = new Array<string>(this.count);
    let item = this.place() >>> 2;
    for (let index = 0; index < made.length; index++, item += Item.$bytes / 4) {
      const words = memory.words;
      made[index] = shown(memory, words[item]!, words[item + Item.key / 4 + 2]!, words[item + Item.tag / 4]!);
    }
    return made;
  }

  values(): Uint8Array[] | NumberArray {
    const { memory, count } = this;
    const items = this.place();
    const { takes } = this.names.forms;
    const made = (value: (item: number) => Uint8Array): Uint8Array[] => {
      const values = new Array<Uint8Array>(count);
      for (let index = 0, item = items; index < count; index++, item += Item.$bytes) values[index] = value(item);
      return values;
    };
    if (takes !== undefined) return made((item) => unpacked(memory, item, takes) as Uint8Array);
    const number = count === 0 ? undefined : this.names.find(memory.u32(items + Item.pool))?.number;
    if (number === undefined) {
      return made((item) => memory.lend(memory.u64(item + Item.value), memory.u64(item + Item.value + 8)));
    }
    return this.numbers(number);
  }

  private numbers({ bytes, array }: NumberType): NumberArray {
    const { memory, count } = this;
    const copies = new Uint8Array(bytes * count);
    const there = memory.bytes;
    let item = this.items >>> 2;
    for (let index = 0; index < count; index++, item += Item.$bytes / 4) {
      const words = memory.words;
      const from = words[item + Item.value / 4]! + words[item + Item.value / 4 + 1]! * 2 ** 32;
      for (let byte = 0; byte < bytes; byte++) copies[bytes * index + byte] = there[from + byte]!;
    }
    return new array(copies.buffer);
  }

  columns(): Columns {
    const { memory, count } = this;
    let item = this.place() >>> 2;
    const column = (): Uint32Array => new Uint32Array(count);
    const [keys, keyLengths, values, valueLengths] = [column(), column(), column(), column()];
    const { lent, from } = memory.loan(this.items, 0);
    const words = memory.words;
    // What a window shows lies before 2 ** 32.
    for (let index = 0; index < count; index++, item += Item.$bytes / 4) {
      keys[index] = words[item + Item.key / 4]! - from;
      keyLengths[index] = words[item + Item.key / 4 + 2]!;
      values[index] = words[item + Item.value / 4]! - from;
      valueLengths[index] = words[item + Item.value / 4 + 2]!;
    }
    return { bytes: new Uint8Array(lent), keys, keyLengths, values, valueLengths };
  }

  done(count: number): void {
    this.place();
    const before = this.memory.u32(this.frame + FlowFrame.done);
    if (!(Number.isInteger(count) && count >= before && count <= this.count)) {
      throw new RangeError(`report ${count} objects as done: ${before} of ${this.count} are`);
    }
    this.emit.store();
    report(this.memory, this.frame, count);
    this.kept = this.emit.mark();
  }

  /** Its call has ended. */
  finish(): void {
    this.over = true;
  }
}
