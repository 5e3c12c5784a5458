import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import { fileURLToPath } from "node:url";

const compiler = fileURLToPath(new URL("../../../.setup/node/node_modules/typescript/bin/tsc", import.meta.url));

test("handlers are typed, with no types but the package's own", () => {
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const options = ["--ignoreConfig", "--strict", "--noEmit", "--module", "NodeNext", "--target", "ES2022", "--isolatedModules", "--typeRoots", "nowhere"];
  const { stdout, status } = spawnSync(process.execPath, [compiler, ...options, "types.ts"], { cwd, encoding: "utf8" });
  assert.equal(status, 0, stdout);
});
