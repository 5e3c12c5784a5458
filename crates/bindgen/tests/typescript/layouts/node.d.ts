// What the program uses of Node, whose own types are not installed.
declare module "node:fs" {
  export function readFileSync(path: string): Uint8Array<ArrayBuffer>;
}
declare const __dirname: string;
declare const console: { log(...what: unknown[]): void };
