// Handlers of each kind, as types.test.js has them compiled.

import type { Batch, BatchHandler, CombineHandler, Context, Emit, FlowObject, HandlerClass, NumberArray, ObjectHandler } from "upcall";
import { CancelledError, ClosedError, TimedOutError } from "upcall";
import { type DeadLetter, Flow, FlowError, type FlowEvent, type Pool } from "upcall/flow";
import type {
  GatherProgram, GraphContext, Interval, IntervalProgram, Iteration, StartVertex, Vertex, VertexContext, VertexProgram, Vertices,
} from "upcall";
import { type Difference, ProgramError, Replay, Simulator, type Step } from "upcall/simulator";
import { Failed, Harness, VertexHarness } from "upcall/testing";

export class Shout implements ObjectHandler {
  static parameters = { every: { type: "u64", default: 10 } };
  static answersLater = true;
  open(context: Context): void {
    context.log.info(context.settings["a"] ?? "");
  }
  async onObject(object: FlowObject, emit: Emit): Promise<void> {
    emit.put(object.key, object.value);
    const signal: AbortSignal = object.signal;
    if (signal.reason instanceof TimedOutError || signal.reason instanceof CancelledError) signal.throwIfAborted();
    emit.putIf(object.key, 5n, emit.read("/a", "b")?.version ?? 0);
  }
}
export class B implements BatchHandler {
  onBatch(batch: Batch, emit: Emit): void {
    for (const object of batch) emit.putTo("/x", object.key, object.text());
  }
}
export class C implements CombineHandler {
  static element = "f64";
  combine(source: NumberArray, into: NumberArray): void {
    into[0] = source[0]!;
  }
}
class Order {
  items = 0;
  static pack(value: Order): Uint8Array {
    return Uint8Array.of(value.items);
  }
  static unpack(bytes: Uint8Array): Order {
    return Object.assign(new Order(), { items: bytes[0] });
  }
}
export class D implements ObjectHandler<Order, Order> {
  static takes = Order;
  static gives = [Order];
  onObject(object: FlowObject<Order>, emit: Emit<Order>): void {
    if (object.value.items > 0) emit.put(object.key, object.value);
  }
}
export class E implements VertexProgram<bigint, number, number> {
  static own = "f32";
  static shown = "u64";
  static edge = "f64";
  static outgoing = true;
  static selective = true;
  static writes = true;
  open(context: GraphContext): void {
    context.log.info(`${context.settings["a"]} ${context.vertices} ${context.directed}`);
  }
  start(vertex: StartVertex<bigint>, context: VertexContext): void {
    vertex.show(BigInt(vertex.inDegree + vertex.outDegree));
    context.addTotal(context.edges);
  }
  update(vertex: Vertex<bigint>, context: VertexContext): void {
    const { incoming, outgoing } = vertex;
    let sum: bigint = vertex.shown;
    for (let index = 0; index < incoming.length; index++) sum += incoming.shown(index);
    vertex.own = outgoing.length > 0 ? outgoing.value(0) + outgoing.id(0) : context.total;
    vertex.schedule(vertex.id);
    outgoing.setValue(0, outgoing.value(0) + 1);
    // @ts-expect-error: values are set on outgoing edges
    incoming.setValue(0, 1);
    vertex.show(sum);
  }
  beforeInterval({ iteration, first, end, pass }: Interval): void {
    void (iteration + end - first + pass);
  }
  async afterInterval(interval: Interval): Promise<void> {
    // @ts-expect-error: it is only told
    interval.pass = 1;
  }
  repeatUpdates({ updated, residual, total }: Interval): boolean {
    return updated + residual > total;
  }
  afterIteration({ number, updated, scheduled, residual, total }: Iteration): boolean {
    return number + updated + scheduled + residual > total;
  }
}
export class F implements GatherProgram {
  static shown = "f64";
  static gather = "sum";
  apply(vertex: Vertex, sum: number): void {
    vertex.show(sum);
  }
}
export class G implements IntervalProgram {
  static shown = "f64";
  interval(vertices: Vertices, context: VertexContext): void {
    const next = vertices.next as Float64Array;
    for (let k = 0; k < vertices.length; k++) next[k] = vertices.incoming.begins[k]! + vertices.id(k) + context.iteration;
    vertices.addResidual(0, 1);
    const values: NumberArray = vertices.outgoing.nextValues;
    // @ts-expect-error: these are not set
    void (vertices.incoming.nextValues ?? values);
  }
  repeatUpdates = async ({ pass }: Interval): Promise<boolean> => pass === 0;
}
export async function graphs(): Promise<number> {
  const ran = await new VertexHarness(new E(), { edges: [[0, 1, 2n], [1, 0]], directed: false, settings: { a: "b" } }).run({ iterations: 3 });
  const simulator = new Simulator(F, { edges: "links.txt", breakAt: [1], allowNaN: true });
  for (const step of simulator.steps()) if (step.what === "update") void (step satisfies Step).before;
  await simulator.run().catch((failed: unknown) => failed instanceof ProgramError && failed.vertex);
  const replayed = await Simulator.replay(F, "interval.json", { breakAt: [1], settings: { a: "b" }, allowNaN: true });
  const first: Difference | undefined = replayed.differences[0];
  void [ran.edges?.length, (await simulator.run()).edges, first?.edge];
  for (const { shows } of new Replay(new F(), "interval.json").steps()) void (shows === first?.simulator);
  return ran.iterations + ran.shown.length;
}
const check: HandlerClass[] = [Shout, B, C, D, E, F, G];
const harness = new Harness(new Shout(), { pools: ["/a"], deadline: 100, reads: { "/b": { c: ["x", null] } } });
harness.put("a", 1).catch((failed: unknown) => failed instanceof Failed && failed.typeName);
harness.cancel();
harness.close().catch((error: unknown) => error instanceof ClosedError);
void check;

export async function embedded(): Promise<DeadLetter[]> {
  await using flow = await Flow.describe({ name: "typed", delay: "10 ms", memory: "64 MiB", deadLetters: { items: 3 } })
    .pool("/in", { kind: "trigger", type: { packed: "Order" } })
    .pool("/out", { type: "u64", keep: 2 })
    .on("/in", "/out", (object, emit) => emit.put(object.key, object.value.length))
    .on("/in", ["/out"], async (object, emit) => emit.put(object.key, object.value.items), { takes: Order, inFlight: 10 })
    .on("/in", [], (object, emit) => emit.put(object.key, object.value), { takes: Order, gives: Order })
    .on("/in", "/out", Shout, { retryDelay: 5, settings: { every: [3], of: { a: 1n } }, warm: { value: "a" } })
    .on("/in", [], new B(), { order: "single" })
    .on("/in", [], D)
    .give("named", (object) => void object.text())
    .start({ signal: AbortSignal.timeout(1000) });
  const out: Pool = flow.pool("/out");
  const version: number = await out.put("a", 5n, { signal: new AbortController().signal });
  const found = out.getAt("a", version);
  if (found !== null && typeof found.number === "bigint") out.tryPut("b", found.value);
  await out.putMany([["a", 1], [Uint8Array.of(1), 2n]]);
  const seen: bigint[] = out.versions("a").map(({ time }) => time);
  for await (const event of flow.watch("/")) {
    const known: FlowEvent = event;
    if (event.what === "missed") return flow.deadLetters("/in");
    if (known.what === "put") console.log(known.text(), event.key, seen);
  }
  await out.putIf("a", 1, version).catch((error: unknown) => error instanceof FlowError && error.kind === "conflict");
  // @ts-expect-error: there is no such kind
  if (new FlowError("stopped", "") .kind === "no such kind") await flow.unref().ref().drain();
  // @ts-expect-error: it gives values of its class
  Flow.describe().on("/in", "/out", (object, emit) => emit.put(object.key, "text"), { gives: Order });
  // @ts-expect-error: flows are made by a builder
  new Flow();
  return [];
}
