/** Handlers in any language as operations. */

import type { TypedArray } from "./arrays.js";
import { MpiError } from "./error.js";
import { checked, native, type NativeOperation } from "./native.js";
import { numberOf } from "./operation.js";

/** A handler, which is loaded when it is first used on numbers of a kind, and stays until the program ends. */
export class OfHandler {
  private readonly made = new Map<string, NativeOperation>();

  /** @internal */
  constructor(
    private readonly guest: string,
    private readonly file: string,
    private readonly type: string,
    private readonly options: HandlerOptions,
  ) {}

  /** @internal The one for arrays of this type. */
  of(array: TypedArray): NativeOperation {
    const number = numberOf(array[Symbol.toStringTag]);
    if (number === undefined) {
      throw new MpiError("usage", `reduce a ${array[Symbol.toStringTag]} by a handler: it is of no numbers that other languages have`);
    }
    let operation = this.made.get(number);
    if (operation === undefined) {
      operation = checked(() => this.loaded(number, array.BYTES_PER_ELEMENT));
      this.made.set(number, operation);
    }
    return operation;
  }

  private loaded(number: string, size: number): NativeOperation {
    const handler = new native.UpcallCombineHandler(this.guest, this.file, this.type);
    try {
      for (const [name, value] of Object.entries(this.options.settings ?? {})) handler.setting(name, value);
      if (this.options.isolated === true) handler.isolate();
      return handler.operation(number, size);
    } finally {
      handler.release();
    }
  }
}

/** What is told of a handler beside its name. */
export interface HandlerOptions {
  /** What it reads when it is opened. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether it runs in a process of its own, as those in JavaScript do always. */
  readonly isolated?: boolean;
}

/**
 * A handler that combines, in whichever language, named as a flow's file names it: its language (`native`, `csharp`, `java`,
 * `python`, `node`, `wasm`), the file that has it, relative to the current folder, and its class, or the name that it is exported
 * by. It is called once per chunk, and what it throws is the error of the reduction; whether it commutes it says itself.
 */
export function ofHandler(guest: string, file: string, type: string, options: HandlerOptions = {}): OfHandler {
  return new OfHandler(guest, file, type, options);
}
