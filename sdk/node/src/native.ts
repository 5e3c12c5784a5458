/** The native part, and what it gives: the memory of a segment, and the engine behind it. */

import { createRequire } from "node:module";
import { Shared, Status, ToGuest, ToHost } from "./abi.js";
import type { Engine, Key } from "./engine.js";
import { built } from "./find.js";
import type { Memory, Source } from "./memory.js";

/** What `upcall_node.node` exports. */
export interface Native {
  /** Takes the segment that this process was started with. Its bytes. */
  open(): number;
  /** A part of it. */
  window(offset: number, bytes: number): ArrayBuffer;
  /** Ends a window and all views of it. */
  detach(window: ArrayBuffer): void;
  /** Gives the turn to the engine. */
  pass(): void;
  /** Whether it is our turn, now or within a spin. */
  spin(): boolean;
  /** Waits until it is. False when it will never be. */
  wait(): boolean;
  /** Waits on another thread. */
  waitBeside(then: (mine: boolean) => void): void;
}

export function native(): Native {
  return createRequire(import.meta.url)(built("upcall_node.node")) as Native;
}

/** The segment as a driver's memory. */
export class Segment implements Source {
  readonly from = Shared.arena;
  // V8 counts it as memory that is used, though nobody may have touched it.
  readonly first = Shared.arena + 32 * 2 ** 20;

  constructor(private readonly native: Native) {}

  window(bytes: number): ArrayBuffer {
    return this.native.window(0, bytes);
  }

  lend(offset: number, bytes: number): ArrayBuffer {
    return this.native.window(offset, bytes);
  }

  takeBack(lent: ArrayBuffer): void {
    this.native.detach(lent);
  }
}

/** What lies at the message's place: what it is, and its numbers. */
const enum Message {
  what = Shared.message,
  first = Shared.message + 8,
  second = Shared.message + 16,
  third = Shared.message + 24,
}

/** The engine, asked by messages while the turn is ours. */
export class Host implements Engine {
  /** What was logged while the engine had the turn. */
  private waiting: { level: number; text: string }[] = [];
  private mine = true;

  constructor(
    private readonly native: Native,
    private readonly memory: Memory,
  ) {}

  /** What the engine has said last. */
  get what(): ToGuest {
    return this.memory.u64(Message.what);
  }

  /** The offset of the frame that is to be answered. */
  get frame(): number {
    return this.memory.u64(Message.first);
  }

  /** The turn is ours from now on, until it is passed. */
  begin(): void {
    this.mine = true;
    if (this.waiting.length === 0) return;
    // The message that came with the turn is read again later.
    const [what, frame] = [this.what, this.frame];
    for (const { level, text } of this.waiting.splice(0)) this.log(level, text);
    this.memory.setU64(Message.what, what);
    this.memory.setU64(Message.first, frame);
  }

  /** Tells the engine something, and gives it the turn. */
  pass(what: ToHost, first = 0, second = 0, third = 0): void {
    const { memory } = this;
    memory.setU64(Message.what, what);
    memory.setU64(Message.first, first);
    memory.setU64(Message.second, second);
    memory.setU64(Message.third, third);
    this.mine = false;
    this.native.pass();
  }

  /** Tells the engine something, and waits for what it says to that. */
  private ask(what: ToHost, first: number, second = 0n, third = 0): boolean {
    const { memory } = this;
    memory.setU64(Message.what, what);
    memory.setU64(Message.first, first);
    memory.view.setBigUint64(Message.second, second, true);
    memory.setU64(Message.third, third);
    this.native.pass();
    // There is nobody any more to answer to.
    if (!this.native.wait()) process.exit(0);
    return memory.u64(Message.first) === Status.OK;
  }

  /** Leaves text or bytes where the engine looks for them. How many. */
  leave(text: Key): number {
    const { memory } = this;
    const room = Shared.scratchEnd - Shared.scratch;
    if (typeof text === "string") return memory.write(text, Shared.scratch, room);
    memory.bytes.set(text.subarray(0, room), Shared.scratch);
    return Math.min(text.length, room);
  }

  grow(need: number): { at: number; end: number } | null {
    if (!this.ask(ToHost.GROW, need)) return null;
    return { at: this.memory.u64(Message.second), end: this.memory.u64(Message.third) };
  }

  log(level: number, text: string): void {
    if (!this.mine) this.waiting.push({ level, text });
    else this.ask(ToHost.LOG, level, BigInt(this.leave(text)));
  }

  read(pool: number, key: Key, asOf: number, at: bigint): { ok: boolean; item: number } {
    const ok = this.ask(ToHost.READ, pool + asOf * 2 ** 32, at, this.leave(key));
    const item = this.memory.u64(Message.second);
    return { ok: this.seen(item) && ok, item };
  }

  list(pool: number, prefix: Key): { at: number; count: number } | null {
    if (!this.ask(ToHost.LIST, pool, 0n, this.leave(prefix))) return null;
    const [at, count] = [this.memory.u64(Message.second), this.memory.u64(Message.third)];
    return this.seen(at + 16 * count) ? { at, count } : null;
  }

  /** Answers are put behind all that they point to. */
  private seen(at: number): boolean {
    return this.memory.reach(at + 64);
  }
}
