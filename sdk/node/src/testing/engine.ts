/** The part of an engine that handlers of every kind meet. */

import {
  Abi, DescribeFrame, ErrorSlot, FrameHead, Kind, None, OpenFrame, Output, Record as Said, Setting, Status,
} from "../abi.js";
import { Driver } from "../driver.js";
import type { Engine, Key } from "../engine.js";
import { type AnyHandler, methodOf } from "../handler.js";
import { Memory, utf8 } from "../memory.js";
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

/** The part of an engine that every handler meets. */
export abstract class AnyHarness implements Engine {
  protected readonly memory: Memory;
  private readonly driver: Driver;
  private at = 64;
  protected out = 0;
  protected chunks: Chunk[] = [];
  private opened = false;
  /** What was logged so far: level (1 is error, 4 debug) and text. */
  readonly logged: [level: number, text: string][] = [];

  constructor(
    handler: AnyHandler,
    private readonly settings: Readonly<Record<string, string>>,
  ) {
    this.memory = new Memory(new Room(methodOf(handler.constructor) === "combine"));
    this.driver = new Driver(this.memory, this, handler);
  }

  /** Room for so many bytes, all zero. */
  protected give(bytes: number): number {
    const at = this.at;
    this.at = Math.ceil((at + bytes) / 16) * 16;
    this.memory.reach(this.at + 512);
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

  /** Forgets what was given for the last frame. */
  protected reset(): void {
    this.at = 64;
    this.chunks = [];
  }

  protected head(kind: number, bytes: number): number {
    const [text, frame] = [this.give(TEXT), this.give(bytes)];
    const { memory } = this;
    memory.setU32(frame, Abi.NUMBER | (kind << 16));
    memory.setU32(frame + FrameHead.size, bytes);
    memory.setU64(frame + FrameHead.error + ErrorSlot.text, text);
    memory.setU64(frame + FrameHead.error + ErrorSlot.text + 8, TEXT);
    return frame;
  }

  /** Gives a frame an output. */
  protected output(out: number, at: number): void {
    this.out = out;
    this.chunks = [{ from: at, filled: at }];
    this.memory.setU64(out + Output.at, at);
    this.memory.setU64(out + Output.end, at + CHUNK);
  }

  protected async call(frame: number, bytes: number, done?: number): Promise<void> {
    const status = await this.driver.call(frame, frame + bytes);
    if (status === Status.OK) return;
    const { memory } = this;
    const slot = frame + FrameHead.error;
    let at = memory.u64(slot + ErrorSlot.text);
    const [type, message, trace] = [ErrorSlot.typeLen, ErrorSlot.messageLen, ErrorSlot.stackLen].map((place) => {
      const from = at;
      at += memory.u32(slot + place);
      return memory.buffer.utf8Slice(from, at);
    });
    const item = memory.u32(slot + ErrorSlot.item);
    const before = done === undefined ? 0 : memory.u32(done);
    throw new Failed(type ?? "", message ?? "", trace ?? "", before, item === None.ITEM ? undefined : item);
  }

  /** What the handler says of itself: subject, key and value of each record. */
  async describe(): Promise<[about: number, key: string, value: string][]> {
    this.reset();
    const chunk = this.give(CHUNK);
    const frame = this.head(Kind.DESCRIBE, DescribeFrame.$bytes);
    this.output(frame + DescribeFrame.out, chunk);
    await this.call(frame, DescribeFrame.$bytes);
    return this.records().map(({ pool, key, value }) => [pool, utf8(key), utf8(value)]);
  }

  /** OPEN, once. */
  protected async open(): Promise<void> {
    if (this.opened) return;
    this.reset();
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
    await this.call(frame, OpenFrame.$bytes);
    this.opened = true;
  }

  /** What the engine adds to OPEN: the kind of batch, and where it is. */
  protected abstract added(): [batch: number, at: number, bytes: number];

  /** Lets the handler go. */
  async close(): Promise<void> {
    if (!this.opened) return;
    this.opened = false;
    this.reset();
    await this.call(this.head(Kind.CLOSE, FrameHead.$bytes), FrameHead.$bytes);
  }

  /** The records that the output holds. */
  protected records(): { pool: number; key: Uint8Array; value: Uint8Array }[] {
    const { memory } = this;
    const current = memory.u32(this.out + Output.chunk);
    const found = [];
    for (const [index, { from, filled }] of this.chunks.slice(0, current + 1).entries()) {
      const end = index === current ? memory.u64(this.out + Output.at) : filled;
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

  grow(need: number): { at: number; end: number } {
    const current = this.memory.u32(this.out + Output.chunk);
    const chunk = this.chunks[current];
    if (chunk !== undefined) chunk.filled = this.memory.u64(this.out + Output.at);
    const bytes = Math.max(need, CHUNK);
    const at = this.give(bytes);
    this.chunks.splice(current + 1, Infinity, { from: at, filled: at });
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
