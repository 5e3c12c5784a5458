/** The memory that frames lie in: a window from offset 0 on, which is made larger when something lies beyond it. */

import { VertexFrame } from "./abi.js";

/** Where the memory comes from: a segment, or what a harness has made. */
export interface Source {
  /** Where frames begin, and how much the first window shows. */
  readonly from: number;
  readonly first: number;
  /** The first bytes of it, at least so many. A window that was made before shows the same, as far as it goes. */
  window(bytes: number): ArrayBuffer;
  /** A part of it for a handler's views, until it is taken back. */
  lend(offset: number, bytes: number): ArrayBuffer;
  /** Ends a loan: its views are empty from now on, and their methods throw. */
  takeBack(lent: ArrayBuffer, offset: number): void;
}

/** No `ArrayBuffer` of Node is larger, from before Node 22 on. */
export const LARGEST = 2 ** 32 - 8;

/** At least the bytes of any frame: those of vertices have most. */
export const LARGEST_FRAME: number = VertexFrame.$bytes;

const decoder = new TextDecoder();

/** A part of the memory that views of a handler show during a frame. */
interface Loan {
  readonly lent: ArrayBuffer;
  readonly from: number;
  readonly to: number;
}

/** No offset is in it. */
const NOTHING: Loan = { lent: new ArrayBuffer(0), from: Infinity, to: 0 };

/** What Node's `Buffer` does beyond a `Uint8Array`; said here, so that who uses the package needs no types of Node's. */
interface Text extends Uint8Array {
  utf8Slice(from: number, to: number): string;
  utf8Write(text: string, at: number, room: number): number;
}

export class Memory {
  /** All that can be seen now, in each form. */
  buffer!: Text;
  bytes!: Uint8Array;
  words!: Uint32Array;
  view!: DataView;

  /** During a frame: its own end, behind all that it points to. */
  private end = 0;
  private loans: Loan[] = [];
  /** The one that was used last, as most are in the same. */
  private last: Loan = NOTHING;

  constructor(private readonly source: Source) {
    this.show(source.first);
  }

  private show(bytes: number): void {
    const window = this.source.window(bytes);
    this.buffer = Buffer.from(window);
    this.bytes = new Uint8Array(window);
    this.words = new Uint32Array(window, 0, Math.floor(window.byteLength / 4));
    this.view = new DataView(window);
  }

  /** Sees to it that everything before `end` can be seen. False where no window is as large. */
  reach(end: number): boolean {
    if (end > LARGEST) return false;
    if (end > this.bytes.length) this.show(Math.min(2 ** Math.ceil(Math.log2(end)), LARGEST));
    return true;
  }

  /** As {@link Memory.reach}, of what a call needs. */
  see(end: number): void {
    if (!this.reach(end)) {
      throw new RangeError("what is handed over lies beyond what Node can see of memory, 4 GiB: hand over less");
    }
  }

  u32(at: number): number {
    return this.words[at >>> 2]!;
  }

  /** A number of 64 bits that is less than 2 ** 53: an offset, a length, a version. */
  u64(at: number): number {
    return this.words[at >>> 2]! + this.words[(at >>> 2) + 1]! * 2 ** 32;
  }

  setU32(at: number, value: number): void {
    this.words[at >>> 2] = value;
  }

  setU64(at: number, value: number): void {
    this.words[at >>> 2] = value;
    this.words[(at >>> 2) + 1] = value / 2 ** 32;
  }

  /** The text that a slice at `at` names. */
  text(at: number): string {
    const from = this.u64(at);
    const end = from + this.u64(at + 8);
    if (end > this.bytes.length) this.see(end);
    return this.buffer.utf8Slice(from, end);
  }

  /** A copy of bytes that are the reader's own. */
  copy(from: number, bytes: number): Uint8Array {
    if (from + bytes > this.bytes.length) this.see(from + bytes);
    return this.bytes.slice(from, from + bytes);
  }

  /** Writes text as UTF-8, as far as it fits. Its bytes. */
  write(text: string, at: number, room: number): number {
    return this.buffer.utf8Write(text, at, room);
  }

  /** A frame begins: what lies before `end` may be lent. */
  begin(end: number): void {
    this.end = end;
  }

  /** A view of bytes, until the frame ends. */
  lend(from: number, bytes: number): Uint8Array {
    let loan = this.last;
    if (from < loan.from || from + bytes > loan.to) loan = this.loan(from, bytes);
    return new Uint8Array(loan.lent, from - loan.from, bytes);
  }

  /** What is lent, with all these bytes in it. */
  loan(from: number, bytes: number): Loan {
    const loan = this.loans.find((loan) => from >= loan.from && from + bytes <= loan.to);
    if (loan !== undefined) return (this.last = loan);
    // What was given during the frame lies behind it.
    const [first, to] = from < this.end ? [this.source.from, this.end] : [from, from + bytes];
    const made = { lent: this.source.lend(first, to - first), from: first, to };
    this.loans.push(made);
    return (this.last = made);
  }

  /** The frame has ended, and with it all views. */
  finish(): void {
    if (this.loans.length === 0) return;
    for (const { lent, from } of this.loans) this.source.takeBack(lent, from);
    this.loans = [];
    this.last = NOTHING;
  }
}

/** Bytes as text. */
export function utf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
