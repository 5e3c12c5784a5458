/** What a handler's process runs: `node guest.js GUEST FILE CLASS NAME`, started by a host with a segment. */

import { Refused, Shared, ToGuest, ToHost } from "./abi.js";
import { Driver } from "./driver.js";
import { load, LoadError, make } from "./load.js";
import { Memory } from "./memory.js";
import { Host, native, Segment } from "./native.js";

/** How long the event loop may stand still while there is always another frame, in milliseconds. */
const PATIENCE = 1;

/** At least the bytes of any frame. */
const LARGEST_FRAME = 256;

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

/** Waits for the turn, while whatever the handler has begun goes on. False when there will be none. */
async function rest(): Promise<boolean> {
  await turn();
  // Only when JavaScript has nothing else to do may its thread sleep.
  if (active().length <= OWN) return shared.wait();
  return new Promise((resolve) => shared.waitBeside(resolve));
}

/** Answers frames until there will be none. */
async function serve(driver: Driver): Promise<void> {
  host.pass(ToHost.READY, Shared.number);
  let turned = performance.now();
  for (;;) {
    if (shared.spin()) {
      const now = performance.now();
      if (now - turned > PATIENCE) {
        await turn();
        turned = now;
      }
    } else {
      if (!(await rest())) return;
      turned = performance.now();
    }
    if (host.what !== ToGuest.CALL) return;
    const frame = host.frame;
    // A frame is put behind all that it points to.
    if (!memory.reach(frame + LARGEST_FRAME)) {
      throw new RangeError("this batch is larger than what Node can see of memory, 4 GiB: hand over less");
    }
    host.begin();
    const status = driver.call(frame, frame + LARGEST_FRAME);
    host.pass(ToHost.RETURNED, typeof status === "number" ? status : await status);
    // What was promised to the handler, if anything, is told.
    await undefined;
  }
}

async function main(): Promise<void> {
  const [file = "", name = ""] = process.argv.slice(-3);
  if (!shared.wait()) return;
  let driver: Driver;
  try {
    process.setSourceMapsEnabled(true);
    const of = await load(file, name);
    driver = new Driver(memory, host, make(of, file));
  } catch (thrown) {
    const kind = thrown instanceof LoadError ? thrown.kind : Refused.HANDLER_MISSING;
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    host.pass(ToHost.REFUSED, kind, host.leave(why));
    shared.wait();
    return;
  }
  await serve(driver);
}

await main();
process.exit(0);
