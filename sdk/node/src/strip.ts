/** Has TypeScript stripped of its types, by Node itself or by the compiler that a folder has. */

import loader, { createRequire } from "node:module";

/** From here on the compiler is a program of its own, which JavaScript cannot call. */
const WITHOUT_API = 7;
const INSTALL = "run npm install --save-dev typescript@5 there";
const NODE = "Node 22.6 or later";

/** A compiler's file; or why there is none that can be used. */
export type Compiler = { readonly compiler: string } | { readonly wrong: string };

/** Whether Node strips types by itself. Before 22.10 it does not say so. */
export function nodeStrips(): boolean {
  return Boolean(process.features.typescript) || process.execArgv.includes("--experimental-strip-types");
}

/** The compiler that a file finds. */
export function compilerOf(file: string): Compiler {
  const wrong = (what: string): Compiler => ({ wrong: `Node ${process.version} does not read TypeScript by itself: ${what}` });
  // Node before 20.6 has no hooks that could be told of a compiler.
  if (loader.register === undefined) return wrong(`install ${NODE}, or compile the file to JavaScript`);
  const from = createRequire(file);
  let version: string;
  try {
    ({ version } = from("typescript/package.json") as { version: string });
  } catch {
    return wrong(`its folder has no package typescript: ${INSTALL}, or install ${NODE}`);
  }
  if (Number.parseInt(version, 10) >= WITHOUT_API) {
    return wrong(`its folder has typescript ${version}, which is too new, as it has no API for JavaScript: ${INSTALL}, or install ${NODE}`);
  }
  return { compiler: from.resolve("typescript") };
}

/** Has files stripped from now on by this compiler; where there is none, it is said of each file of TypeScript. */
export function strip(by: Compiler): void {
  loader.register?.("./typescript.js", import.meta.url, { data: by });
}
