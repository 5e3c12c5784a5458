import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const blocks = [...readme.matchAll(/^```js\n([^]*?)^```/gm)].map(([, code]) => code);
const flows = blocks.filter((code) => code.includes('"upcall/flow"'));

test("the examples of the README do what it says", () => {
  const handlers = blocks.filter((code) => !flows.includes(code) && !code.includes('"upcall/mpi"'));
  assert.equal(handlers.length, 9);
  // In the package's own folder it is found by its name.
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const program = `${handlers.join("\n")}\nconsole.log("done");`;
  const said = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd, encoding: "utf8" });
  assert.equal(said, "done\n");
});

test("the program with a flow that the README begins with runs in a folder of its own, and so does the one that follows it", () => {
  assert.equal(flows.length, 2);
  const folder = mkdtempSync(join(tmpdir(), "upcall-readme-"));
  try {
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    // As npm installs a folder.
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(fileURLToPath(new URL("..", import.meta.url)), join(folder, "node_modules/upcall"));
    const says = /node words\.js[^]*?```text\n([^]*?)```/.exec(readme)[1];
    for (const [program, prints] of [[flows[0], says], [flows[1], ""]]) {
      writeFileSync(join(folder, "words.js"), program);
      const said = execFileSync(process.execPath, ["words.js"], { cwd: folder, encoding: "utf8", timeout: 30_000 });
      assert.equal(said, prints);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
