// Handlers of each kind, as types.test.js has them compiled.

import type { Batch, BatchHandler, CombineHandler, Context, Emit, FlowObject, HandlerClass, NumberArray, ObjectHandler } from "upcall";
import { CancelledError, ClosedError, TimedOutError } from "upcall";
import { Failed, Harness } from "upcall/testing";

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
const check: HandlerClass[] = [Shout, B, C, D];
const harness = new Harness(new Shout(), { pools: ["/a"], deadline: 100, reads: { "/b": { c: ["x", null] } } });
harness.put("a", 1).catch((failed: unknown) => failed instanceof Failed && failed.typeName);
harness.cancel();
harness.close().catch((error: unknown) => error instanceof ClosedError);
void check;
