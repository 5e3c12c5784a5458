import { Body } from "./body";
import { Emit } from "./emit";
import { FlowBody } from "./flow";
import { FlowObject } from "./object";
import { Open } from "./open";

/** What every handler has, whatever it is called with: extend `Handler`, or one of the vertex programs. Every worker has an instance
 * of its own. What is not overridden does nothing. */
export abstract class AnyHandler {
  /** Called once, before anything else. `open.fail` keeps the engine from starting. */
  open(open: Open): void {}

  /** Called at the end, unless the instance has trapped. */
  close(): void {}

  /** What the driver calls it by. */
  abstract body(): Body;
}

/** A handler of a flow's objects. */
export abstract class Handler extends AnyHandler {
  /** Handles one object. `emit.fail` fails it: it is tried again and then buried, as its flow says. */
  abstract onObject(object: FlowObject, emit: Emit): void;

  /** Called once the input has ended and everything upstream is flushed. */
  flush(emit: Emit): void {}

  body(): Body {
    return new FlowBody(this);
  }
}

export class Exported {
  constructor(
    public name: string,
    public make: () => AnyHandler,
  ) {}
}

export const exported: Exported[] = [];

/** Says at the top level of a module that it has a handler of this name, `class` in a flow's file. */
export function handler(name: string, make: () => AnyHandler): void {
  exported.push(new Exported(name, make));
}
