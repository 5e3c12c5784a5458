import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The bindings of libupcall, from the build of the repository in `UPCALL_HOME` or in a folder above this file. */
export function bindings(): Readonly<Record<string, unknown>> {
  const folder = built("node/upcall-native");
  const chosen = process.env["UPCALL_LIBRARY"];
  process.env["UPCALL_LIBRARY"] = library();
  try {
    return createRequire(import.meta.url)(folder) as Readonly<Record<string, unknown>>;
  } finally {
    // Programs that are started from here find their own.
    if (chosen === undefined) delete process.env["UPCALL_LIBRARY"];
    else process.env["UPCALL_LIBRARY"] = chosen;
  }
}

/** The file of libupcall. */
export function library(): string {
  return process.env["UPCALL_LIBRARY"] || built("libupcall.so");
}

export function built(name: string): string {
  const homes = process.env["UPCALL_HOME"] === undefined ? [] : [process.env["UPCALL_HOME"]];
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    homes.push(folder);
  }
  const tried = homes.map((home) => join(home, "build", name));
  const found = tried.find((path) => existsSync(path));
  if (found === undefined) {
    throw new Error(`upcall's native part is in none of ${tried.join(", ")}: run cargo xtask build`);
  }
  return found;
}
