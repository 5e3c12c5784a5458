/** The driver: from a frame to a handler's methods and back. */

import { ABI, FlowFrame, HandlerName, Head, Item, Kind, NO_ITEM, NO_POOL, OpenFrame, Output, Refusal, at, length, text } from "./abi";
import { Emit } from "./emit";
import { Handler, exported } from "./handler";
import { FlowObject } from "./object";
import { Open } from "./open";

class Instance {
  first: u32 = NO_POOL;
  opened: bool = false;

  constructor(public handler: Handler) {}
}

const instances: Instance[] = [];

export function upcall_abi(): u32 {
  return ABI;
}

/** Writes a text, up to the end of a character; how many bytes it took. */
function write(to: usize, room: usize, said: string): usize {
  const bytes = String.UTF8.encode(said);
  const start = changetype<usize>(bytes);
  let length: usize = bytes.byteLength;
  if (length > room) {
    length = room;
    while (length > 0 && (load<u8>(start + length) & 0xc0) == 0x80) length--;
  }
  memory.copy(to, start, length);
  return length;
}

export function upcall_make(name: usize, refusal: usize): u32 {
  const wanted = text(name + HandlerName.CLASS);
  let said = "it exports no such handler";
  for (let index = 0; index < exported.length; index++) {
    const one = exported[index];
    if (one.name == wanted) return instances.push(new Instance(one.make()));
    said += "\n" + one.name;
  }
  store<u32>(refusal, Refusal.HANDLER_MISSING, Refusal.KIND);
  const length = write(<usize>load<u64>(refusal, Refusal.TEXT), <usize>load<u64>(refusal, Refusal.ROOM), said);
  store<u64>(refusal, length, Refusal.LEN);
  return 0;
}

function failed(frame: usize, item: u32, why: string): i32 {
  const to = at(frame + Head.TEXT);
  const room = length(frame + Head.TEXT);
  const type = write(to, room, "failure");
  store<u32>(frame, <u32>type, Head.TYPE_LEN);
  store<u32>(frame, <u32>write(to + type, room - type, why), Head.MESSAGE_LEN);
  store<u32>(frame, 0, Head.STACK_LEN);
  store<u32>(frame, item, Head.ITEM);
  return 1;
}

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

function objects(instance: Instance, frame: usize): i32 {
  const emit = new Emit(frame + FlowFrame.OUT, instance.first, 0);
  const mark = new Mark(frame + FlowFrame.OUT);
  const items = at(frame + FlowFrame.ITEMS);
  const count = <u32>length(frame + FlowFrame.ITEMS);
  for (let index: u32 = 0; index < count; index++) {
    emit.item = index;
    mark.set();
    instance.handler.onObject(new FlowObject(items + <usize>index * Item.SIZE), emit);
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

function flushed(instance: Instance, frame: usize): i32 {
  const emit = new Emit(frame + FlowFrame.OUT, instance.first, NO_ITEM);
  const mark = new Mark(frame + FlowFrame.OUT);
  instance.handler.flush(emit);
  const why = emit.failure;
  if (why === null) return 0;
  mark.back();
  return failed(frame, NO_ITEM, why);
}

function opened(instance: Instance, frame: usize): i32 {
  if (load<u16>(frame, OpenFrame.BATCH) != Kind.FLOW) {
    return failed(frame, NO_ITEM, "it takes FLOW frames, and the engine calls with others: give it another handler");
  }
  const open = new Open(frame);
  instance.first = open.first();
  instance.handler.open(open);
  const why = open.failure;
  if (why !== null) return failed(frame, NO_ITEM, why);
  instance.opened = true;
  return 0;
}

function described(frame: usize, out: usize): i32 {
  const emit = new Emit(frame + out, NO_POOL, NO_ITEM);
  emit.putTo(1, "FLOW", "16");
  emit.putTo(2, "object", "");
  const why = emit.failure;
  return why === null ? 0 : failed(frame, NO_ITEM, why);
}

export function upcall_call(number: u32, frame: usize, out: usize): i32 {
  const instance = instances[number - 1];
  switch (load<u16>(frame, Head.KIND)) {
    case Kind.FLOW:
      return objects(instance, frame);
    case Kind.DESCRIBE:
      return described(frame, out);
    case Kind.OPEN:
      return opened(instance, frame);
    case Kind.FLUSH:
      return flushed(instance, frame);
    case Kind.CLOSE:
      if (instance.opened) instance.handler.close();
      return 0;
    case Kind.PING:
      return 0;
    default:
      return failed(frame, NO_ITEM, "a frame of another kind reached a handler that takes FLOW: give the engine another handler");
  }
}
