// Graphs' files, made by the command as a user makes them.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const target = process.env["CARGO_TARGET_DIR"] ?? fileURLToPath(new URL("../../../target", import.meta.url));

/** Makes a graph of a list of edges. Its path. */
export function build(list, path, ...more) {
  execFileSync(join(target, "release/upcall"), ["graph", "build", list, "-o", path, "--vertices", "3000", ...more], { stdio: "pipe" });
  return path;
}
