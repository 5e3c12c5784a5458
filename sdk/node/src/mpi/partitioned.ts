/** Messages whose partitions are sent as soon as they are ready. */

import { bytesOf } from "./arrays.js";
import { closed } from "./error.js";
import { countOf } from "./given.js";
import { checked, type NativePartitions } from "./native.js";

/** A message in partitions, started again and again. */
abstract class Partitioned {
  private freed = false;

  /** @internal */
  constructor(
    private readonly partitions: NativePartitions,
    private readonly array: ArrayBufferView,
    protected readonly count: number,
  ) {}

  /** Whether a round is under way. */
  get isActive(): boolean {
    return !this.freed && checked(() => this.partitions.is_active());
  }

  /** Starts a round. Throws an `MpiError` where one is under way. */
  start(): void {
    checked(() => this.native.start());
  }

  /** Frees it. A round that is under way goes on by itself. */
  free(): void {
    if (this.freed) return;
    checked(() => this.partitions.release());
    this.freed = true;
  }

  [Symbol.dispose](): void {
    this.free();
  }

  protected get native(): NativePartitions {
    if (this.freed) throw closed("a message in partitions");
    return this.partitions;
  }

  /** The bytes of a partition, in place. */
  protected part(partition: number, what: string): Uint8Array {
    if (countOf(partition, `${what} a partition`, "partition") >= this.count) {
      throw new RangeError(`${what} a partition: \`partition\` is ${partition}, and there are ${this.count}`);
    }
    const bytes = bytesOf(this.array, what);
    const each = bytes.length / this.count;
    return bytes.subarray(partition * each, (partition + 1) * each);
  }
}

/** One that is sent. */
export class PartitionedSend extends Partitioned {
  private sent = new Set<number>();

  /** Starts a round. Throws an `MpiError` where one is under way. */
  override start(): void {
    super.start();
    this.sent = new Set();
  }

  /** Sends a partition as the array has it now. */
  ready(partition: number): void {
    const bytes = this.part(partition, "send");
    checked(() => this.native.write(partition, bytes));
    this.sent.add(partition);
  }

  /** Waits until the round has ended. Partitions that are not ready go as the array has them. */
  wait(): void {
    if (this.isActive) {
      for (let partition = 0; partition < this.count; partition++) {
        if (!this.sent.has(partition)) this.ready(partition);
      }
    }
    checked(() => this.native.wait());
  }
}

/** One that is received. */
export class PartitionedReceive extends Partitioned {
  /** Whether a partition has arrived: then the array has it. */
  arrived(partition: number): boolean {
    const bytes = this.part(partition, "look at");
    return checked(() => this.native.has_arrived(partition) && this.native.copy(partition, bytes));
  }

  /** Waits until all have arrived, which the array has then. */
  wait(): void {
    checked(() => {
      this.native.wait();
      for (let partition = 0; partition < this.count; partition++) this.native.copy(partition, this.part(partition, "receive"));
    });
  }
}
