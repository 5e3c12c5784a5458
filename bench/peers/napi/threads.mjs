// What a callback in JavaScript costs that a native thread calls which is not the event loop's: `node threads.mjs ADDON`. It
// prints rows like those of `bench/embed`, one JSON object per line. `cargo xtask bench boundary` runs it.

import { dlopen } from "node:process";
import { setTimeout } from "node:timers/promises";

const addon = { exports: {} };
dlopen(addon, process.argv[2]);
const { fromAnotherThread, result } = addon.exports;

const WAYS = [
  ["napi-rs, another thread waits", 1],
  ["napi-rs, another thread, 1024 under way", 1024],
];

let seen = 0;
const answer = Buffer.alloc(16, "a");

/** Nanoseconds per call, of which so many are under way at a time. */
async function measured(underWay) {
  fromAnotherThread(underWay, (key, value) => {
    seen += key.length + value[0];
    return answer;
  });
  for (;;) {
    const nanos = result();
    if (nanos !== null) return nanos;
    await setTimeout(100);
  }
}

for (const [who, underWay] of WAYS) {
  const nanos = await measured(underWay);
  console.log(JSON.stringify({ language: "JavaScript", who, batch: 1, nanos }));
}
if (seen === 0) throw new Error("no callback was called");
