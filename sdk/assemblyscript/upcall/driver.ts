/** The driver: the life of a handler, whatever kind of frames it takes. */

import { ABI, About, HandlerName, Head, Kind, NO_ITEM, NO_POOL, OpenFrame, Refusal, text } from "./abi";
import { Body } from "./body";
import { Emit } from "./emit";
import { failed, write } from "./failure";
import { AnyHandler, exported } from "./handler";
import { Open } from "./open";

class Instance {
  opened: bool = false;

  constructor(
    public handler: AnyHandler,
    public body: Body,
  ) {}
}

const instances: Instance[] = [];

export function upcall_abi(): u32 {
  return ABI;
}

function refused(refusal: usize, kind: u32, why: string): u32 {
  store<u32>(refusal, kind, Refusal.KIND);
  const length = write(<usize>load<u64>(refusal, Refusal.TEXT), <usize>load<u64>(refusal, Refusal.ROOM), why);
  store<u64>(refusal, length, Refusal.LEN);
  return 0;
}

export function upcall_make(name: usize, refusal: usize): u32 {
  const wanted = text(name + HandlerName.CLASS);
  let said = "it exports no such handler";
  for (let index = 0; index < exported.length; index++) {
    const one = exported[index];
    if (one.name == wanted) {
      const handler = one.make();
      const body = handler.body();
      const flaw = body.flaw();
      if (flaw !== null) return refused(refusal, Refusal.CONSTRUCTOR_FAILED, flaw);
      return instances.push(new Instance(handler, body));
    }
    said += "\n" + one.name;
  }
  return refused(refusal, Refusal.HANDLER_MISSING, said);
}

function opened(instance: Instance, frame: usize): i32 {
  const body = instance.body;
  if (load<u16>(frame, OpenFrame.BATCH) != body.kind()) {
    const takes = body.kindName();
    return failed(frame, NO_ITEM, `it takes ${takes} frames, and the engine calls with others: give it another handler`);
  }
  const open = new Open(frame);
  body.open(open);
  instance.handler.open(open);
  const why = open.failure;
  if (why !== null) return failed(frame, NO_ITEM, why);
  instance.opened = true;
  return 0;
}

function described(body: Body, frame: usize, out: usize): i32 {
  const emit = new Emit(frame + out, NO_POOL, NO_ITEM);
  emit.putTo(About.KIND, body.kindName(), body.kind().toString());
  body.describe(emit);
  const why = emit.failure;
  return why === null ? 0 : failed(frame, NO_ITEM, why);
}

export function upcall_call(number: u32, frame: usize, out: usize): i32 {
  const instance = instances[number - 1];
  const body = instance.body;
  const kind = load<u16>(frame, Head.KIND);
  if (kind == body.kind()) return body.call(frame);
  switch (kind) {
    case Kind.DESCRIBE:
      return described(body, frame, out);
    case Kind.OPEN:
      return opened(instance, frame);
    case Kind.FLUSH:
      return body.flush(frame, out);
    case Kind.CLOSE:
      if (instance.opened) instance.handler.close();
      return 0;
    case Kind.PING:
      return 0;
    default: {
      const takes = body.kindName();
      return failed(frame, NO_ITEM, `a frame of another kind reached a handler that takes ${takes}: give the engine another handler`);
    }
  }
}
