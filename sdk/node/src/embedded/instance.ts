/** A handler of this program, and the engine behind it. */

import { Status } from "../abi.js";
import { Driver } from "../driver.js";
import type { Engine, Key } from "../engine.js";
import type { AnyHandler } from "../handler.js";
import { LARGEST_FRAME, Memory, type Source } from "../memory.js";
import { addon } from "./addon.js";
import type { Turn } from "./turn.js";

export class Instance implements Engine, Source {
  readonly from = 4096;
  // V8 counts it as memory that is used, though nobody may have touched it.
  readonly first = 4 << 20;
  readonly gather = addon.gather;
  private readonly ours: Memory;
  private readonly driver: Driver;

  /** Throws where it is no handler. */
  constructor(
    private readonly number: number,
    handler: AnyHandler,
    turn: Turn,
  ) {
    this.ours = new Memory(this);
    this.driver = new Driver(this.ours, this, handler, turn);
  }

  /** Has a frame answered. False where the answer comes later. */
  call(frame: number): boolean {
    // A frame is put behind all that it points to.
    const end = frame + LARGEST_FRAME;
    const status = this.ours.reach(end) ? this.driver.call(frame, end) : Status.FAILED;
    if (status === Status.PENDING) return false;
    this.complete(frame, status);
    return true;
  }

  /** No frame will come any more: views that are left end. */
  release(): void {
    this.ours.finish();
  }

  window(bytes: number): ArrayBuffer {
    return addon.memory(this.number, bytes);
  }

  lend(offset: number, bytes: number): ArrayBuffer {
    return addon.lend(this.number, offset, bytes);
  }

  takeBack(lent: ArrayBuffer): void {
    addon.detach(lent);
  }

  complete(frame: number, status: Status): void {
    addon.complete(this.number, frame, status);
  }

  grow(frame: number, need: number): { at: number; end: number } | null {
    const chunk = addon.grow(this.number, frame, need);
    return chunk && { at: chunk[0], end: chunk[1] };
  }

  log(level: number, text: string): void {
    addon.log(this.number, level, text);
  }

  read(pool: number, key: Key, asOf: number, at: bigint): { ok: boolean; item: number } {
    const found = addon.read(this.number, pool, key, asOf, at);
    const item = Math.abs(found);
    return { ok: this.seen(item) && found > 0, item };
  }

  list(pool: number, prefix: Key): { at: number; count: number } | null {
    const found = addon.list(this.number, pool, prefix);
    if (found === null) return null;
    const [at, count] = found;
    return this.seen(at + 16 * count) ? { at, count } : null;
  }

  /** Answers are put behind all that they point to. */
  private seen(at: number): boolean {
    return this.ours.reach(at + 64);
  }
}
