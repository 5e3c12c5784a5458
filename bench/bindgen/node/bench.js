"use strict";
// Times each function through the generated bindings and through those that people write.

const assert = require("node:assert");
const native = require(process.env.UPCALL_BENCH_BY_HAND);
const ours = require(process.env.UPCALL_BENCH_OURS);
const koffi = require("./with_koffi.js");
const { measure } = require("./rounds.js");

const byHand = {
  ...native,
  moved(body) {
    const result = new Float64Array(6);
    native.moved(body, result);
    return result;
  },
};

const text = "as many letters as a name has";
const numbers = new Float32Array(16).fill(0.5);
const body = { x: 1, y: 2, z: 3, dx: 4, dy: 5, dz: 6 };
const same = (value) => value;

const modules = [
  ["ours", ours, new ours.Body(body), same],
  ["Node-API by hand", byHand, Float64Array.of(1, 2, 3, 4, 5, 6), same],
  ["koffi", koffi, body, koffi.callback(same)],
];

for (const [label, module, value, callback] of modules) {
  const found = [module.add(2, 3), module.length(text), module.sum(numbers), module.apply(7, callback), module.checked(9)];
  assert.deepStrictEqual(found, [5, text.length, 8, 7, 9], label);
  const moved = module.moved(value);
  assert.strictEqual(moved.x ?? moved[0], 5, label);
}

/** The loop as source that differs by name: each has code of its own, which knows whom it calls. */
function loops(call) {
  return modules.map(([label, module, value, callback]) => {
    const loop = new Function(
      "module", "value", "callback", "text", "numbers",
      `/* ${label} */ let kept; return (count) => { for (let i = 0; i < count; i++) kept = ${call}; return kept; };`,
    );
    return [label, loop(module, value, callback, text, numbers)];
  });
}

measure("add", loops("module.add(i, 7)"));
measure("struct", loops("module.moved(value)"));
measure("str", loops("module.length(text)"));
measure("slice", loops("module.sum(numbers)"));
measure("callback", loops("module.apply(i, callback)"));
measure("upcall", loops("module.repeat(100, callback)"), 100);
measure("result", loops("module.checked(i)"));
