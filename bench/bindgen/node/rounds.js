"use strict";
// Rounds of calls, the variants in turns.

const { now } = require(process.env.UPCALL_BENCH_BY_HAND);

const ROUNDS = 25;
const NANOS = 20e6;

function time(calls, count) {
  const start = now();
  calls(count);
  return now() - start;
}

/** How many calls make a round, once the compiler has seen the code often enough to compile it for good. */
function enough(calls) {
  for (let run = 0; run < 200; run++) calls(200);
  let count = 1000;
  for (;;) {
    const taken = time(calls, count);
    if (taken > NANOS / 4) return Math.ceil((count * NANOS) / taken);
    count *= 2;
  }
}

/** Prints a line for each variant: case, variant, and nanoseconds in each round, of which each call makes so many. */
function measure(name, variants, inOne = 1) {
  const measured = variants.map(([label, calls]) => ({ label, calls, count: enough(calls), rounds: [] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { calls, count, rounds } of measured) rounds.push(time(calls, count) / (count * inOne));
  }
  for (const { label, rounds } of measured) {
    console.log([name, label, rounds.map((nanos) => nanos.toFixed(2)).join(" ")].join("\t"));
  }
}

module.exports = { measure };
