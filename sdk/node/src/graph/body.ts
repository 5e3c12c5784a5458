/** From a VERTEX frame to a program's method and back. */

import { About, ErrorSlot, Kind, OpenFrame, Phase, VertexFrame, VertexOpen } from "../abi.js";
import { awaited, type Body, Failing } from "../body.js";
import { type Context, log } from "../context.js";
import { ended } from "../ended.js";
import type { Engine } from "../engine.js";
import type { Answer, HandlerClass } from "../handler.js";
import type { Memory } from "../memory.js";
import { Arrays } from "./arrays.js";
import { type Declared, declared, FORMS, type VertexMethod } from "./declared.js";
import { gathered, inward, lacking, misfit, notANumber, outside, short, stray, unadded, unseen } from "./errors.js";
import { Hooks } from "./hooks.js";
import { Packed } from "./packed.js";
import { LEAST, nowhere, type Places, read } from "./places.js";
import type { AnyProgram, GraphSize, VertexContext } from "./program.js";
import { plain, ranged } from "./ranged.js";
import { type Guards, source } from "./source.js";
import { Lent, NumberedVertices, Vertices } from "./vertices.js";
import { Woken } from "./woken.js";

/** What the text of {@link source} makes. */
interface Inner {
  readonly context: VertexContext;
  /** The context is that of another frame. */
  frame(at: Places): void;
  start(at: Places, from: number, to: number): void;
  update(at: Places, from: number, to: number): void;
}

/** No vertices at which a debugger stops. */
const NOWHERE: ReadonlySet<number> = new Set();

export class VertexBody implements Body {
  readonly kind = Kind.VERTEX;
  readonly least = LEAST;
  private readonly declared: Declared;
  private inner: Inner | undefined;
  private readonly places = nowhere();
  private readonly woken = new Woken();
  private readonly graph: { -readonly [Key in keyof GraphSize]: GraphSize[Key] } = { vertices: 0, edges: 0, directed: true };
  private readonly lent: Lent;
  private arrays = new Arrays(new ArrayBuffer(0));
  private readonly packed: Packed;
  private readonly hooks: Hooks;
  /** The vertex that is being updated, of a body with guards. */
  private now = -1;

  constructor(
    private readonly memory: Memory,
    private readonly engine: Engine,
    private readonly program: AnyProgram,
    private readonly of: HandlerClass,
    method: VertexMethod,
    private readonly guards?: Guards,
  ) {
    // It is well declared: a class that is not is no handler.
    this.declared = declared(of, method) as Declared;
    this.lent = new Lent(memory);
    this.packed = new Packed(this.declared, engine);
    this.hooks = new Hooks(memory, program);
  }

  /** Sees to it that what is read is all that can be seen of memory now. */
  private seen(): void {
    const window = this.memory.bytes.buffer as ArrayBuffer;
    if (window === this.arrays.window) return;
    this.arrays = new Arrays(window);
    this.inner = undefined;
  }

  /** The part that is made for this program, and for all that can be seen of memory now. */
  private made(): Inner {
    this.seen();
    if (this.inner !== undefined) return this.inner;
    const { arrays, declared, guards, woken, graph } = this;
    const tools = {
      arrays, woken, graph,
      packed: this.packed.array,
      log: log(this.engine),
      stops: guards?.stops,
      now: (id: number) => (this.now = id),
      failing: (thrown: unknown, item: number) => new Failing({ thrown, item }),
      outside: (of: number, side: string, length: number, index: unknown) => {
        throw length < 0 ? this.gone(of, side) : outside(of, side, length, index);
      },
      gone: (of: number, what: string) => {
        throw this.gone(of, what);
      },
      misfit: (...given: Parameters<typeof misfit>) => {
        throw misfit(...given);
      },
      nan: (what: string) => {
        throw notANumber(this.now, what);
      },
      stray: (id: unknown) => {
        throw stray(id, graph.vertices);
      },
      unseen: (of: number, side: string) => {
        throw unseen(of, side);
      },
      inward: (of: number) => {
        throw inward(of);
      },
      short: (of: number) => {
        throw short(of);
      },
      gathered: (of: number) => {
        throw gathered(of);
      },
      unadded: (what: string, tally: number, amount: unknown) => {
        throw unadded(what, tally, amount, declared.method === "interval");
      },
      undeclared: lacking,
    };
    // Its lines are the driver's own in a stack, as they are in this folder.
    const place = new URL(`${this.of.name.replace(/\W/g, "_")}.driver.js`, import.meta.url).href;
    const make = new Function("handler", "tools", `${source(declared, guards)}\n//# sourceURL=${place}`);
    return (this.inner = make(this.program, tools) as Inner);
  }

  /** What is told of a cursor that is used too late. */
  private gone(of: number, what: string): Error {
    if (this.guards === undefined || this.now < 0 || of === this.now) return ended("the vertex");
    return new Error(
      `${what} of vertex ${of} was used while vertex ${this.now} is updated: a program has no vertex but the one it is given`,
    );
  }

  describe(say: (about: number, key: string, value: string) => void): void {
    const { method, own, shown, edge, outgoing, selective, writes, gather } = this.declared;
    say(About.FORM, FORMS[method].form, "");
    for (const [key, type] of Object.entries({ own, shown, edge })) {
      if (type !== undefined) say(About.VALUE, key, type.name);
    }
    if (outgoing) say(About.NEEDS, "outgoing", "");
    if (selective) say(About.NEEDS, "selective", "");
    if (writes) say(About.NEEDS, "writes", "");
    if (gather !== undefined) say(About.GATHER, gather, "");
  }

  open(frame: number, context: Omit<Context, "log" | "pool" | "pools" | "senders">): Answer {
    const { memory, graph } = this;
    const added = memory.u64(frame + OpenFrame.added);
    if (memory.u64(frame + OpenFrame.added + 8) < VertexOpen.$bytes) {
      throw new Error("OPEN has no graph: build engine and handler with the same version");
    }
    graph.vertices = memory.u64(added + VertexOpen.vertices);
    graph.edges = memory.u64(added + VertexOpen.edges);
    graph.directed = memory.u32(added + VertexOpen.directed) !== 0;
    const answer = this.program.open?.({
      ...context,
      ...graph,
      pools: [],
      senders: [],
      log: log(this.engine),
      pool: (path) => {
        throw new Error(`a vertex program has no pools: ${path}`);
      },
    });
    return awaited(answer);
  }

  run(frame: number): Answer {
    const { hooks, memory, places } = this;
    const phase = memory.u32(frame + VertexFrame.phase);
    if (phase === Phase.AFTER) return hooks.afterIteration(frame);
    if (phase === Phase.INTERVAL) return hooks.afterInterval(frame);
    if (phase > Phase.INTERVAL) throw new Error(`a frame's phase is ${phase}, which this SDK does not know: use one as new as the engine`);
    read(memory, frame, this.declared, places);
    this.now = -1;
    if (phase === Phase.UPDATE) hooks.before(frame);
    else hooks.forget();
    if (phase === Phase.UPDATE && this.declared.method === "interval") return this.interval(frame, this.made());
    this.seen();
    this.woken.begin(this.arrays.u32, places.woken, places.room);
    try {
      if (phase === Phase.UPDATE) this.update();
      else this.start();
    } finally {
      memory.setU64(frame + VertexFrame.wakes, this.woken.count);
      this.now = -1;
    }
  }

  private update(): void {
    const { places } = this;
    for (let from = 0; from < places.count;) {
      const to = this.packed.fill(this.arrays, places, from);
      this.made().update(places, from, to);
      from = to;
    }
  }

  /** What vertices begin with: 0, and what the program says. */
  private start(): void {
    const { arrays, places, declared: { own, shown } } = this;
    const { count } = places;
    if (count === 0) return;
    for (const [type, at] of [[own, places.own], [shown, places.next]] as const) {
      if (type === undefined) continue;
      const words = type.bytes / 4;
      arrays.u32.fill(0, words * at, words * (at + count));
    }
    if (this.program.start !== undefined) this.made().start(places, 0, count);
  }

  private interval(frame: number, inner: Inner): Answer {
    const { program, woken } = this;
    // What is lent may be a copy that is written back when the frame ends: so this goes the same way.
    const wakes = this.lent.words((frame + VertexFrame.wakes) / 4, 2);
    const see = this.guards === undefined ? plain : ranged;
    const Given = this.guards?.nan === true ? NumberedVertices : Vertices;
    const vertices = new Given(this.lent, this.places, this.declared, this.graph, woken, see);
    inner.frame(this.places);
    const end = (): void => {
      wakes[0] = woken.count;
      wakes[1] = 0;
      vertices.end();
    };
    const failing = (thrown: unknown): never => {
      end();
      throw new Failing({ thrown, item: ErrorSlot.NO_ITEM });
    };
    let answer: void | Promise<void>;
    const stops = this.guards?.stops ?? NOWHERE;
    try {
      const ids = stops.size === 0 ? [] : Array.from({ length: vertices.length }, (_, k) => vertices.id(k));
      if (ids.some((id) => stops.has(id))) debugger;
      answer = awaited(program.interval?.(vertices, inner.context));
    } catch (thrown) {
      return failing(thrown);
    }
    if (answer !== undefined) return answer.then(end, failing);
    end();
  }

  cancel(): void {
    // Its frames are answered in their calls.
  }

  flush(): void {
    // There is nothing that is held back.
  }

  close(): Answer {
    return awaited(this.program.close?.());
  }
}
