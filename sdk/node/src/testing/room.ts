/** Memory of this process in place of an engine's. */

import type { Source } from "../memory.js";

/** Memory of this process as an engine's: what is lent is copied, so that it can be taken back. */
export class Room implements Source {
  readonly from = 64;
  readonly first = 1 << 20;
  private all = new ArrayBuffer(0);

  /** Whether what a handler writes into what is lent counts. */
  constructor(private readonly writable: boolean) {}

  window(bytes: number): ArrayBuffer {
    const larger = new ArrayBuffer(bytes);
    new Uint8Array(larger).set(new Uint8Array(this.all));
    this.all = larger;
    return larger;
  }

  lend(offset: number, bytes: number): ArrayBuffer {
    return this.all.slice(offset, offset + bytes);
  }

  takeBack(lent: ArrayBuffer, offset: number): void {
    if (this.writable) new Uint8Array(this.all).set(new Uint8Array(lent), offset);
    structuredClone(lent, { transfer: [lent] });
  }
}
