// The native code that puts side by side what neighbours show.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import test from "node:test";
import { built } from "../build/find.js";

const { gather } = createRequire(import.meta.url)(built("upcall_node.node"));

/** A window: where the edges of two vertices begin, where they end, their other ends, and what four vertices show. */
function frame() {
  const window = new ArrayBuffer(128);
  new BigUint64Array(window, 0, 4).set([0n, 2n, 2n, 3n]);
  new Uint32Array(window, 32, 3).set([3, 1, 2]);
  new Float64Array(window, 64, 4).set([10, 11, 12, 13]);
  return window;
}

test("what neighbours show is put side by side", () => {
  const to = new Float64Array(5);
  gather(frame(), to.buffer, 1, 0, 16, 2, 32, 64, 4, 8);
  assert.deepEqual([...to], [0, 13, 11, 12, 0]);
});

test("a frame that points to what is not there is refused", () => {
  const wrong = [
    [0, 0, 16, 1, 32, 64, 3, 8], // the fourth vertex shows nothing
    [0, 0, 16, 100, 32, 64, 4, 8],
    [0, 120, 16, 2, 32, 64, 4, 8],
    [0, 0, 16, 1, 124, 64, 4, 8],
    [0, 0, 16, 1, 32, 100, 4, 8],
    [0, 0, 16, 1, 33, 64, 4, 8],
    [0, 0, 16, 1, 32, 64, 4, 3],
    [4, 0, 16, 1, 32, 64, 4, 8],
    [9, 0, 16, 1, 32, 64, 4, 8],
    [0, 16, 0, 1, 32, 64, 4, 8], // it ends before it begins
    [2 ** 60, 0, 16, 1, 32, 64, 4, 8],
    [0, 2 ** 63, 16, 1, 32, 64, 4, 8],
  ];
  for (const given of wrong) {
    const to = new Float64Array(5);
    assert.throws(() => gather(frame(), to.buffer, ...given), /points to what is not there/, String(given));
  }
  assert.throws(() => gather("no", new Float64Array(5).buffer, 0, 0, 16, 1, 32, 64, 4, 8), /points to what is not there/);
  assert.throws(() => gather(frame(), 5, 0, 0, 16, 1, 32, 64, 4, 8), /points to what is not there/);
});
