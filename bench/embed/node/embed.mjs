// What a handler of a Node program costs that has loaded us: `node embed.mjs LIBRARY`. It prints rows like those of the other
// programs, one JSON object per line. A callback by napi-rs, which it is compared with, is measured by `bench/peers/napi`.

import { dlopen } from "node:process";
import { setTimeout } from "node:timers/promises";
// What Flow passes to libupcall is not public.
import { enter, give, tableOf } from "../../../sdk/node/build/embedded/program.js";
import { moduleOf } from "../../../sdk/node/build/embedded/given.js";
import { hold } from "../../../sdk/node/build/embedded/addon.js";

const loaded = { exports: {} };
dlopen(loaded, process.argv[2]);
const { start, result } = loaded.exports;

let seen = 0;

function handles(object) {
  seen += object.key.length + object.value[0];
}

class Batches {
  onBatch(batch) {
    for (const object of batch) seen += object.key.length + object.value[0];
  }
}

class Columns {
  onBatch(batch) {
    const { bytes, keyLengths, values } = batch.columns();
    let sum = 0;
    for (let index = 0; index < batch.length; index++) sum += keyLengths[index] + bytes[values[index]];
    seen += sum;
  }
}

/** Nanoseconds per object. The engine's thread calls, and this one answers meanwhile. */
async function ours(handler, batch) {
  start(tableOf(), give(enter(moduleOf(handler))), batch);
  for (;;) {
    const nanos = result();
    if (nanos !== undefined) return nanos;
    await setTimeout(100);
  }
}

function row(who, batch, nanos) {
  console.log(JSON.stringify({ language: "JavaScript", who, batch, nanos }));
}

const letGo = hold();
row("Upcall", 1, await ours(handles, 1));
row("Upcall", 1024, await ours(handles, 1024));
row("Upcall, batch handler", 1024, await ours(Batches, 1024));
row("Upcall, columns of a batch", 1024, await ours(Columns, 1024));
letGo();
if (seen === 0) throw new Error("nothing was called");
