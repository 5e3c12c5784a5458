/** What is used of Node itself; its own types are not needed for more. */

declare module "node:fs" {
  export function existsSync(path: string): boolean;
}

declare module "node:module" {
  export function createRequire(from: string): (name: string) => unknown;
}

declare module "node:path" {
  export function dirname(path: string): string;
  export function join(...parts: string[]): string;
}

declare module "node:url" {
  export function fileURLToPath(url: string): string;
}

interface ImportMeta {
  readonly url: string;
}

declare const process: { readonly env: Record<string, string | undefined> };
