/**
 * A hook of Node's loader, which runs on a thread of its own: strips files of TypeScript of their types, by the compiler that
 * the handler's folder has.
 */

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Compiler } from "./strip.js";

/** What is used of the compiler. */
export interface Typescript {
  readonly ScriptTarget: { readonly ES2022: number };
  readonly ModuleKind: { readonly ESNext: number };
  transpileModule(
    text: string,
    options: { fileName: string; reportDiagnostics: true; compilerOptions: object },
  ): { outputText: string; diagnostics?: readonly unknown[] };
  formatDiagnostics(diagnostics: readonly unknown[], host: object): string;
}

interface Resolved {
  readonly url: string;
}

interface Loaded {
  readonly format: string;
  readonly source: string;
  readonly shortCircuit: true;
}

let found: Compiler;
let compiler: Typescript | undefined;

export function initialize(data: Compiler): void {
  found = data;
}

/** `./helper.js` is `./helper.ts` where there is no such file, as TypeScript has it. */
export async function resolve(
  specifier: string,
  context: { parentURL?: string },
  next: (specifier: string, context: object) => Promise<Resolved>,
): Promise<Resolved> {
  const source = specifier.replace(/\.([cm]?)js$/, ".$1ts");
  if (specifier.startsWith(".") && source !== specifier && context.parentURL?.endsWith("ts") === true) {
    const place = new URL(specifier, context.parentURL).href;
    const beside = new URL(source, context.parentURL).href;
    if (!existsSync(fileURLToPath(place)) && existsSync(fileURLToPath(beside))) return next(source, context);
  }
  return next(specifier, context);
}

export async function load(
  url: string,
  context: object,
  next: (url: string, context: object) => Promise<Loaded>,
): Promise<Loaded> {
  if (!/^file:.*\.m?ts$/.test(url)) return next(url, context);
  const file = fileURLToPath(url);
  if ("wrong" in found) throw new Error(`load ${file}: ${found.wrong}`);
  compiler ??= createRequire(import.meta.url)(found.compiler) as Typescript;
  return { format: "module", source: stripped(compiler, file), shortCircuit: true };
}

/** A file without its types. */
export function stripped(compiler: Typescript, fileName: string): string {
  const compilerOptions = {
    target: compiler.ScriptTarget.ES2022,
    module: compiler.ModuleKind.ESNext,
    inlineSourceMap: true,
    inlineSources: true,
  };
  const text = readFileSync(fileName, "utf8");
  const { outputText, diagnostics = [] } = compiler.transpileModule(text, { fileName, reportDiagnostics: true, compilerOptions });
  if (diagnostics.length > 0) {
    const host = { getCurrentDirectory: () => dirname(fileName), getCanonicalFileName: (name: string) => name, getNewLine: () => "\n" };
    throw new SyntaxError(`${compiler.formatDiagnostics(diagnostics, host).trimEnd()}\n`);
  }
  return outputText;
}
