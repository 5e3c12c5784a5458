/** What a program is told of iterations and intervals, and asked at their ends. */

import { FrameHead, VertexFrame } from "../abi.js";
import { isPromise } from "../body.js";
import type { Answer } from "../handler.js";
import type { Memory } from "../memory.js";
import { told } from "../told.js";
import type { AnyProgram, Interval } from "./program.js";

/** The bytes of a frame that says which interval it is about; an older engine's ends before. */
const SAYS_WHICH = VertexFrame.pass + 8;

/** The interval of which nothing was told. */
const NONE = -1;

export class Hooks {
  /** Whether the program was told of the iteration. */
  private begun = false;
  /** The first vertex and the pass of the interval that it was told of in this iteration. */
  private first = NONE;
  private pass = NONE;

  constructor(private readonly memory: Memory, private readonly program: AnyProgram) {}

  /** No iteration is at work. */
  forget(): void {
    this.begun = false;
    this.first = NONE;
  }

  /** The vertices of a frame are updated next: tells the program what they are of, unless it was told. */
  before(frame: number): void {
    const { memory, program } = this;
    if (!this.begun) {
      this.forget();
      const total = memory.view.getFloat64(frame + VertexFrame.total, true);
      const answer: unknown = program.beforeIteration?.(memory.u64(frame + VertexFrame.iteration), total);
      if (isPromise(answer)) throw later("beforeIteration");
      this.begun = true;
    }
    if (program.beforeInterval && this.saysWhich(frame)) this.beforeInterval(frame);
  }

  private beforeInterval(frame: number): void {
    const { memory } = this;
    const [first, pass] = [memory.u64(frame + VertexFrame.intervalFirst), memory.u64(frame + VertexFrame.pass)];
    if (first === this.first && pass === this.pass) return;
    [this.first, this.pass] = [first, pass];
    const answer: unknown = this.program.beforeInterval?.(this.interval(frame, 0, 0, 0));
    if (isPromise(answer)) throw later("beforeInterval");
  }

  /** All vertices of an interval were updated. */
  afterInterval(frame: number): Answer {
    const { memory, program } = this;
    if (!this.saysWhich(frame)) throw new Error("a frame about an interval does not say which: the engine breaks the rules");
    const updated = memory.u64(frame + VertexFrame.updated);
    const [residual, total] = [VertexFrame.residual, VertexFrame.total].map((at) => memory.view.getFloat64(frame + at, true));
    const interval = this.interval(frame, updated, residual!, total!);
    const ask = (): Answer => this.ended(frame, "repeatUpdates", "the interval is to be updated again", program.repeatUpdates?.(interval));
    const answer: unknown = program.afterInterval?.(interval);
    return isPromise(answer) ? answer.then(ask) : ask();
  }

  /** An iteration has ended. */
  afterIteration(frame: number): Answer {
    const { memory, program } = this;
    this.forget();
    const answer = program.afterIteration?.({
      number: memory.u64(frame + VertexFrame.iteration),
      updated: memory.u64(frame + VertexFrame.updated),
      scheduled: memory.u64(frame + VertexFrame.scheduled),
      residual: memory.view.getFloat64(frame + VertexFrame.residual, true),
      total: memory.view.getFloat64(frame + VertexFrame.total, true),
    });
    return this.ended(frame, "afterIteration", "this was the last iteration", answer);
  }

  /** Writes what a method has answered, now or later. */
  private ended(frame: number, method: string, where: string, answer: unknown): Answer {
    const end = (said: unknown): void => {
      if (said !== undefined && typeof said !== "boolean") {
        throw new TypeError(`${method} returned ${told(said)}: return true where ${where}, or false`);
      }
      this.memory.setU32(frame + VertexFrame.ended, said === true ? 1 : 0);
    };
    if (isPromise(answer)) return answer.then(end);
    end(answer);
  }

  private saysWhich(frame: number): boolean {
    return this.memory.u32(frame + FrameHead.size) >= SAYS_WHICH;
  }

  private interval(frame: number, updated: number, residual: number, total: number): Interval {
    const { memory } = this;
    return {
      iteration: memory.u64(frame + VertexFrame.iteration),
      first: memory.u64(frame + VertexFrame.intervalFirst),
      end: memory.u64(frame + VertexFrame.intervalEnd),
      pass: memory.u64(frame + VertexFrame.pass),
      updated, residual, total,
    };
  }
}

function later(method: string): TypeError {
  return new TypeError(`${method} returned a promise: vertices are updated as soon as it returns`);
}
