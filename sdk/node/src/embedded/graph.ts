/** A graph that is mapped, and programs of this program's own that run over it. */

import type { Signal } from "../flow/object.js";
import { type Declared, declared } from "../graph/declared.js";
import type { AnyProgram } from "../graph/program.js";
import { type AnyHandler, type HandlerClass, isVertexMethod, methodOf } from "../handler.js";
import type { NumberArray, NumberType } from "../numbers.js";
import { told } from "../told.js";
import { checked, native, type NativeGraph } from "./bindings.js";
import { FlowError } from "./error.js";
import { known } from "./options.js";
import { enter, forget, give, type Module, tableOf } from "./program.js";
import { isAborted, whenAborted } from "./signal.js";
import { WAIT, whenEnded } from "./task.js";

/** Why a graph or a run of a program did not do what it was asked. */
export type GraphErrorKind =
  /** The file cannot be read, is no graph, or is damaged. */
  | "file"
  /** The program is none, or has thrown; the message has the vertex and the place. */
  | "program"
  /** What was asked for does not go with this graph. */
  | "invalid"
  | "out of memory"
  | "stopped"
  /** A fault of the engine. */
  | "internal";

/** A graph or a run did not do what it was asked. */
export class GraphError extends Error {
  override readonly name = "GraphError";

  constructor(readonly kind: GraphErrorKind, message: string) {
    super(message);
  }
}

/** A program as an object of functions, which may use what lies around them, and what a class says of itself by static members. */
export type ProgramObject = AnyProgram & {
  readonly name?: string;
  readonly own?: string;
  readonly shown: string;
  readonly edge?: string;
  readonly outgoing?: boolean;
  readonly selective?: boolean;
  readonly writes?: boolean;
  readonly gather?: string;
};

/** Whatever runs over a graph: a class that `upcall graph run` would load, an instance of one, or an object of functions. */
export type GraphProgram = (new () => AnyProgram) | AnyProgram | ProgramObject;

/** How a program is run. */
export interface RunOptions {
  /** What the program is told when it is opened. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
  /** How many iterations there are at most. */
  readonly iterations?: number;
  /**
   * Vertices are updated in intervals of so many, one interval after the other, and see what those of earlier ones show in the same
   * iteration (Gauss-Seidel); without it, all see what was shown in the last one.
   */
  readonly gaussSeidel?: number;
  /** A folder in which vertices' values are kept, in nameless files that are mapped; without it, in memory. */
  readonly valuesIn?: string;
  /** Ends the run: it rejects with the signal's reason. */
  readonly signal?: Signal | undefined;
}

/** What a program has come to. */
export interface GraphRun {
  /** How many iterations there were. */
  readonly iterations: number;
  /** What each vertex has kept to itself; `undefined` where that is nothing. */
  readonly own: NumberArray | undefined;
  /** What each showed at the end. */
  readonly shown: NumberArray;
  /** The values of edges, in the order of incoming ones: by destination, then by source; `undefined` where the program writes none. */
  readonly edges: NumberArray | undefined;
}

const METHODS = [
  "open", "start", "update", "apply", "interval", "beforeIteration", "beforeInterval", "afterInterval", "repeatUpdates", "afterIteration",
  "close",
] as const;
const SAYS = ["own", "shown", "edge", "outgoing", "selective", "writes", "gather"] as const;

/** A program's class and what makes an instance. Throws where it is none. */
function programOf(given: unknown): { of: HandlerClass; module: Module; says: Declared } {
  if ((typeof given !== "object" && typeof given !== "function") || given === null) {
    throw new TypeError(`a vertex program is a class, an instance of one or an object of functions, and this is ${told(given)}`);
  }
  let of = given as HandlerClass;
  let module: Module = () => new of();
  if (typeof given === "object") {
    const own = given.constructor as HandlerClass | undefined;
    if (typeof methodOf(own) === "string") [of, module] = [own!, () => given as AnyHandler];
    else of = around(given as Readonly<Record<string, unknown>>);
  }
  const method = methodOf(of);
  if (typeof method !== "string") throw new TypeError(`${of.name} is no vertex program: ${method.wrong}`);
  if (!isVertexMethod(method)) throw new TypeError(`${of.name} is no vertex program: it has ${method}`);
  return { of, module, says: declared(of, method) as Declared };
}

/** A class of an object's functions. */
function around(given: Readonly<Record<string, unknown>>): HandlerClass {
  class Given {}
  for (const method of METHODS) {
    const call = given[method];
    if (typeof call === "function") (Given.prototype as Record<string, unknown>)[method] = call.bind(given);
  }
  for (const word of SAYS) if (given[word] !== undefined) Object.defineProperty(Given, word, { value: given[word] });
  Object.defineProperty(Given, "name", { value: typeof given["name"] === "string" ? given["name"] : "the program" });
  return Given as unknown as HandlerClass;
}

/** Does it, and throws as a {@link GraphError} what a function of the engine has failed with. */
function asked<T>(call: () => T): T {
  try {
    return checked(call);
  } catch (thrown) {
    throw asGraphError(thrown);
  }
}

function asGraphError(thrown: unknown): unknown {
  return thrown instanceof FlowError ? new GraphError(thrown.kind as GraphErrorKind, thrown.message) : thrown;
}

/**
 * A graph's file, as `upcall graph build` makes it, mapped into this process. Nobody may write or shorten the file meanwhile.
 *
 * ```js
 * const graph = Graph.map("links.graph");
 * let updates = 0;
 * const { shown } = await graph.run({
 *   shown: "u32",
 *   selective: true,
 *   start(vertex) {
 *     vertex.show(vertex.id);
 *     vertex.schedule();
 *   },
 *   update(vertex) {
 *     updates += 1;
 *     let least = vertex.shown;
 *     for (let index = 0; index < vertex.incoming.length; index++) least = Math.min(least, vertex.incoming.shown(index));
 *     vertex.show(least);
 *   },
 * });
 * ```
 */
export class Graph {
  private constructor(private readonly graph: NativeGraph) {}

  /** Maps a file. Throws a `GraphError`. */
  static map(path: string): Graph {
    if (typeof path !== "string") throw new TypeError(`map a graph: its path is text, and this is ${told(path)}`);
    return new Graph(asked(() => new native.UpcallGraph(path)));
  }

  /** How many vertices it has. */
  get vertices(): number {
    return Number(this.graph.vertices());
  }

  /** How many edges; each counts once per direction where they have none. */
  get edges(): number {
    return Number(this.graph.edges());
  }

  /** Whether edges have a direction. */
  get directed(): boolean {
    return this.graph.is_directed();
  }

  /** What the lists of edges have called a vertex. */
  nameOf(vertex: number): string {
    if (!(Number.isSafeInteger(vertex) && vertex >= 0)) throw new TypeError(`name of a vertex: ${told(vertex)} is the number of none`);
    return asked(() => this.graph.vertex_name(vertex));
  }

  /**
   * Runs a program over it, on this event loop, which goes on between calls; the engine gathers and counts on a thread of its own. What
   * the program sees is the graph's and the run's own memory, without copies. Rejects with a `GraphError`, or the signal's reason.
   */
  async run(program: GraphProgram, options: RunOptions = {}): Promise<GraphRun> {
    known("run", options, { settings: "object", iterations: "count", gaussSeidel: "count", valuesIn: "text", ...WAIT });
    const { of, module, says } = programOf(program);
    const { settings = {}, iterations, gaussSeidel, valuesIn, signal } = options;
    const run = asked(() => new native.UpcallGraphRun(this.graph, of.name));
    const number = enter(module);
    let deafen = (): void => {};
    try {
      asked(() => run.program("node", tableOf(), native.UPCALL_THREADS_ONE, give(number)));
      for (const [name, value] of Object.entries(settings)) asked(() => run.set(name, String(value)));
      asked(() => run.limit(iterations ?? Number.MAX_SAFE_INTEGER, 1));
      if (gaussSeidel !== undefined) asked(() => run.gauss_seidel(gaussSeidel));
      if (valuesIn !== undefined) asked(() => run.values_in(valuesIn));
      if (signal !== undefined && !isAborted(signal)) deafen = whenAborted(signal, () => run.stop());
      return await whenEnded("run", () => run.start(), (task) => {
        task.check();
        const copy = (type: NumberType, count: number, read: (room: Uint8Array) => void): NumberArray => {
          const room = new ArrayBuffer(type.bytes * count);
          read(new Uint8Array(room));
          return new type.array(room);
        };
        const { own, shown, edge, writes } = says;
        return {
          iterations: Number(run.iterations()),
          own: own && copy(own, this.vertices, (room) => run.own(room)),
          shown: copy(shown, this.vertices, (room) => run.shown(room)),
          edges: writes ? copy(edge!, this.edges, (room) => run.edges(room)) : undefined,
        };
      }, { signal });
    } catch (thrown) {
      throw asGraphError(thrown);
    } finally {
      deafen();
      forget(number);
      run.release();
    }
  }

  /** Ends it: what runs goes on. */
  close(): void {
    this.graph.release();
  }
}
