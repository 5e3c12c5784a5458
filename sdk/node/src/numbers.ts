/** The number types of pools and arrays. */

import { told } from "./told.js";

/** A number as a pool holds it: 64-bit integers are bigints when they are read. */
export type Numeric = number | bigint;

/** Memory that numbers are in. */
export interface Viewed {
  readonly view: DataView;
}

export interface NumberType {
  readonly name: string;
  readonly bytes: number;
  /** A view of so many of them. */
  readonly array: new (buffer: ArrayBuffer, offset?: number, length?: number) => NumberArray;
  read(memory: Viewed, at: number): Numeric;
  /** Writes a value. Returns false, and writes nothing, where the type has no such value. */
  write(memory: Viewed, at: number, value: Numeric): boolean;
}

export type NumberArray =
  | Int8Array | Int16Array | Int32Array | BigInt64Array | Uint8Array | Uint16Array | Uint32Array | BigUint64Array
  | Float32Array | Float64Array;

type Form = readonly [name: string, bits: number, array: NumberType["array"], least: number, most: number];

const FORMS: readonly Form[] = [
  ["i8", 8, Int8Array, -(2 ** 7), 2 ** 7 - 1],
  ["i16", 16, Int16Array, -(2 ** 15), 2 ** 15 - 1],
  ["i32", 32, Int32Array, -(2 ** 31), 2 ** 31 - 1],
  ["i64", 64, BigInt64Array, -(2 ** 63), 2 ** 63],
  ["u8", 8, Uint8Array, 0, 2 ** 8 - 1],
  ["u16", 16, Uint16Array, 0, 2 ** 16 - 1],
  ["u32", 32, Uint32Array, 0, 2 ** 32 - 1],
  ["u64", 64, BigUint64Array, 0, 2 ** 64],
  ["f32", 32, Float32Array, -Infinity, Infinity],
  ["f64", 64, Float64Array, -Infinity, Infinity],
];

export const NUMBERS: ReadonlyMap<string, NumberType> = new Map(FORMS.map((form) => [form[0], numbers(form)]));

function numbers([name, bits, array, least, most]: Form): NumberType {
  const bytes = bits / 8;
  switch (name) {
    case "f32":
      return {
        name, bytes, array,
        read: (memory, at) => memory.view.getFloat32(at, true),
        write: (memory, at, value) => {
          const number = Number(value);
          // What is finite stays so.
          if (!Number.isFinite(Math.fround(number)) && (typeof value === "bigint" || Number.isFinite(number))) return false;
          memory.view.setFloat32(at, number, true);
          return true;
        },
      };
    case "f64":
      return {
        name, bytes, array,
        read: (memory, at) => memory.view.getFloat64(at, true),
        write: (memory, at, value) => {
          const number = Number(value);
          if (typeof value === "bigint" && !Number.isFinite(number)) return false;
          memory.view.setFloat64(at, number, true);
          return true;
        },
      };
    case "i64":
    case "u64":
      return {
        name, bytes, array,
        read: (memory, at) => (name === "i64" ? memory.view.getBigInt64(at, true) : memory.view.getBigUint64(at, true)),
        write: (memory, at, value) => {
          // The common case makes no bigint.
          if (typeof value === "number" && value >= 0 && Number.isSafeInteger(value)) {
            memory.view.setUint32(at, value, true);
            memory.view.setUint32(at + 4, value / 2 ** 32, true);
            return true;
          }
          if (typeof value === "number" && !Number.isSafeInteger(value)) return false;
          const whole = BigInt(value);
          const cut = name === "i64" ? BigInt.asIntN(64, whole) : BigInt.asUintN(64, whole);
          if (cut !== whole) return false;
          memory.view.setBigUint64(at, BigInt.asUintN(64, whole), true);
          return true;
        },
      };
    default: {
      const signed = name.startsWith("i");
      return {
        name, bytes, array,
        read: ({ view }, at) => {
          if (bits === 8) return signed ? view.getInt8(at) : view.getUint8(at);
          if (bits === 16) return signed ? view.getInt16(at, true) : view.getUint16(at, true);
          return signed ? view.getInt32(at, true) : view.getUint32(at, true);
        },
        write: ({ view }, at, value) => {
          const number = Number(value);
          if (!Number.isInteger(number) || number < least || number > most) return false;
          if (bits === 8) view.setUint8(at, number);
          else if (bits === 16) view.setUint16(at, number, true);
          else view.setUint32(at, number, true);
          return true;
        },
      };
    }
  }
}

/** What is told of a value that a type does not have. */
export function misfit(value: Numeric, { name }: NumberType): string {
  return `${value} is not a value of the type ${name}`;
}

/** What is told of text where values of another type are. */
export function unlike(value: string, valueType: string): string {
  return `its values are ${valueType}, and this is ${told(value)}: give ${NUMBERS.has(valueType) ? "a number" : "the bytes of one"}`;
}
