import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { launch, LAUNCHERS, program, run } from "./mpi/launch.js";
import { programs } from "./programs.js";

const shown = (launcher, ranks, { said, told, code }) => `${ranks} ranks of ${launcher}: ${code}\n${said}${told}`;

/** Each rank has come to its end. */
async function passes(launcher, ranks, given) {
  const ran = await launch(launcher, ranks, given);
  assert.equal(ran.code, 0, shown(launcher, ranks, ran));
  assert.equal(ran.said.match(/^well$/gm)?.length, ranks, shown(launcher, ranks, ran));
}

for (const launcher of LAUNCHERS) {
  test(`every operation agrees with a plain model, over ${launcher}`, async () => {
    for (const ranks of [1, 2, 3, 5]) await passes(launcher, ranks, [program("model.js"), String(ranks * 1000)]);
  });

  test(`ranks have neighbors, and files together, over ${launcher}`, async () => {
    for (const ranks of [1, 2, 3]) await passes(launcher, ranks, [program("files.js")]);
  });

  test(`what is wrong is an error that says what, over ${launcher}`, async () => {
    for (const ranks of [1, 2, 3]) await passes(launcher, ranks, ["--expose-gc", program("errors.js")]);
  });

  test(`a rank that fails ends the job, over ${launcher}`, async () => {
    for (const how of ["throws", "rejects", "disposes"]) {
      const ran = await launch(launcher, 3, [program("ends.js"), how]);
      assert.notEqual(ran.code, 0, shown(launcher, 3, ran));
      assert.match(ran.told, /rank 2: uncaught RangeError: beyond the pale/, shown(launcher, 3, ran));
    }
    const ran = await launch(launcher, 3, [program("ends.js"), "exits"]);
    assert.equal(ran.code, 3, shown(launcher, 3, ran));
  });

  test(`a rank that ends without a word finalizes MPI, over ${launcher}`, async () => {
    for (const [how, says] of [["leaves", "left"], ["catches", "caught"], ["uses", "lifecycle"]]) {
      const ran = await launch(launcher, 3, [program("ends.js"), how]);
      assert.deepEqual([ran.code, ran.said.trim().split("\n")], [0, [says, says, says]], shown(launcher, 3, ran));
    }
  });
}

test("a process that no launcher has started is one rank, alone", async () => {
  const ran = await run(process.execPath, ["--expose-gc", program("errors.js")]);
  assert.deepEqual([ran.code, ran.said], [0, "well\n"], ran.told);
});

test("where there is no MPI the module loads, and starting it says what is missing", async () => {
  const code = `
    import { Environment } from "upcall/mpi";
    try {
      Environment.start();
    } catch (error) {
      console.log(error.name, error.kind, error.message);
    }`;
  const given = ["--input-type=module", "--eval", code];
  const ran = await run(process.execPath, given, { UPCALL_MPI: "/nowhere/mpicc" }, fileURLToPath(new URL(".", import.meta.url)));
  assert.match(ran.said, /^MpiError missing .*\/nowhere\/mpicc/, ran.told);
});

test("the program with MPI that the README shows prints what it says, started as it says", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, code] = /^```js\n((?:(?!```)[^])*"upcall\/mpi"[^]*?)^```/m.exec(readme);
  const [, command, says] = /^```sh\nupcall (mpi run -n 4 node pi\.js)\n```\n\n```text\n([^]*?)```/m.exec(readme);
  const folder = mkdtempSync(join(tmpdir(), "upcall-mpi-"));
  try {
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(fileURLToPath(new URL("..", import.meta.url)), join(folder, "node_modules/upcall"));
    writeFileSync(join(folder, "pi.js"), code);
    const upcall = join(programs, "upcall");
    for (const mpi of ["openmpi", "mpich"]) {
      const ran = await run(upcall, command.replace("run", `run --mpi=${mpi}`).split(" "), {}, folder);
      assert.deepEqual([ran.code, ran.said], [0, says], ran.told);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the types of MPI are as its programs use them", () => {
  const compiler = fileURLToPath(new URL("../../../.setup/node/node_modules/typescript/bin/tsc", import.meta.url));
  const cwd = fileURLToPath(new URL("mpi", import.meta.url));
  const options = ["--ignoreConfig", "--strict", "--noEmit", "--module", "NodeNext", "--target", "ES2022", "--lib", "ES2022,ESNext.Disposable"];
  execFileSync(process.execPath, [compiler, ...options, "--typeRoots", "nowhere", "types.ts"], { cwd, stdio: "inherit" });
});
