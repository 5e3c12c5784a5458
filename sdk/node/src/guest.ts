/** What a handler's process runs: `node guest.js GUEST FILE CLASS NAME`, started by a host with a segment. */

import { Refusal, Status } from "./abi.js";
import { Protocol, ToGuest, ToHost } from "./protocol.js";
import { Driver } from "./driver.js";
import { load, LoadError, make } from "./load.js";
import { LARGEST_FRAME, Memory } from "./memory.js";
import { Host, native, Segment } from "./native.js";

/** How long the event loop may stand still while there is always another frame, in milliseconds. */
const PATIENCE = 1;

/** How long what was printed may take to go out at the end, in milliseconds. */
const LAST_WORDS = 1000;

const shared = native();
shared.open();
const memory = new Memory(new Segment(shared));
const host = new Host(shared, memory);

/** What keeps the event loop busy, but for what is ending anyway. */
function active(): string[] {
  return process.getActiveResourcesInfo().filter((what) => what !== "CloseReq");
}

/** How much of it is our own: standard output and error, which are made when they are first looked at. */
const OWN = ((): number => {
  void process.stdout;
  void process.stderr;
  return active().filter((what) => what === "PipeWrap" || what === "TTYWrap").length;
})();

/** Lets the event loop run once: timers, what has been read, what was promised. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Who waits for the thread that waits. */
let resume: ((count: number) => void) | undefined;

/** Waits on another thread, while the event loop runs. */
function beside(): Promise<number> {
  return new Promise((resolve) => {
    if (resume === undefined) shared.onReady((count) => resume?.(count));
    resume = resolve;
    shared.waitBeside();
  });
}

/** Waits for a call, while whatever the handler has begun goes on. How many there are; 0 when there will be none. */
async function rest(): Promise<number> {
  await turn();
  const count = shared.look();
  if (count > 0) return count;
  // Only when JavaScript has nothing else to do may its thread sleep.
  if (host.calls === 0 && active().length <= OWN) return shared.wait();
  return beside();
}

/** Has the call on a lane answered. False when there will be no others. */
function call(driver: Driver, lane: number): boolean {
  if (lane === 0 && host.what(0) !== ToGuest.CALL) return false;
  const frame = host.begin(lane);
  if (frame === 0) return true;
  // A frame is put behind all that it points to.
  memory.see(frame + LARGEST_FRAME);
  const status = driver.call(frame, frame + LARGEST_FRAME);
  if (status !== Status.PENDING) host.complete(frame, status);
  return true;
}

/** Answers calls until there will be none. */
async function serve(driver: Driver): Promise<void> {
  const ready = new Uint32Array(shared.ready);
  // Lanes that have rung and whose calls have not begun, from `next` on.
  const queue: number[] = [];
  let next = 0;
  host.pass(0, ToHost.READY, Protocol.NUMBER);
  let turned = performance.now();
  for (;;) {
    const none = next === queue.length;
    // What is open goes on meanwhile, so that it is not spun for more.
    let count = none && host.calls === 0 ? shared.spin() : shared.look();
    if (count === 0 && none) {
      count = await rest();
      if (count === 0) return;
      turned = performance.now();
    }
    if (none) queue.length = next = 0;
    let first = false;
    for (let index = 0; index < count; index++) {
      const lane = ready[index]!;
      if (lane === 0) first = true;
      else queue.push(lane);
    }
    host.hold();
    if (first) {
      // What is to be cancelled has to have begun.
      const waits = queue.indexOf(host.toCancel(), next);
      if (waits >= 0) call(driver, queue.splice(waits, 1)[0]!);
      if (!call(driver, 0)) return;
    }
    while (next < queue.length) {
      call(driver, queue[next++]!);
      // Those that have begun are to get on, too.
      if (performance.now() - turned > PATIENCE) break;
    }
    // Without lanes a call that takes its time has the only turn.
    if (host.calls > 0 && !host.manyLanes) await host.whenAnswered();
    // What was promised to the handler, if anything, is told.
    await undefined;
    host.tell();
    if (performance.now() - turned > PATIENCE) {
      await turn();
      turned = performance.now();
    }
  }
}

/** Waits until what was written has gone out, for a while: the pipes of a process that is asked to end are read to their end. */
function printed(stream: typeof process.stdout): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, LAST_WORDS);
    stream.write("", () => resolve());
  });
}

async function main(): Promise<void> {
  const [file = "", name = ""] = process.argv.slice(-3);
  if (shared.wait() === 0) return;
  let driver: Driver;
  try {
    process.setSourceMapsEnabled(true);
    const of = await load(file, name);
    driver = new Driver(memory, host, make(of, file));
  } catch (thrown) {
    const kind = thrown instanceof LoadError ? thrown.kind : Refusal.HANDLER_MISSING;
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    host.pass(0, ToHost.REFUSED, kind, host.leave(why));
    shared.wait();
    return;
  }
  await serve(driver);
}

await main();
await Promise.all([printed(process.stdout), printed(process.stderr)]);
process.exit(0);
