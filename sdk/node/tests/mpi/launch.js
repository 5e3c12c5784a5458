import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Both, which setup installs: one that is missing fails. */
export const LAUNCHERS = ["mpirun.openmpi", "mpirun.mpich"];
const cache = fileURLToPath(new URL("../../../../build/tests/mpi", import.meta.url));

/** Runs a program on so many ranks. What it said on both streams, and its exit code. */
export function launch(launcher, ranks, program, options = {}) {
  // More ranks than cores, as root.
  const open = ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--timeout", "120", "--mca", "mpi_yield_when_idle", "1"];
  const given = [...(launcher.endsWith("openmpi") ? open : []), "-n", String(ranks), process.execPath, ...program];
  return run(launcher, given, { MPIEXEC_TIMEOUT: "120", ...options.env }, options.cwd);
}

export function run(command, given, settings = {}, cwd = undefined) {
  // What a test of Node's is told by its runner is not for ranks.
  const { NODE_TEST_CONTEXT: _, UPCALL_MPI: __, ...inherited } = process.env;
  const env = { ...inherited, UPCALL_MPI_CACHE: cache, ...settings };
  return new Promise((resolve, reject) => {
    const child = spawn(command, given, { env, cwd, stdio: ["ignore", "pipe", "pipe"] });
    let [said, told] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text) => (said += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (told += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ said, told, code }));
  });
}

/** A program of this folder. */
export function program(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}
