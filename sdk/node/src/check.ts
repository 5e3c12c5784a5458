/** A program that checks whether files of TypeScript can be stripped of their types: `upcall build` runs it. */

import { readFileSync } from "node:fs";
import loader, { createRequire } from "node:module";
import { compilerOf } from "./strip.js";
import { type Typescript, stripped } from "./typescript.js";

/** Why it could not be checked, if it could not. Throws what is wrong with it. */
function check(file: string): string | undefined {
  const found = compilerOf(file);
  if ("compiler" in found) stripped(createRequire(file)(found.compiler) as Typescript, file);
  // Node 22.13 or later.
  else if (loader.stripTypeScriptTypes !== undefined) loader.stripTypeScriptTypes(readFileSync(file, "utf8"));
  else return found.wrong;
  return undefined;
}

let checked = 0;
for (const file of process.argv.slice(2)) {
  try {
    const wrong = check(file);
    if (wrong === undefined) checked += 1;
    else console.error(`${file} was not checked: ${wrong}`);
  } catch (thrown) {
    console.error(`${file}: ${String((thrown as Error).message).trimEnd()}`);
    process.exitCode = 1;
  }
}
if (checked > 0) console.error(`checked ${checked} TypeScript file${checked === 1 ? "" : "s"}`);
