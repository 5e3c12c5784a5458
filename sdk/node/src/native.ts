/** The native part, and what it gives: the memory of a segment, and the engine behind it. */

import { createRequire } from "node:module";
import { Kind, Status } from "./abi.js";
import { Protocol, ToGuest, ToHost } from "./protocol.js";
import type { Engine, Gather, Key } from "./engine.js";
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
  /** Gives a lane to the engine. */
  pass(lane: number): void;
  /** Wakes the engine for all lanes but the first that were passed since. */
  ring(): void;
  /** Waits until a lane is ours again. False when it will never be. */
  waitFor(lane: number): boolean;
  /** From now on calls come on all lanes. */
  useLanes(): void;
  /** Four bytes for the number of each lane that had a call when it was last asked which, lane 0 behind the others. */
  readonly ready: ArrayBuffer;
  /** How many lanes have a call for us: now, or within a spin that has paid off before. */
  spin(): number;
  /** How many have one now. */
  look(): number;
  /** Waits until there is one. 0 when there will never be. */
  wait(): number;
  /** What is told what `wait` would return, once for each `waitBeside`. */
  onReady(callback: (count: number) => void): void;
  /** Waits on another thread. */
  waitBeside(): void;
  readonly gather: Gather;
}

export function native(): Native {
  return createRequire(import.meta.url)(built("upcall_node.node")) as Native;
}

/** The segment as a driver's memory. */
export class Segment implements Source {
  readonly from = Protocol.ARENA;
  // V8 counts it as memory that is used, though nobody may have touched it.
  readonly first = Protocol.ARENA + 32 * 2 ** 20;

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

/** Where a lane's message lies: what it is, and behind it its numbers. */
function message(lane: number): number {
  return lane === 0 ? Protocol.MESSAGE : Protocol.LANES + (lane - 1) * Protocol.LANE + Protocol.MESSAGE;
}

/** The engine, asked by messages on lanes that are ours. */
export class Host implements Engine {
  /** The frame of the call on lane 0 that is not answered yet; 0 where there is none. */
  private first = 0;
  /** Those of other lanes: which lane, by the offset of the frame. */
  private readonly others = new Map<number, number>();
  private readonly open = new Uint8Array(Protocol.SERVICE);
  /** What was logged while there was no lane to say it on. */
  private waiting: { level: number; text: string }[] = [];
  private many = false;
  /** Whether lanes were passed of which the engine has not been told, and whether it will be. */
  private untold = false;
  private telling = false;
  private closed = false;
  /** Who waits until lane 0 is answered. */
  private answered = (): void => {};
  readonly gather: Gather;

  constructor(
    private readonly native: Native,
    private readonly memory: Memory,
  ) {
    this.gather = native.gather;
  }

  /** Whether all lanes are used, so that a call may be left open. */
  get manyLanes(): boolean {
    return this.many;
  }

  /** Calls that are not answered yet. */
  get calls(): number {
    return this.others.size + (this.first === 0 ? 0 : 1);
  }

  /** What the engine has said last. */
  what(lane: number): ToGuest {
    return this.memory.u64(message(lane));
  }

  /** The frame of a lane that has rung. 0 where there is none that is new: an answer, or a call that is open. */
  begin(lane: number): number {
    const { memory } = this;
    const at = message(lane);
    const frame = memory.u64(at + 8);
    if (lane !== 0) {
      if (this.open[lane] === 1 || memory.u64(at) !== ToGuest.CALL) return 0;
      this.open[lane] = 1;
      this.others.set(frame, lane);
      return frame;
    }
    this.first = frame;
    if (memory.u64(at + 40) === 1 && memory.u32(frame) >>> 16 === Kind.OPEN) {
      this.many = true;
      this.native.useLanes();
    }
    for (const { level, text } of this.waiting.splice(0)) this.log(level, text);
    return frame;
  }

  /** The lane of the call that the frame on lane 0 says is to be cancelled; 0 where it says something else. */
  toCancel(): number {
    const at = message(0);
    const frame = this.memory.u64(at + 8);
    if (this.memory.u64(at) !== ToGuest.CALL || !this.memory.reach(frame + 8)) return 0;
    return this.memory.u32(frame) >>> 16 === Kind.CANCEL ? this.memory.u64(at + 40) : 0;
  }

  /** Waits until the call on lane 0 is answered. */
  whenAnswered(): Promise<void> {
    return new Promise((resolve) => (this.answered = resolve));
  }

  complete(frame: number, status: Status): void {
    if (frame !== this.first) {
      const lane = this.others.get(frame)!;
      this.others.delete(frame);
      this.open[lane] = 0;
      this.pass(lane, ToHost.RETURNED, status);
      this.tellSoon();
      return;
    }
    this.first = 0;
    // Whoever would be told anything more is gone.
    this.closed = this.memory.u32(frame) >>> 16 === Kind.CLOSE;
    this.pass(0, ToHost.RETURNED, status);
    this.answered();
  }

  /** Tells the engine once of all that is answered by the time the event loop has got round: waking it costs more than an answer. */
  private tellSoon(): void {
    this.untold = true;
    if (this.telling) return;
    this.telling = true;
    setImmediate(() => this.tell());
  }

  /** Answers wait for {@link Host.tell}, which will come. */
  hold(): void {
    this.telling = true;
  }

  /** Tells the engine what was answered. */
  tell(): void {
    this.telling = false;
    if (!this.untold) return;
    this.untold = false;
    this.native.ring();
  }

  /** Tells the engine something, and gives it the lane. */
  pass(lane: number, what: ToHost, first = 0, second = 0, third = 0): void {
    const { memory } = this;
    const at = message(lane);
    memory.setU64(at, what);
    memory.setU64(at + 8, first);
    memory.setU64(at + 16, second);
    memory.setU64(at + 24, third);
    this.native.pass(lane);
  }

  /** Tells the engine something, and waits for what it says to that. */
  private ask(lane: number, what: ToHost, first: number, second = 0n, third = 0): boolean {
    const { memory } = this;
    const at = message(lane);
    memory.setU64(at, what);
    memory.setU64(at + 8, first);
    memory.view.setBigUint64(at + 16, second, true);
    memory.setU64(at + 24, third);
    this.native.pass(lane);
    this.untold = false;
    this.native.ring();
    // There is nobody any more to answer to.
    if (!this.native.waitFor(lane)) process.exit(0);
    return memory.u64(at + 8) === Status.OK;
  }

  /** The lane for whatever belongs to no call. */
  private get service(): number {
    return this.many ? Protocol.SERVICE : 0;
  }

  /** Leaves text or bytes where the engine looks for them. How many. */
  leave(text: Key): number {
    const { memory } = this;
    const room = Protocol.ARENA - Protocol.SCRATCH;
    if (typeof text === "string") return memory.write(text, Protocol.SCRATCH, room);
    memory.bytes.set(text.subarray(0, room), Protocol.SCRATCH);
    return Math.min(text.length, room);
  }

  grow(frame: number, need: number): { at: number; end: number } | null {
    const lane = frame === this.first ? 0 : this.others.get(frame)!;
    if (!this.ask(lane, ToHost.GROW, need)) return null;
    const at = message(lane);
    return { at: this.memory.u64(at + 16), end: this.memory.u64(at + 24) };
  }

  log(level: number, text: string): void {
    if (this.closed) return;
    if (!this.many && this.first === 0) this.waiting.push({ level, text });
    else this.ask(this.service, ToHost.LOG, level, BigInt(this.leave(text)));
  }

  read(pool: number, key: Key, asOf: number, at: bigint): { ok: boolean; item: number } {
    const { service } = this;
    const ok = this.ask(service, ToHost.READ, pool + asOf * 2 ** 32, at, this.leave(key));
    const item = this.memory.u64(message(service) + 16);
    return { ok: this.seen(item) && ok, item };
  }

  list(pool: number, prefix: Key): { at: number; count: number } | null {
    const { service, memory } = this;
    if (!this.ask(service, ToHost.LIST, pool, 0n, this.leave(prefix))) return null;
    const [at, count] = [memory.u64(message(service) + 16), memory.u64(message(service) + 24)];
    return this.seen(at + 16 * count) ? { at, count } : null;
  }

  /** Answers are put behind all that they point to. */
  private seen(at: number): boolean {
    return this.memory.reach(at + 64);
  }
}
