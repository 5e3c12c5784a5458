/** A harness for vertex programs. */

import { Item, Kind, VertexFrame, VertexOpen } from "../abi.js";
import { Csr, type Edge, type GraphOptions } from "../graph/csr.js";
import { type Declared, declared } from "../graph/declared.js";
import { Engine } from "../graph/engine.js";
import { type AnyHandler, type HandlerClass, isVertexMethod, methodOf } from "../handler.js";
import type { NumberArray } from "../numbers.js";
import { AnyHarness } from "./engine.js";

export interface GraphHarnessOptions extends GraphOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** The edges of the graph: arrays of source, destination and, for a program that declares `edge`, a value. */
  readonly edges: Iterable<Edge>;
}

/** What a program has come to. */
export interface Ran {
  /** How many iterations there were. */
  readonly iterations: number;
  /** What each vertex keeps to itself; `undefined` of a program that declares no `own`. */
  readonly own: NumberArray | undefined;
  /** What each vertex shows. */
  readonly shown: NumberArray;
  /** The values of edges, in the order of incoming ones: by destination, then by source; `undefined` of a program that writes none. */
  readonly edges: NumberArray | undefined;
}

/** A vertex program and a small graph. */
export class VertexHarness extends AnyHarness {
  private readonly declared: Declared;
  private readonly csr: Csr;

  constructor(handler: AnyHandler, options: GraphHarnessOptions) {
    super(handler, options.settings ?? {});
    const of = handler.constructor as HandlerClass;
    const method = methodOf(of);
    if (typeof method !== "string" || !isVertexMethod(method)) throw new TypeError(`${of.name} is no vertex program: use Harness`);
    this.declared = declared(of, method) as Declared;
    this.csr = new Csr(options.edges, options);
  }

  protected added(): [number, number, number] {
    const { memory, csr } = this;
    const added = this.give(VertexOpen.$bytes);
    memory.setU32(added, VertexOpen.$bytes);
    memory.setU32(added + VertexOpen.directed, csr.directed ? 1 : 0);
    memory.setU64(added + VertexOpen.vertices, csr.vertices);
    memory.setU64(added + VertexOpen.edges, csr.edges);
    return [Kind.VERTEX, added, VertexOpen.$bytes];
  }

  /**
   * Runs the program from its start, until it says that it has ended, nothing is scheduled, or there were so many iterations. Throws
   * {@link Failed} when it fails, whose `item` is the place of the vertex among those that were handed over together. All vertices are
   * one interval, which is updated again as long as the program says so; one that writes values of edges must not.
   */
  async run({ iterations = Infinity, interval = 1024 }: { iterations?: number; interval?: number } = {}): Promise<Ran> {
    if (!(interval > 0 && interval % 1024 === 0)) throw new RangeError(`an interval of ${interval} vertices: give a multiple of 1024`);
    return this.whenOpen(async () => {
      const room = { memory: this.memory, give: (bytes: number) => this.give(bytes), head: (kind: number, bytes: number) => this.head(kind, bytes) };
      const engine = new Engine(room, this.csr, this.declared, { interval, copies: true });
      const running = engine.run(iterations);
      let next = running.next();
      for (; next.done !== true; next = running.next()) await this.call(next.value.frame, VertexFrame.$bytes);
      return { iterations: next.value, own: engine.kept(), shown: engine.shown(), edges: engine.edges() };
    });
  }

  override read(): { ok: boolean; item: number } {
    return { ok: false, item: this.give(Item.$bytes) };
  }

  override list(): null {
    return null;
  }
}
