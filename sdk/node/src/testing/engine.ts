/** The part of an engine that handlers of every kind meet. */

import {
  Abi, CancelFrame, Cancelled, DescribeFrame, ErrorSlot, FrameHead, Kind, OpenFrame, Output, Record as Said, Setting, Status,
} from "../abi.js";
import { Driver } from "../driver.js";
import type { Engine, Key } from "../engine.js";
import { CancelledError, ClosedError, type Ended, reason, TimedOutError } from "../ended.js";
import { type AnyHandler, methodOf } from "../handler.js";
import { LARGEST_FRAME, Memory, utf8 } from "../memory.js";
import { Room } from "./room.js";

/** The handler failed: as the engine would see it. */
export class Failed extends Error {
  override readonly name = "Failed";

  constructor(
    /** The type of the error. */
    readonly typeName: string,
    /** What the error said. */
    override readonly message: string,
    /** Where it happened. */
    readonly trace: string,
    /** How many objects of the batch were done before it. */
    readonly done: number,
    /** The object that failed; `undefined` when everything beyond `done` did. */
    readonly item: number | undefined,
  ) {
    super(message);
  }
}

/** Room for the text of an error, and for a chunk of output. */
const TEXT = 16 << 10;
export const CHUNK = 64 << 10;

interface Chunk {
  readonly from: number;
  filled: number;
}

/** Where a frame's output is: its place in the frame, and the chunks. */
interface Out {
  readonly place: number;
  chunks: Chunk[];
}

/** A call that is not answered yet. */
interface Call {
  readonly kind: number;
  answered(status: Status): void;
  /** Why nobody waits for it any more. */
  ended?: Ended;
}

/** The part of an engine that every handler meets. */
export abstract class AnyHarness implements Engine {
  protected readonly memory: Memory;
  private readonly driver: Driver;
  private at = 64;
  /** By the offset of their frames. */
  private readonly outputs = new Map<number, Out>();
  private readonly calls = new Map<number, Call>();
  /** Frames that are in use, from when they are made until all is read from them. */
  private using = 0;
  private opened: Promise<void> | undefined;
  /** The handler can be called at once: it is open, and not in a call just now. */
  private ready = false;
  /** Ends what was not handed over yet. */
  private readonly waiting = new Set<(why: Ended) => void>();
  /** What was logged so far: level (1 is error, 4 debug) and text. */
  readonly logged: [level: number, text: string][] = [];

  constructor(
    handler: AnyHandler,
    private readonly settings: Readonly<Record<string, string>>,
  ) {
    this.memory = new Memory(new Room(["combine", "interval"].includes(methodOf(handler.constructor) as string)));
    this.driver = new Driver(this.memory, this, handler);
  }

  /** Room for so many bytes, all zero. */
  protected give(bytes: number): number {
    const at = this.at;
    this.at = Math.ceil((at + bytes) / 16) * 16;
    this.memory.reach(this.at + LARGEST_FRAME);
    this.memory.bytes.fill(0, at, this.at);
    return at;
  }

  protected copied(bytes: Uint8Array): number {
    const at = this.give(bytes.length);
    this.memory.bytes.set(bytes, at);
    return at;
  }

  /** Writes a slice of bytes at a place. */
  protected slice(place: number, bytes: Uint8Array): void {
    this.memory.setU64(place, this.copied(bytes));
    this.memory.setU64(place + 8, bytes.length);
  }

  protected text(place: number, text: string): void {
    this.slice(place, encoded(text));
  }

  /** Uses memory for one frame; what was given for those before is forgotten once none is in use. */
  protected async uses<T>(use: () => Promise<T>): Promise<T> {
    if (this.using === 0) {
      this.at = 64;
      this.outputs.clear();
    }
    this.using += 1;
    try {
      return await use();
    } finally {
      this.using -= 1;
    }
  }

  protected head(kind: number, bytes: number): number {
    const [text, frame] = [this.give(TEXT), this.give(bytes)];
    const { memory } = this;
    memory.setU32(frame, Abi.ABI | (kind << 16));
    memory.setU32(frame + FrameHead.size, bytes);
    memory.setU64(frame + FrameHead.error + ErrorSlot.text, text);
    memory.setU64(frame + FrameHead.error + ErrorSlot.text + 8, TEXT);
    return frame;
  }

  /** Gives a frame an output. */
  protected output(frame: number, place: number, at: number): void {
    this.outputs.set(frame, { place, chunks: [{ from: at, filled: at }] });
    this.memory.setU64(place + Output.at, at);
    this.memory.setU64(place + Output.end, at + CHUNK);
  }

  protected async call(frame: number, bytes: number, done?: number, deadline?: number): Promise<void> {
    const { memory } = this;
    const kind = memory.u32(frame) >>> 16;
    const { ready } = this;
    this.ready = false;
    let status = this.driver.call(frame, frame + bytes);
    this.ready = kind === Kind.OPEN ? status === Status.OK : ready;
    let ended: Ended | undefined;
    if (status === Status.PENDING) {
      const call: Call = { kind, answered: () => {} };
      const answer = new Promise<Status>((resolve) => (call.answered = resolve));
      this.calls.set(frame, call);
      const timer = deadline === undefined ? undefined : setTimeout(() => this.end(frame, TimedOutError), deadline);
      status = await answer;
      if (timer !== undefined) clearTimeout(timer);
      ended = call.ended;
    }
    if (status === Status.OK) return;
    const slot = frame + FrameHead.error;
    let at = memory.u64(slot + ErrorSlot.text);
    const [type, message, trace] = [ErrorSlot.typeLen, ErrorSlot.messageLen, ErrorSlot.stackLen].map((place) => {
      const from = at;
      at += memory.u32(slot + place);
      return memory.buffer.utf8Slice(from, at);
    });
    // As it says itself why nobody waits for it.
    if (ended !== undefined) throw new ended(message);
    const item = memory.u32(slot + ErrorSlot.item);
    const before = done === undefined ? 0 : memory.u32(done);
    throw new Failed(type ?? "", message ?? "", trace ?? "", before, item === ErrorSlot.NO_ITEM ? undefined : item);
  }

  complete(frame: number, status: Status): void {
    this.calls.get(frame)?.answered(status);
    this.calls.delete(frame);
  }

  /** Tells the handler that nobody waits any more for the answer to a frame. */
  private end(frame: number, why: Ended): void {
    const call = this.calls.get(frame);
    if (call?.kind !== Kind.FLOW) return;
    call.ended = why;
    const cancel = this.head(Kind.CANCEL, CancelFrame.$bytes);
    this.memory.setU64(cancel + CancelFrame.call, frame);
    this.memory.setU32(cancel + CancelFrame.why, why === TimedOutError ? Cancelled.TIMED_OUT : Cancelled.FROM_OUTSIDE);
    this.driver.call(cancel, cancel + CancelFrame.$bytes);
  }

  /**
   * Cancels what was put and is not answered, as a flow does that is being stopped: it rejects with a {@link CancelledError}. What
   * waits for its turn is not handed over.
   */
  cancel(): void {
    this.endWaiting(CancelledError);
    for (const frame of [...this.calls.keys()]) this.end(frame, CancelledError);
  }

  /** What the handler says of itself: subject, key and value of each record. */
  async describe(): Promise<[about: number, key: string, value: string][]> {
    return this.uses(async () => {
      const chunk = this.give(CHUNK);
      const frame = this.head(Kind.DESCRIBE, DescribeFrame.$bytes);
      this.output(frame, frame + DescribeFrame.out, chunk);
      await this.call(frame, DescribeFrame.$bytes);
      return this.records(frame).map(({ pool, key, value }) => [pool, utf8(key), utf8(value)]);
    });
  }

  /** Does it once the handler is open: at once where it is. Opens it first, once. */
  protected async whenOpen<T>(then: () => Promise<T>): Promise<T> {
    this.opened ??= this.uses(() => this.openNow());
    return this.ready ? this.uses(then) : this.after(this.opened, () => this.uses(then));
  }

  /** Does it after something else, unless the harness is cancelled or closed before: then it rejects at once. */
  protected after<T>(other: Promise<void>, then: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (why: Ended): void => reject(reason(why));
      this.waiting.add(end);
      other.then(() => {
        if (this.waiting.delete(end)) resolve(then());
      }, (failed: unknown) => {
        this.waiting.delete(end);
        reject(failed);
      });
    });
  }

  private endWaiting(why: Ended): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const end of waiting) end(why);
  }

  private async openNow(): Promise<void> {
    const { memory } = this;
    const settings = Object.entries(this.settings);
    const table = this.give(Setting.$bytes * settings.length);
    settings.forEach(([name, value], index) => {
      this.text(table + Setting.$bytes * index + Setting.name, name);
      this.text(table + Setting.$bytes * index + Setting.value, value);
    });
    const [batch, added, bytes] = this.added();
    const name = encoded("handler");
    const named = this.copied(name);
    const frame = this.head(Kind.OPEN, OpenFrame.$bytes);
    memory.setU64(frame + OpenFrame.name, named);
    memory.setU64(frame + OpenFrame.name + 8, name.length);
    memory.setU64(frame + OpenFrame.settings, table);
    memory.setU64(frame + OpenFrame.settings + 8, settings.length);
    memory.setU64(frame + OpenFrame.added, added);
    memory.setU64(frame + OpenFrame.added + 8, bytes);
    memory.setU32(frame + OpenFrame.batch, batch);
    memory.setU32(frame + OpenFrame.workers, 1);
    try {
      await this.call(frame, OpenFrame.$bytes);
      this.ready = this.opened !== undefined;
    } catch (failed) {
      this.opened = undefined;
      throw failed;
    }
  }

  /** What the engine adds to OPEN: the kind of batch, and where it is. */
  protected abstract added(): [batch: number, at: number, bytes: number];

  /** Lets the handler go. What was put and is not answered rejects with a {@link ClosedError}. */
  async close(): Promise<void> {
    const { opened, ready } = this;
    if (opened === undefined) return;
    this.opened = undefined;
    this.ready = false;
    this.endWaiting(ClosedError);
    for (const call of this.calls.values()) if (call.kind === Kind.FLOW) call.ended = ClosedError;
    try {
      if (!ready) await opened;
    } catch {
      // It did not open, so there is nothing to close.
      return;
    }
    await this.uses(() => this.call(this.head(Kind.CLOSE, FrameHead.$bytes), FrameHead.$bytes));
  }

  /** The records that a frame's output holds. */
  protected records(frame: number): { pool: number; key: Uint8Array; value: Uint8Array }[] {
    const { memory } = this;
    const { place, chunks } = this.outputs.get(frame) ?? { place: 0, chunks: [] };
    const current = memory.u32(place + Output.chunk);
    const found = [];
    for (const [index, { from, filled }] of chunks.slice(0, current + 1).entries()) {
      const end = index === current ? memory.u64(place + Output.at) : filled;
      for (let at = from; at < end; ) {
        const value = at + Said.$bytes;
        const key = value + memory.u32(at + Said.valueLen);
        const next = key + memory.u32(at + Said.keyLen);
        found.push({
          pool: memory.u32(at + Said.pool),
          key: memory.copy(key, next - key),
          value: memory.copy(value, key - value),
        });
        at = Math.ceil(next / 8) * 8;
      }
    }
    return found;
  }

  grow(frame: number, need: number): { at: number; end: number } | null {
    const out = this.outputs.get(frame);
    if (out === undefined) return null;
    const current = this.memory.u32(out.place + Output.chunk);
    const chunk = out.chunks[current];
    if (chunk !== undefined) chunk.filled = this.memory.u64(out.place + Output.at);
    const bytes = Math.max(need, CHUNK);
    const at = this.give(bytes);
    out.chunks.splice(current + 1, Infinity, { from: at, filled: at });
    return { at, end: at + bytes };
  }

  log(level: number, text: string): void {
    this.logged.push([level, text]);
  }

  abstract read(pool: number, key: Key, asOf: number, at: bigint): { ok: boolean; item: number };
  abstract list(pool: number, prefix: Key): { at: number; count: number } | null;
}

/** Text as UTF-8. */
export function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
