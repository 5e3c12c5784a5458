import { Item, at, bytes, length, text } from "./abi";

/** One object. It ends with the call. */
export class FlowObject {
  constructor(private item: usize) {}

  get key(): string {
    return text(this.item + Item.KEY);
  }

  /** The bytes of the value, copied. */
  get value(): Uint8Array {
    return bytes(this.item + Item.VALUE);
  }

  /** The value as text. */
  text(): string {
    return text(this.item + Item.VALUE);
  }

  /** The value as a number: `object.valueAs<u64>()`. Its size is asked for by `size`. */
  valueAs<T>(): T {
    assert(this.size == sizeof<T>(), "the value has not the size of the number");
    return load<T>(at(this.item + Item.VALUE));
  }

  /** Bytes of the value. */
  get size(): usize {
    return length(this.item + Item.VALUE);
  }

  /** Strictly increasing per key, unique per pool; 0 for the sample of a flow file's `warm`. */
  get version(): u64 {
    return load<u64>(this.item, Item.VERSION);
  }

  /** Nanoseconds since the Unix epoch. */
  get time(): u64 {
    return load<u64>(this.item, Item.TIME);
  }

  get pool(): u32 {
    return load<u32>(this.item, Item.POOL);
  }

  get sender(): u32 {
    return load<u32>(this.item, Item.SENDER);
  }

  /** A hash of the key: equal keys have equal ones as long as the flow runs. */
  get hash(): u64 {
    return load<u64>(this.item, Item.TAG);
  }
}
