import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";

test("the examples of the README do what it says", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const blocks = [...readme.matchAll(/^```js\n([^]*?)^```/gm)].map(([, code]) => code);
  assert.equal(blocks.length, 6);
  // In the package's own folder it is found by its name.
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const program = `${blocks.join("\n")}\nconsole.log("done");`;
  const said = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd, encoding: "utf8" });
  assert.equal(said, "done\n");
});
