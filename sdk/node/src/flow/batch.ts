/** The objects of one call, for handlers that take them together. */

import { FlowFrame, Item } from "../abi.js";
import type { Names } from "../context.js";
import { ended } from "../ended.js";
import type { Memory } from "../memory.js";
import type { NumberArray } from "../numbers.js";
import type { Emitter, Mark } from "./emit.js";
import { type FlowObject, ObjectView, shown } from "./object.js";
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
  /**
   * Reports that the first `count` objects are done: what was emitted so far is kept. On failure everything since the last
   * report fails together and keeps nothing that it emitted.
   */
  done(count: number): void;
}

export class BatchView implements Batch {
  private over = false;
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

  private readonly views: ObjectView[] = [];

  get(index: number): FlowObject {
    const items = this.place();
    if (!(Number.isInteger(index) && index >= 0 && index < this.count)) {
      throw new RangeError(`object ${index} of a batch of ${this.count}`);
    }
    const view = new ObjectView(this.memory, this.names);
    view.show(items + Item.$bytes * index);
    this.views.push(view);
    return view;
  }

  *[Symbol.iterator](): Generator<FlowObject> {
    for (let index = 0; index < this.count; index++) yield this.get(index);
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
    if (takes !== undefined) {
      return Array.from({ length: count }, (_, index) => unpacked(memory, items + Item.$bytes * index, takes) as Uint8Array);
    }
    const number = count === 0 ? undefined : this.names.find(memory.u32(items + Item.pool))?.number;
    if (number === undefined) {
      return Array.from({ length: count }, (_, index) => {
        const at = items + Item.$bytes * index + Item.value;
        return memory.lend(memory.u64(at), memory.u64(at + 8));
      });
    }
    const made = new Uint8Array(number.bytes * count);
    for (let index = 0; index < count; index++) {
      const from = memory.u64(items + Item.$bytes * index + Item.value);
      for (let byte = 0; byte < number.bytes; byte++) made[number.bytes * index + byte] = memory.bytes[from + byte]!;
    }
    return new number.array(made.buffer);
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
    for (const view of this.views) view.at = 0;
  }
}
