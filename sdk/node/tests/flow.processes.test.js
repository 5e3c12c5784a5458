import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { Flow } from "upcall/flow";

test("an isolated handler in Python has its process, and of the environment what it is to have", async () => {
  const folder = mkdtempSync(join(tmpdir(), "upcall-"));
  process.env["UPCALL_TEST_KEPT"] = "kept";
  process.env["UPCALL_TEST_LEFT"] = "left";
  try {
    writeFileSync(join(folder, "handlers.py"), `
import os

class Asked:
    def on_object(self, object, emit):
        emit(object.key, os.environb.get(object.key, b"not there"))
`);
    writeFileSync(join(folder, "flow.toml"), `
[pool."/in"]
kind = "trigger"
[pool."/out"]
[[handler]]
name = "asked"
on = "/in"
to = "/out"
python = "handlers.py"
class = "Asked"
isolation = "process"
env = ["UPCALL_TEST_KEPT"]
`);
    const flow = await Flow.fromFile(join(folder, "flow.toml")).start();
    const names = ["PATH", "UPCALL_TEST_KEPT", "UPCALL_TEST_LEFT"];
    for (const name of names) await flow.pool("/in").put(name, "");
    await flow.drain();
    const found = names.map((name) => flow.pool("/out").get(name).text());
    assert.deepEqual(found, [process.env["PATH"], "kept", "not there"]);
    await flow.close();
  } finally {
    delete process.env["UPCALL_TEST_KEPT"];
    delete process.env["UPCALL_TEST_LEFT"];
    rmSync(folder, { recursive: true });
  }
});

test("a handler in JavaScript runs in this program, but for one whose flow's file says otherwise", async () => {
  const folder = mkdtempSync(join(tmpdir(), "upcall-"));
  try {
    writeFileSync(join(folder, "where.mjs"), `
export class Where {
  onObject(object, emit) {
    emit.put(object.key, String(process.pid));
  }
}
`);
    for (const line of ["", 'isolation = "process"', "workers = 1"]) {
      writeFileSync(join(folder, "flow.toml"), `
[pool."/in"]
[pool."/out"]
[[handler]]
name = "where"
on = "/in"
to = "/out"
node = "where.mjs"
class = "Where"
${line}
`);
      const flow = await Flow.fromFile(join(folder, "flow.toml")).start();
      await flow.pool("/in").put("k", "");
      await flow.drain();
      const there = flow.pool("/out").get("k").text();
      assert.equal(there === String(process.pid), line === "", line);
      await flow.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
