import assert from "node:assert/strict";
import test from "node:test";
import { Flow } from "upcall/flow";

/** A flow inside a handler of another flow: what it makes of the object. */
async function inner(object, emit) {
  const flow = await Flow.describe().pool("/a", { kind: "trigger" }).pool("/b")
    .on("/a", "/b", function innermost(word, found) {
      if (word.text() === "bad") throw new RangeError("not bad");
      found.put(word.key, word.text().toUpperCase());
    }).start();
  try {
    await flow.pool("/a").put("word", object.text());
    await flow.drain();
    const [letter] = flow.deadLetters("/a");
    if (letter !== undefined) throw new Error(`the inner flow: ${letter.typeName}: ${letter.message}`);
    emit.put(object.key, flow.pool("/b").get("word").text());
  } finally {
    await flow.close();
  }
}

test("an exception goes through three layers", async () => {
  const flow = await Flow.describe().pool("/in", { kind: "trigger" }).pool("/out").on("/in", "/out", inner).start();
  await flow.pool("/in").putMany([["starts", "good"], ["fails", "bad"]]);
  await flow.drain();
  const letters = flow.deadLetters("/in").map(({ key, typeName, message }) => [key, typeName, message]);
  assert.deepEqual(letters, [["fails", "Error", "the inner flow: RangeError: not bad"]]);
  assert.match(flow.deadLetters("/in")[0].stack, /inner .*flow\.nested\.test\.js:\d+/);
  assert.equal(flow.pool("/out").get("starts").text(), "GOOD");
  await flow.close();
});
