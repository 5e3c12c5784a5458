import { Item, at, bytes, length, text } from "./abi";

/** What a read has found. It ends with the call. */
export class Found {
  constructor(private item: StaticArray<u64>) {}

  private get slice(): usize {
    return changetype<usize>(this.item) + Item.VALUE;
  }

  /** The bytes of the value, copied. */
  get value(): Uint8Array {
    return bytes(this.slice);
  }

  /** The value as text. */
  text(): string {
    return text(this.slice);
  }

  /** The value as a number: `found.valueAs<u64>()`. */
  valueAs<T>(): T {
    assert(length(this.slice) == sizeof<T>(), "the value has not the size of the number");
    return load<T>(at(this.slice));
  }

  get version(): u64 {
    return load<u64>(changetype<usize>(this.item), Item.VERSION);
  }

  /** Nanoseconds since the Unix epoch. */
  get time(): u64 {
    return load<u64>(changetype<usize>(this.item), Item.TIME);
  }
}
