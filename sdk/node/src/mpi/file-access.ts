/** Reading and writing of files. */

import { type ArrayType, bytesOf, copyOf, made, type TypedArray } from "./arrays.js";
import { closed } from "./error.js";
import { bytesFor, placeOf, sizeOf } from "./given.js";
import { Transfer } from "./messages.js";
import { checked, native, type NativeFile } from "./native.js";
import { Request } from "./request.js";

const { At, AtAll, Pointer, PointerAll, Shared, Ordered } = native.UpcallMpiPlace;

/**
 * Reading and writing. Offsets count the elements of the view. A read returns as many elements as there are before the file's end,
 * which may be none; a write that is not done in full is an error. Throws an `MpiError`: "access" where the file was not opened so,
 * "type" for what is no whole number of the view's elements, and "no space" where the disk is full.
 */
export abstract class FileAccess {
  private closed = false;

  /** @internal */
  constructor(private readonly handle: NativeFile) {}

  /** @internal The file, which is open. */
  protected get native(): NativeFile {
    if (this.closed) throw closed("a file", "it is closed");
    return this.handle;
  }

  /** Closes it, when all that was begun has ended. Collective. A second call does nothing. */
  close(): void {
    if (this.closed) return;
    checked(() => this.handle.close());
    this.closed = true;
  }

  /** Reads so many elements at an offset. */
  readAt<A extends TypedArray>(of: ArrayType<A>, offset: number, count: number): A {
    return this.fresh(of, count, At, offset);
  }

  /** The same into an array: how many there were. */
  readAtInto(into: ArrayBufferView, offset: number): number {
    return this.filled(into, At, offset);
  }

  /** Writes elements at an offset. */
  writeAt(data: ArrayBufferView, offset: number): void {
    this.written(data, At, offset);
  }

  /** Reads so many elements at an offset of each rank's own, all ranks together. Collective. */
  readAtAll<A extends TypedArray>(of: ArrayType<A>, offset: number, count: number): A {
    return this.fresh(of, count, AtAll, offset);
  }

  /** The same into an array: how many there were. */
  readAtAllInto(into: ArrayBufferView, offset: number): number {
    return this.filled(into, AtAll, offset);
  }

  /** Writes elements at an offset of each rank's own, all ranks together. Collective. */
  writeAtAll(data: ArrayBufferView, offset: number): void {
    this.written(data, AtAll, offset);
  }

  /** Reads so many elements from this rank's pointer on, and moves that behind them. */
  read<A extends TypedArray>(of: ArrayType<A>, count: number): A {
    return this.fresh(of, count, Pointer, 0);
  }

  /** The same into an array: how many there were. */
  readInto(into: ArrayBufferView): number {
    return this.filled(into, Pointer, 0);
  }

  /** Writes elements from this rank's pointer on, and moves that behind them. */
  write(data: ArrayBufferView): void {
    this.written(data, Pointer, 0);
  }

  /** Reads so many elements from this rank's pointer on, all ranks together. Collective. */
  readAll<A extends TypedArray>(of: ArrayType<A>, count: number): A {
    return this.fresh(of, count, PointerAll, 0);
  }

  /** The same into an array: how many there were. */
  readAllInto(into: ArrayBufferView): number {
    return this.filled(into, PointerAll, 0);
  }

  /** Writes elements from this rank's pointer on, all ranks together. Collective. */
  writeAll(data: ArrayBufferView): void {
    this.written(data, PointerAll, 0);
  }

  /**
   * Reads so many elements from the pointer on that all ranks have, in no order: no two ranks read the same. All ranks have the
   * same view.
   */
  readShared<A extends TypedArray>(of: ArrayType<A>, count: number): A {
    return this.fresh(of, count, Shared, 0);
  }

  /** The same into an array: how many there were. */
  readSharedInto(into: ArrayBufferView): number {
    return this.filled(into, Shared, 0);
  }

  /**
   * Writes elements from the pointer on that all ranks have, in no order: no two ranks write to the same place. All ranks have
   * the same view.
   */
  writeShared(data: ArrayBufferView): void {
    this.written(data, Shared, 0);
  }

  /** Reads so many elements from the pointer on that all ranks have, in the order of the ranks. Collective. */
  readOrdered<A extends TypedArray>(of: ArrayType<A>, count: number): A {
    return this.fresh(of, count, Ordered, 0);
  }

  /** The same into an array: how many there were. */
  readOrderedInto(into: ArrayBufferView): number {
    return this.filled(into, Ordered, 0);
  }

  /** Writes elements from the pointer on that all ranks have, in the order of the ranks. Collective. */
  writeOrdered(data: ArrayBufferView): void {
    this.written(data, Ordered, 0);
  }

  /**
   * Begins to read at most so many elements at an offset. Where all threads may call MPI it goes on in the background, else it
   * is done
   * when this returns. Closing the file waits for it.
   */
  startReadAt<A extends TypedArray>(of: ArrayType<A>, offset: number, count: number): Request<A> {
    const what = "begin to read a file";
    const [element, bytes] = [sizeOf(of, what), bytesFor(of, count, what, "count")];
    const at = placeOf(offset, what, "offset");
    const request = checked(() => this.native.start_read_at(bytes, element, at));
    return new Request(new Transfer(request, (request, status) => {
      const data = made(of, status.bytes, "read");
      request.copy(bytesOf(data, "read"));
      return data;
    }));
  }

  /** Begins to write an array at an offset, as `startReadAt` reads: a copy, so that the array may be changed at once. */
  startWriteAt(data: ArrayBufferView, offset: number): Request<void> {
    const [bytes, at] = [bytesOf(data, "begin to write"), placeOf(offset, "begin to write a file", "offset")];
    const request = checked(() => this.native.start_write_at(bytes, at));
    return new Request(new Transfer(request, () => undefined));
  }

  private fresh<A extends TypedArray>(of: ArrayType<A>, count: number, place: number, offset: number): A {
    const data = made(of, bytesFor(of, count, "read a file", "count"), "read");
    const found = this.filled(data, place, offset);
    return found === count ? data : copyOf(data, 0, found);
  }

  private filled(into: ArrayBufferView, place: number, offset: number): number {
    const [bytes, at] = [bytesOf(into, "read"), placeOf(offset, "read a file", "offset")];
    const element = (into as { readonly BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1;
    return Number(checked(() => this.native.read(bytes, element, place, at))) / element;
  }

  private written(data: ArrayBufferView, place: number, offset: number): void {
    const [bytes, at] = [bytesOf(data, "write"), placeOf(offset, "write a file", "offset")];
    checked(() => this.native.write(bytes, place, at));
  }
}
