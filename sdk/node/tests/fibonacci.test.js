// The demo of GraphChi's port to JavaScript, whose updates are closures: in the simulator and in the engine.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { programs } from "./programs.js";

const example = fileURLToPath(new URL("../../../examples/graph/", import.meta.url));

test("the demo runs as its README says, in the simulator and in the engine", () => {
  const readme = readFileSync(join(example, "README.md"), "utf8");
  const [, script, printed] = /^## Inside a program\n[^]*?^```sh\n([^]*?)^```[^]*?^```text\n([^]*?)^```/m.exec(readme);
  const folder = mkdtempSync(join(tmpdir(), "upcall-fibonacci-"));
  try {
    mkdirSync(join(folder, "build"));
    mkdirSync(join(folder, "node/node_modules"), { recursive: true });
    copyFileSync(join(example, "node/fibonacci.mjs"), join(folder, "node/fibonacci.mjs"));
    // As npm installs a folder.
    const [install, ...lines] = script.split("\n");
    assert.equal(install, "(cd node && npm install)");
    symlinkSync(fileURLToPath(new URL("..", import.meta.url)), join(folder, "node/node_modules/upcall"));
    const env = { ...process.env, PATH: [programs, process.env.PATH].join(delimiter) };
    const { stdout, stderr } = spawnSync("sh", ["-ec", lines.join("\n")], { cwd: folder, env, encoding: "utf8", timeout: 60_000 });
    const said = stdout.split("\n").filter((line) => !line.startsWith("build/loop.graph: 1 vertices, 1 edges")).join("\n");
    assert.equal(said, printed.repeat(2), stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
