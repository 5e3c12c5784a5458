/** Memory that is not JavaScript's, as arrays. */

import { type ArrayType, type TypedArray } from "./arrays.js";
import { closed } from "./error.js";
import { bytesFor } from "./given.js";
import { checked, native, type NativeBuffer, type NativeMemory } from "./native.js";

/** An array of a type over what the library has told. */
export function viewed<A extends TypedArray>(of: ArrayType<A>, memory: NativeMemory): A {
  const bytes = native.upcall_mpi_memory_view(memory.address, memory.bytes);
  const made = of as unknown as new (buffer: ArrayBufferLike, offset: number, length: number) => A;
  if (bytes.length === 0) return new of(0);
  return new made(bytes.buffer, bytes.byteOffset, bytes.length / (of.BYTES_PER_ELEMENT ?? 1));
}

/** Who has the memory of an array: it lives as long. */
const owners = new WeakMap<ArrayBufferLike, NativeBuffer>();

/**
 * An array on huge pages of 2 MiB, which MPIs move faster than other memory: between processes of one machine 1.8 times at 64 KiB and
 * 3 times at 1 MiB. Zero at first. It is for few large arrays that are used often; MPI need not have been started.
 *
 * Its `array` goes wherever arrays go. The memory is freed by `free`, the end of `using`, or some time after nobody knows the array
 * any more. Whoever uses the array after `free` reads zeroes, or what another buffer has.
 */
export class MpiBuffer<A extends TypedArray> {
  private readonly native: NativeBuffer;
  private all: A | undefined;

  /** One of so many elements. Throws an {@link MpiError} where there is no room for them. */
  constructor(of: ArrayType<A>, length: number) {
    const bytes = bytesFor(of, length, "make a buffer", "length");
    this.native = checked(() => new native.UpcallMpiBuffer(bytes));
    this.native.memory(told);
    this.all = viewed(of, told);
    owners.set(this.all.buffer, this.native);
  }

  /** The elements. Throws where it was freed. */
  get array(): A {
    if (this.all === undefined) throw closed("a buffer");
    return this.all;
  }

  /** Whether what was written lies on huge pages: where the system has none to give it lies on ordinary ones. */
  get hasHugePages(): boolean {
    void this.array;
    return this.native.has_huge_pages();
  }

  /** Frees it. A second call does nothing. */
  free(): void {
    if (this.all === undefined) return;
    this.all = undefined;
    this.native.release();
  }

  [Symbol.dispose](): void {
    this.free();
  }
}

/** Where the library tells of memory: read before the next call. */
export const told: NativeMemory = new native.UpcallMpiMemory();
