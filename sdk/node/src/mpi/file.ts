/** Files of all ranks: MPI-IO. */

import type { ArrayType, TypedArray } from "./arrays.js";
import type { Communicator } from "./communicator.js";
import { MpiError } from "./error.js";
import { FileAccess } from "./file-access.js";
import { communicatorOf, countOf, listOf, offsetOf, placeOf, sizeOf } from "./given.js";
import { checked, native, type NativeFile } from "./native.js";

/** How a {@link File} is opened: all ranks say the same. */
export interface FileOptions {
  /** It is to be read. */
  readonly read?: boolean;
  /** It is to be written. */
  readonly write?: boolean;
  /** It is to be written, and all pointers are at its end at first. What is written elsewhere is written there. */
  readonly append?: boolean;
  /** It is made where there is none. */
  readonly create?: boolean;
  /** It is made, and must not be there ("exists"). */
  readonly createNew?: boolean;
  /** What is in it is thrown away. */
  readonly truncate?: boolean;
  /** It is deleted when it is closed. */
  readonly deleteOnClose?: boolean;
  /** What may make it faster, as MPI's manual says: `{ striping_factor: "8" }`. What MPI does not know it ignores. */
  readonly hints?: Readonly<Record<string, string>>;
}

const FLAGS = {
  read: native.UPCALL_MPI_FILE_READ,
  write: native.UPCALL_MPI_FILE_WRITE,
  append: native.UPCALL_MPI_FILE_APPEND,
  create: native.UPCALL_MPI_FILE_CREATE,
  createNew: native.UPCALL_MPI_FILE_CREATE_NEW,
  truncate: native.UPCALL_MPI_FILE_TRUNCATE,
  deleteOnClose: native.UPCALL_MPI_FILE_DELETE_ON_CLOSE,
} as const;

/** From where a pointer is moved: the start of the view, where it is, or the file's end. */
export type From = "start" | "current" | "end";

const FROM = { start: native.UpcallMpiSeek.Start, current: native.UpcallMpiSeek.Current, end: native.UpcallMpiSeek.End };

/** The elements of a view: those of a type of arrays, or of so many bytes. */
export type ViewElement = Pick<ArrayType<TypedArray>, "name" | "BYTES_PER_ELEMENT"> | number;

/**
 * A file that the ranks of a communicator have opened together.
 *
 * ```js
 * const file = File.open(world, "numbers", { read: true, write: true, create: true });
 * file.viewBlocks(Float64Array, 0, 100); // rank 0 has the first 100, rank 1 the next, and so on, round and round
 * file.writeAtAll(mine, 0);
 * file.close();
 * ```
 *
 * Offsets count the elements of the view, which are bytes until `view` or one of its kin says otherwise; a rank's view may be a part
 * of the file, and differ from the others'. What one rank writes is seen by another when both have called `sync`, the first after
 * writing and the other before reading, or when the file is `atomic`.
 *
 * What is collective is called by all ranks, in one order. Closing is: a file that is forgotten stays open until MPI is finalized,
 * which closes it; and a rank that leaves the scope of `using file` by an exception waits for the others there. Calls on a closed
 * one are `MpiError`s ("lifecycle").
 */
export class File extends FileAccess {
  private constructor(
    native: NativeFile,
    /** Its path, as it was opened. */
    readonly path: string,
  ) {
    super(native);
  }

  /**
   * Opens a file, to read where nothing else is said. Collective. Throws an `MpiError`: "not found", "exists", "access", "usage"
   * where what is said contradicts itself.
   */
  static open(comm: Communicator, path: string, options: FileOptions = { read: true }): File {
    const flags = Object.entries(FLAGS) as [keyof typeof FLAGS, number][];
    const how = flags.reduce((sum, [name, flag]) => (options[name] ? sum | flag : sum), 0);
    const hints = Object.entries(options.hints ?? {}).map(([name, value]) => `${name}=${value}`).join("\n");
    return new File(checked(() => communicatorOf(comm, "open a file").file_open(path, how, hints)), path);
  }

  /** Opens a file to write, without what may be in it. Collective. */
  static create(comm: Communicator, path: string): File {
    return File.open(comm, path, { write: true, create: true, truncate: true });
  }

  /** Deletes a file: one rank does that, when none has it open. */
  static delete(comm: Communicator, path: string): void {
    checked(() => communicatorOf(comm, "delete a file").file_delete(path));
  }

  /** Its bytes. */
  get size(): number {
    return Number(checked(() => this.native.size()));
  }

  /** Makes it as large: what is behind is cut off, what is new is zero. Collective. */
  setSize(bytes: number): void {
    const size = placeOf(bytes, "set the size of a file", "bytes");
    checked(() => this.native.set_size(size));
  }

  /** Takes room for so many bytes, so that writing them does not find the disk full; a larger file stays as it is. Collective. */
  preallocate(bytes: number): void {
    const size = placeOf(bytes, "take room for a file", "bytes");
    checked(() => this.native.preallocate(size));
  }

  /** Brings what was written to the disk, and what others have brought there to this rank's eyes. Collective. */
  sync(): void {
    checked(() => this.native.sync());
  }

  /** Whether each read and write is done at once, as others see it, without `sync`. Off at first. */
  get atomic(): boolean {
    return checked(() => this.native.is_atomic());
  }

  /** Says whether they are. Collective. */
  setAtomic(atomic: boolean): void {
    checked(() => this.native.set_atomic(atomic));
  }

  /** The hints in use, by name: what MPI has made of those that it was opened with, and its own. */
  get hints(): Record<string, string> {
    const lines = checked(() => this.native.hints()).split("\n").filter((line) => line.includes("="));
    return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
  }

  /** Moves this rank's pointer: where it is then, in elements of the view. */
  seek(offset: number, from: From = "start"): number {
    return this.sought(offset, from, false);
  }

  /** Moves the pointer that all ranks have. Collective. */
  seekShared(offset: number, from: From = "start"): number {
    return this.sought(offset, from, true);
  }

  private sought(offset: number, from: From, shared: boolean): number {
    const to = offsetOf(offset, `seek in ${this.path}`, "offset");
    if (!Object.hasOwn(FROM, from)) throw new MpiError("usage", `seek in ${this.path}: from ${String(from)}; it is start, current or end`);
    return Number(checked(() => this.native.seek(to, FROM[from], shared)));
  }

  /** Where this rank's pointer is, in elements of the view. */
  get position(): number {
    return Number(checked(() => this.native.position(false)));
  }

  /** Where the pointer is that all ranks have. */
  get positionShared(): number {
    return Number(checked(() => this.native.position(true)));
  }

  /**
   * Sees the file as elements, from a place in bytes on: offsets count these, and pointers are at the start. Collective, as all views
   * are; what is wrong on one rank is an error on all.
   */
  view(of: ViewElement, place = 0): void {
    const [size, at] = [elementOf(of), placeOf(place, SEE, "place")];
    checked(() => this.native.view(size, at));
  }

  /**
   * Shares the file out in blocks of so many elements, from a place in bytes on: the first is rank 0's, the next rank 1's, and behind
   * that of the last rank comes rank 0's next. Each rank sees its own, side by side.
   */
  viewBlocks(of: ViewElement, place: number, block: number): void {
    const [size, at, each] = [elementOf(of), placeOf(place, SEE, "place"), placeOf(block, SEE, "block")];
    checked(() => this.native.view_blocks(size, at, each));
  }

  /**
   * Sees, from a place in bytes on, `block` of each `stride` elements, of which it skips `first`: `(0, 2, 1, 10)` sees column 2 of a
   * table with 10. Each rank says what it sees itself.
   */
  viewStrided(of: ViewElement, place: number, first: number, block: number, stride: number): void {
    const [size, at, skipped] = [elementOf(of), placeOf(place, SEE, "place"), placeOf(first, SEE, "first")];
    const [each, next] = [placeOf(block, SEE, "block"), placeOf(stride, SEE, "stride")];
    checked(() => this.native.view_strided(size, at, skipped, each, next));
  }

  /**
   * Sees a part of an array that lies in the file, from a place in bytes on, its last index next to each other: the sizes of the
   * array, those of what this rank sees, and where that begins.
   */
  viewSubarray(
    of: ViewElement, place: number, sizes: readonly number[], part: readonly number[], starts: readonly number[],
  ): void {
    const [size, at] = [elementOf(of), placeOf(place, SEE, "place")];
    const [all, some, from] = [placesOf(sizes, "sizes"), placesOf(part, "part"), placesOf(starts, "starts")];
    checked(() => this.native.view_subarray(size, at, all, some, from));
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

const SEE = "see a part of a file";

function elementOf(of: ViewElement): number {
  return typeof of === "number" ? countOf(of, SEE, "of") : sizeOf(of as ArrayType<TypedArray>, SEE);
}

function placesOf(numbers: readonly number[], name: string): BigUint64Array {
  return BigUint64Array.from(listOf(numbers, SEE, name, (number, name) => placeOf(number, SEE, name)));
}
