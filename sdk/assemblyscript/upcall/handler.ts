import { Emit } from "./emit";
import { FlowObject } from "./object";
import { Open } from "./open";

/** A handler: every worker has an instance of its own. What is not overridden does nothing. */
export abstract class Handler {
  /** Called once, before anything else. `open.fail` keeps the flow from starting. */
  open(open: Open): void {}

  /** Handles one object. `emit.fail` fails it: it is tried again and then buried, as its flow says. */
  abstract onObject(object: FlowObject, emit: Emit): void;

  /** Called once the input has ended and everything upstream is flushed. */
  flush(emit: Emit): void {}

  /** Called at the end, unless the instance has trapped. */
  close(): void {}
}

export class Exported {
  constructor(
    public name: string,
    public make: () => Handler,
  ) {}
}

export const exported: Exported[] = [];

/** Says at the top level of a module that it has a handler of this name, `class` in a flow's file. */
export function handler(name: string, make: () => Handler): void {
  exported.push(new Exported(name, make));
}
