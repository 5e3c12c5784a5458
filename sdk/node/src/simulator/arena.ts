/** Memory of this process in place of an engine's, which only grows. */

import { Abi, FrameHead } from "../abi.js";
import { LARGEST_FRAME, Memory } from "../memory.js";
import { Room as Lending } from "../testing/room.js";
import type { Room } from "../graph/columns.js";

export class Arena implements Room {
  readonly memory = new Memory(new Lending(true));
  private at = 64;

  give(bytes: number): number {
    const at = this.at;
    this.at = Math.ceil((at + bytes) / 16) * 16;
    // As far as a frame is looked at.
    this.memory.see(this.at + LARGEST_FRAME);
    return at;
  }

  head(kind: number, bytes: number): number {
    const frame = this.give(bytes);
    this.memory.setU32(frame, Abi.ABI | (kind << 16));
    this.memory.setU32(frame + FrameHead.size, bytes);
    return frame;
  }
}
