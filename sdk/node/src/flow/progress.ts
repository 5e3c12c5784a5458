/** How a batch handler reports what is done, so that an engine finds it whenever the process dies. */

import { FlowFrame, Output, Progress } from "../abi.js";
import type { Memory } from "../memory.js";

/** So many items are done, with all that the output holds now. */
export function report(memory: Memory, frame: number, done: number): void {
  const before = memory.u32(frame + FlowFrame.done);
  // What is emitted between two reports of the same number belongs to those that follow.
  if (done !== before) {
    // Never the one that belongs to `before`, until `done` says so.
    const first = frame + FlowFrame.progress;
    const place = memory.u32(first + Progress.done) === before ? first + Progress.$bytes : first;
    memory.setU64(place + Progress.at, memory.u64(frame + FlowFrame.out + Output.at));
    memory.setU32(place + Progress.chunk, memory.u32(frame + FlowFrame.out + Output.chunk));
    memory.setU32(place + Progress.done, done);
  }
  memory.setU32(frame + FlowFrame.done, done);
}
