/** Frames of objects: from one to a handler's methods and back. */

import { About, FlowFrame, Item, Kind, NO_ITEM, NO_POOL, Output, at, length } from "./abi";
import { Body } from "./body";
import { Emit } from "./emit";
import { failed } from "./failure";
import { Handler } from "./handler";
import { FlowObject } from "./object";
import { Open } from "./open";

/** How far an output is, and back there. */
class Mark {
  private place: u64;
  private chunk: u32;

  constructor(private out: usize) {
    this.set();
  }

  set(): void {
    this.place = load<u64>(this.out, Output.AT);
    this.chunk = load<u32>(this.out, Output.CHUNK);
  }

  back(): void {
    if (load<u32>(this.out, Output.CHUNK) != this.chunk) store<u64>(this.out, this.place, Output.END);
    store<u64>(this.out, this.place, Output.AT);
    store<u32>(this.out, this.chunk, Output.CHUNK);
  }
}

export class FlowBody extends Body {
  private first: u32 = NO_POOL;

  constructor(private handler: Handler) {
    super();
  }

  kind(): u16 {
    return Kind.FLOW;
  }

  kindName(): string {
    return "FLOW";
  }

  describe(emit: Emit): void {
    emit.putTo(About.FORM, "object", "");
  }

  open(open: Open): void {
    this.first = open.first();
  }

  call(frame: usize): i32 {
    const emit = new Emit(frame + FlowFrame.OUT, this.first, 0);
    const mark = new Mark(frame + FlowFrame.OUT);
    const items = at(frame + FlowFrame.ITEMS);
    const count = <u32>length(frame + FlowFrame.ITEMS);
    for (let index: u32 = 0; index < count; index++) {
      emit.item = index;
      mark.set();
      this.handler.onObject(new FlowObject(items + <usize>index * Item.SIZE), emit);
      const why = emit.failure;
      if (why !== null) {
        mark.back();
        return failed(frame, index, why);
      }
      // Behind what the item has emitted: nothing is reordered here.
      store<u32>(frame, index + 1, FlowFrame.DONE);
    }
    return 0;
  }

  flush(frame: usize, out: usize): i32 {
    const emit = new Emit(frame + out, this.first, NO_ITEM);
    const mark = new Mark(frame + out);
    this.handler.flush(emit);
    const why = emit.failure;
    if (why === null) return 0;
    mark.back();
    return failed(frame, NO_ITEM, why);
  }
}
