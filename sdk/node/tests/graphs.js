// Graphs' files, made by the command as a user makes them.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { programs } from "./programs.js";

/** Makes a graph of a list of edges. Its path. */
export function build(list, path, ...more) {
  execFileSync(join(programs, "upcall"), ["graph", "build", list, "-o", path, "--vertices", "3000", ...more], { stdio: "pipe" });
  return path;
}
