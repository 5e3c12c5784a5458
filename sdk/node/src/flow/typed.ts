/** Handlers that take and give values of a class in place of bytes. */

import { Item } from "../abi.js";
import type { Pool } from "../context.js";
import type { Memory } from "../memory.js";

/** A class whose values become bytes and come from them, as `upcall bindgen` writes it. */
export interface Packer<T = unknown> {
  /** The name of the type, as a pool declares it. */
  readonly name: string;
  pack(value: T): Uint8Array;
  /** The value that all of the bytes are. It keeps none of them. */
  unpack(bytes: Uint8Array): T;
  /** Of which values are instances. */
  readonly prototype: T;
}

/** What a class of handlers says of its values. */
interface Says {
  readonly takes?: unknown;
  readonly gives?: unknown;
}

function isPacker(given: unknown): given is Packer {
  if (typeof given !== "function") return false;
  const { name, pack, unpack } = given as Partial<Packer>;
  return name !== "" && typeof pack === "function" && typeof unpack === "function";
}

/** What a handler takes, and what it gives: one of several. */
export class Forms {
  private constructor(
    readonly takes: Packer | undefined,
    readonly gives: readonly Packer[],
  ) {}

  static readonly NONE = new Forms(undefined, []);

  /** Those of a class, or what is wrong with them. */
  static of({ takes, gives }: Says): Forms | { wrong: string } {
    const several = (Array.isArray(gives) ? gives : gives === undefined ? [] : [gives]) as readonly unknown[];
    const none = (what: string) => ({
      wrong: `its ${what} is no class with pack and unpack: give one, as upcall bindgen writes it`,
    });
    if (takes !== undefined && !isPacker(takes)) return none("takes");
    if (!several.every(isPacker)) return none("gives");
    return new Forms(takes, several);
  }

  /** Throws where a pool declares values of another type. */
  check(pools: readonly Pool[]): void {
    const { takes, gives } = this;
    const wrong = takes && pools.find((pool) => pool.watched && !agree(pool, takes));
    if (wrong !== undefined) throw disagree(wrong, "takes", [takes!]);
    const first = pools.find((pool) => pool.emits);
    if (first !== undefined && gives.length > 0 && !gives.some((form) => agree(first, form))) {
      throw disagree(first, "gives", gives);
    }
  }

  /** A value that goes to this pool as bytes. */
  pack(value: unknown, pool: Pool): Uint8Array {
    const form = this.gives.find((each) => value instanceof (each as unknown as abstract new () => unknown));
    if (form === undefined) {
      const of = typeof value === "object" && value !== null ? value.constructor.name : value === null ? "null" : typeof value;
      throw new TypeError(`emit a value of type ${of}: this handler gives ${names(this.gives)}`);
    }
    if (!agree(pool, form)) throw disagree(pool, "gives", [form]);
    return form.pack(value);
  }
}

/** The value of an item. It is read where it lies. */
export function unpacked(memory: Memory, item: number, form: Packer): unknown {
  const from = memory.u64(item + Item.value);
  try {
    return form.unpack(memory.bytes.subarray(from, from + memory.u64(item + Item.value + 8)));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`read the value of ${memory.text(item + Item.key)} as ${form.name}: ${why}`, { cause });
  }
}

function agree({ valueType }: Pool, { name }: Packer): boolean {
  return valueType === "" || valueType === name;
}

function disagree(pool: Pool, side: "takes" | "gives", forms: readonly Packer[]): Error {
  return new TypeError(
    `pool ${pool.path} has the type ${pool.valueType}, and the handler ${side} ${names(forms)}: change the pool's \`type\` or ` +
      `the handler's \`static ${side}\``,
  );
}

function names(forms: readonly Packer[]): string {
  return forms.map(({ name }) => name).join(" or ");
}
