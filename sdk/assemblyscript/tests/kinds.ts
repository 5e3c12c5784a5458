/** Handlers for the tests of hosts. */

import { Emit, FlowObject, Handler, Open, handler, log } from "upcall";
export * from "upcall/exports";

/** Emits how many objects it has seen under its colour. */
class Life extends Handler {
  private colour: string = "";
  private seen: u64 = 0;

  open(open: Open): void {
    const colour = open.setting("colour");
    if (colour === null) return open.fail("the setting `colour` is missing");
    this.colour = colour;
    log.info(open.worker < open.workers ? `opened ${open.name}` : "a worker too many");
  }

  onObject(object: FlowObject, emit: Emit): void {
    emit.put<u64>(this.colour, ++this.seen);
    const text = object.text();
    if (text == "fail") return emit.fail("not this one");
    if (text == "throw") throw new Error("no more");
    if (text == "bounds") emit.put("x", object.value[100]);
    if (text == "garbage") {
      let all = "";
      for (let round = 0; round < 20000; round++) all = `${round} ${all.substring(0, 100)}`;
      emit.put("garbage", all);
    }
    if (text == "much") for (let round = 0; round < 4; round++) emit.put("much", new Uint8Array(1 << 20));
  }

  flush(emit: Emit): void {
    emit.put<u64>("end", this.seen);
  }

  close(): void {
    log.info("closed");
  }
}

/** Adds the value to what `/sums` has for the key, and puts it into `/second`. */
class Adds extends Handler {
  private sums: u32 = 0;
  private second: u32 = 0;

  open(open: Open): void {
    this.sums = open.pool("/sums");
    this.second = open.pool("/second");
  }

  onObject(object: FlowObject, emit: Emit): void {
    const found = emit.read(this.sums, object.key);
    const before = found === null ? 0 : found.valueAs<f64>();
    emit.putTo<f64>(this.second, object.key, before + parseFloat(object.text()));
    if (found !== null) emit.put(object.key, `ä${found.version}`);
  }
}

/** Reads a pool that it only watches. */
class Strays extends Handler {
  onObject(object: FlowObject, emit: Emit): void {
    emit.read(object.pool, object.key);
    emit.put(object.key, object.value);
  }
}

handler("life", () => new Life());
handler("adds", () => new Adds());
handler("strays", () => new Strays());
