/** From a COMBINE frame to a handler's method and back. */

import { About, CombineFrame, CombineOpen, ErrorSlot, Kind, OpenFrame } from "./abi.js";
import { awaited, type Body, Failing } from "./body.js";
import { type Context, log } from "./context.js";
import type { Engine } from "./engine.js";
import type { Answer, CombineHandler, HandlerClass } from "./handler.js";
import type { Memory } from "./memory.js";
import { type NumberArray, NUMBERS, type NumberType } from "./numbers.js";

export class CombineBody implements Body {
  readonly kind = Kind.COMBINE;
  readonly least = CombineFrame.$bytes;
  private readonly element: NumberType;
  private readonly commutative: boolean;

  constructor(
    private readonly memory: Memory,
    private readonly engine: Engine,
    private readonly handler: CombineHandler,
    of: HandlerClass,
  ) {
    // It is one of them: a class that says another is no handler.
    this.element = NUMBERS.get(of.element ?? "") as NumberType;
    this.commutative = of.commutative === true;
  }

  describe(say: (about: number, key: string, value: string) => void): void {
    say(About.TAKES, this.element.name, String(this.element.bytes));
    if (this.commutative) say(About.COMMUTATIVE, "", "");
  }

  open(frame: number, context: Omit<Context, "log" | "pool" | "pools" | "senders">): Answer {
    const { memory } = this;
    const added = memory.u64(frame + OpenFrame.added);
    if (memory.u64(frame + OpenFrame.added + 8) < CombineOpen.$bytes) {
      throw new Error("OPEN has no element: build engine and handler with the same version");
    }
    const element = memory.text(added + CombineOpen.element);
    if (element !== this.element.name) {
      throw new Error(`the engine combines ${element}, and this handler ${this.element.name}`);
    }
    const answer = this.handler.open?.({
      ...context,
      pools: [],
      senders: [],
      log: log(this.engine),
      pool: (path) => {
        throw new Error(`a handler that combines has no pools: ${path}`);
      },
    });
    return awaited(answer);
  }

  run(frame: number): Answer {
    const failing = (thrown: unknown): never => {
      throw new Failing({ thrown, item: ErrorSlot.NO_ITEM });
    };
    try {
      const count = this.memory.u64(frame + CombineFrame.count);
      const answer = this.handler.combine(
        this.array(frame + CombineFrame.from, count),
        this.array(frame + CombineFrame.into, count),
      );
      return awaited(answer)?.then(undefined, failing);
    } catch (thrown) {
      return failing(thrown);
    }
  }

  private array(at: number, count: number): NumberArray {
    const { memory, element } = this;
    const from = memory.u64(at);
    const { lent, from: base } = memory.loan(from, element.bytes * count);
    return new element.array(lent, from - base, count);
  }

  cancel(): void {
    // Its frames are answered in their calls.
  }

  flush(): void {
    // There is nothing that is held back.
  }

  close(): Answer {
    return awaited(this.handler.close?.());
  }
}
