/** A harness for handlers that combine. */

import { CombineFrame, CombineOpen, Item, Kind } from "../abi.js";
import { type AnyHandler, type HandlerClass, methodOf } from "../handler.js";
import { misfit, type NumberArray, NUMBERS, type NumberType, type Numeric } from "../numbers.js";
import { AnyHarness } from "./engine.js";

/** A handler that combines, and what an engine would give it. */
export class CombineHarness extends AnyHarness {
  private readonly element: NumberType;

  constructor(handler: AnyHandler, options: { settings?: Readonly<Record<string, string>>; element?: string } = {}) {
    super(handler, options.settings ?? {});
    const of = handler.constructor as HandlerClass;
    if (methodOf(of) !== "combine") throw new TypeError(`${of.name} does not combine arrays: use Harness`);
    const element = options.element ?? of.element ?? "";
    const type = NUMBERS.get(element);
    if (type === undefined) throw new TypeError(`${element} is no number type`);
    this.element = type;
  }

  protected added(): [number, number, number] {
    const added = this.give(CombineOpen.$bytes);
    this.memory.setU32(added, CombineOpen.$bytes);
    this.memory.setU32(added + CombineOpen.elementSize, this.element.bytes);
    this.text(added + CombineOpen.element, this.element.name);
    return [Kind.COMBINE, added, CombineOpen.$bytes];
  }

  /** What `into` holds when `source` has been combined into it. Throws {@link Failed} when the handler fails. */
  async combine(source: Iterable<Numeric>, into: Iterable<Numeric>): Promise<NumberArray> {
    return this.whenOpen(() => this.combined([...source], [...into]));
  }

  private async combined(from: Numeric[], to: Numeric[]): Promise<NumberArray> {
    const { memory, element } = this;
    if (from.length !== to.length) throw new RangeError(`combine ${from.length} elements into ${to.length}: give as many of both`);
    const place = (numbers: readonly Numeric[]): number => {
      const at = this.give(element.bytes * numbers.length);
      numbers.forEach((number, index) => {
        if (!element.write(memory, at + element.bytes * index, number)) throw new RangeError(misfit(number, element));
      });
      return at;
    };
    const [fromAt, intoAt] = [place(from), place(to)];
    const frame = this.head(Kind.COMBINE, CombineFrame.$bytes);
    for (const [at, array] of [[CombineFrame.from, fromAt], [CombineFrame.into, intoAt]] as const) {
      memory.setU64(frame + at, array);
      memory.setU64(frame + at + 8, element.bytes * to.length);
    }
    memory.setU64(frame + CombineFrame.count, to.length);
    await this.call(frame, CombineFrame.$bytes);
    return new element.array(memory.copy(intoAt, element.bytes * to.length).buffer as ArrayBuffer);
  }

  override read(): { ok: boolean; item: number } {
    return { ok: false, item: this.give(Item.$bytes) };
  }

  override list(): null {
    return null;
  }
}
