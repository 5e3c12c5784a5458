// What a callback in JavaScript costs that an addon calls for each item: `node callbacks.mjs ADDON`. It prints rows like
// those of the other peers, one JSON object per line. `cargo xtask bench boundary` runs it.

import { dlopen } from "node:process";

const BATCHES = [1, 8, 64, 1024];
const MILLISECONDS = 400;

const addon = { exports: {} };
dlopen(addon, process.argv[2]);
const { empty, readsAndEmits } = addon.exports;

/** Nanoseconds of the fastest batch. */
function least(call) {
  let best = Infinity;
  for (const end = performance.now() + MILLISECONDS; performance.now() < end; ) best = Math.min(best, call());
  return best;
}

let seen = 0;
const answer = Buffer.alloc(16, "a");
const callbacks = {
  "N-API callback per item (napi-rs), empty": (items) => empty(items, () => {}),
  "N-API callback per item (napi-rs)": (items) =>
    readsAndEmits(items, (key, value) => {
      seen += key.length + value[0];
      return answer;
    }),
};
for (const [who, call] of Object.entries(callbacks)) {
  for (const items of BATCHES) {
    const nanos = least(() => call(items));
    console.log(JSON.stringify({
      who,
      items,
      round_trip: nanos,
      nanos: nanos / items,
      per_second: (1e9 * items) / nanos,
      per_second_of_8: null,
    }));
  }
}
if (seen === 0) throw new Error("no callback was called");
