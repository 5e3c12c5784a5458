// `upcall test` runs it by Node's own test runner, so that nothing has to be installed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Harness } from "upcall/testing";
import { Greeter } from "./greeter.mjs";

test("a name is greeted", async () => {
  const harness = new Harness(new Greeter(), { pools: ["/greetings"] });
  await harness.put("1", "Ada");
  assert.deepEqual(harness.emitted.map(({ pool, key, text }) => [pool, key, text]), [["/greetings", "1", "Hello, Ada!"]]);
});

test("a blank line fails", async () => {
  const harness = new Harness(new Greeter(), { pools: ["/greetings"] });
  await assert.rejects(harness.put("1", " "), { typeName: "Error", message: "nobody is named" });
  assert.deepEqual(harness.emitted, []);
});
