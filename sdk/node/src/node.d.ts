/** What is used of Node itself; its own types are not needed for more. */

declare module "node:fs" {
  export function existsSync(path: string): boolean;
  export function readFileSync(path: string, encoding: "utf8"): string;
  export function writeSync(file: number, text: string): number;
}

declare module "node:child_process" {
  export function spawnSync(
    program: string,
    given: readonly string[],
    options: { encoding: "utf8"; stdio: readonly ["ignore", "ignore", "pipe"] },
  ): { stderr: string; status: number | null };
}

declare module "node:module" {
  export function createRequire(from: string): { (name: string): unknown; resolve(name: string): string };
  const loader: {
    readonly register?: (specifier: string, parent: string, options?: { data?: unknown }) => void;
    readonly stripTypeScriptTypes?: (text: string) => string;
  };
  export default loader;
}

declare module "node:path" {
  export function dirname(path: string): string;
  export function extname(path: string): string;
  export function join(...parts: string[]): string;
}

declare module "node:v8" {
  export function serialize(value: unknown): Buffer;
  export function deserialize(bytes: Uint8Array): unknown;
}

declare module "node:util" {
  export function inspect(value: unknown): string;
}

declare module "node:worker_threads" {
  export const isMainThread: boolean;
}

declare module "node:url" {
  export function fileURLToPath(url: string): string;
  export function pathToFileURL(path: string): { readonly href: string };
}

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
}

declare const AbortSignal: { readonly prototype: AbortSignal };

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

interface ImportMeta {
  readonly url: string;
}

declare const process: {
  readonly env: Record<string, string | undefined>;
  readonly argv: readonly string[];
  readonly execPath: string;
  readonly stdout: { write(text: string, written: () => void): boolean };
  readonly stderr: { write(text: string, written: () => void): boolean };
  readonly version: string;
  readonly features: { readonly typescript?: string | false };
  readonly execArgv: readonly string[];
  exitCode: number | undefined;
  cwd(): string;
  exit(code: number): never;
  on(event: "exit", listener: (code: number) => void): void;
  on(event: "uncaughtExceptionMonitor", listener: (thrown: unknown) => void): void;
  listenerCount(event: string): number;
  getActiveResourcesInfo(): string[];
  setSourceMapsEnabled(enabled: boolean): void;
};

declare function setImmediate(callback: () => void): void;
declare function queueMicrotask(callback: () => void): void;
declare function setTimeout(callback: () => void, milliseconds: number): object;
declare function clearTimeout(timer: object): void;
declare function structuredClone<T>(value: T, options?: { transfer: ArrayBuffer[] }): T;
declare const performance: { now(): number };

declare class TextDecoder {
  constructor(encoding?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes: Uint8Array): string;
}

declare class TextEncoder {
  encode(text: string): Uint8Array;
}

interface Buffer extends Uint8Array {
  utf8Slice(from: number, to: number): string;
  utf8Write(text: string, at: number, room: number): number;
}

declare const Buffer: {
  from(buffer: ArrayBuffer): Buffer;
  from(text: string, encoding: "base64"): Buffer;
  byteLength(text: string): number;
};

declare const console: { error(...said: unknown[]): void };

declare class URL {
  constructor(url: string, base?: string);
  readonly href: string;
}
