/**
 * A hook of Node's loader, which runs on a thread of its own: strips files of TypeScript of their types, by the compiler that
 * the handler's folder has.
 */

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** What is used of the compiler. */
interface Compiler {
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

let compiler: Compiler;

export function initialize(data: { compiler: string }): void {
  compiler = createRequire(import.meta.url)(data.compiler) as Compiler;
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
  const fileName = fileURLToPath(url);
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
  return { format: "module", source: outputText, shortCircuit: true };
}
