import { Item, Missing, NO_POOL, Output, Query, Record } from "./abi";
import { Found } from "./found";
import { hostGrow, hostRead } from "./host";

/** What a handler emits and reads through, during a call. */
export class Emit {
  /** Why the object fails. */
  failure: string | null = null;

  constructor(
    private out: usize,
    private first: u32,
    public item: u32,
  ) {}

  /** Emits an object into the handler's first pool. The value is text, a number as its bytes, or a `Uint8Array`. */
  put<V>(key: string, value: V): void {
    this.putTo<V>(this.first, key, value);
  }

  /** The same into another pool, by its number. */
  putTo<V>(pool: u32, key: string, value: V): void {
    if (pool == NO_POOL) return this.fail("this handler has no output pool: add one to its `to`");
    const name = String.UTF8.encode(key);
    if (isString<V>()) {
      const text = String.UTF8.encode(<string>value);
      this.write(pool, name, changetype<usize>(text), text.byteLength);
    } else if (isInteger<V>() || isFloat<V>()) {
      const place = memory.data(16);
      store<V>(place, value);
      this.write(pool, name, place, sizeof<V>());
    } else if (value instanceof Uint8Array) {
      this.write(pool, name, value.dataStart, value.byteLength);
    } else {
      ERROR("a value is a string, a number or a Uint8Array");
    }
  }

  /** Fails the object: what it has emitted does not count. The first reason is the one that is told. */
  fail(why: string): void {
    if (this.failure === null) this.failure = why;
  }

  /** The newest version of a key in a pool that the handler may read; null where there is none. A pool that it may not read
   * fails the object. */
  read(pool: u32, key: string): Found | null {
    const item = new StaticArray<u64>(<i32>Item.SIZE / 8);
    const name = String.UTF8.encode(key);
    const query = memory.data(Query.SIZE);
    store<u64>(query, changetype<usize>(name), Query.KEY);
    store<u64>(query, name.byteLength, Query.KEY_LEN);
    store<u32>(query, pool, Query.POOL);
    store<u32>(query, Query.NOW, Query.AS_OF);
    store<u64>(query, 0, Query.AT);
    if (pool == NO_POOL || hostRead(query, changetype<usize>(item)) != 0) {
      this.fail(
        load<u64>(changetype<usize>(item), Item.TAG) == Missing.NO_ROOM
          ? `read ${key}: the handler's memory has no room for it; raise its \`memory\`, or read less in one call`
          : "read a pool that this handler does not declare: add the pool to its `read`",
      );
      return null;
    }
    return load<u64>(changetype<usize>(item), Item.VERSION) == 0 ? null : new Found(item);
  }

  private write(pool: u32, key: ArrayBuffer, value: usize, valueLength: usize): void {
    const out = this.out;
    const need = (<u64>Record.HEAD + valueLength + key.byteLength + 7) & ~7;
    if (load<u64>(out, Output.END) - load<u64>(out, Output.AT) < need) {
      const place = memory.data(16, 8);
      if (hostGrow(need, place) != 0) return this.fail("the flow gives no more memory for what it emits");
      store<u64>(out, load<u64>(place), Output.AT);
      store<u64>(out, load<u64>(place, 8), Output.END);
      store<u32>(out, load<u32>(out, Output.CHUNK) + 1, Output.CHUNK);
    }
    const to = <usize>load<u64>(out, Output.AT);
    store<u32>(to, pool, Record.POOL);
    store<u32>(to, this.item, Record.ITEM);
    store<u32>(to, <u32>valueLength, Record.VALUE_LEN);
    store<u32>(to, key.byteLength, Record.KEY_LEN);
    memory.copy(to + Record.HEAD, value, valueLength);
    memory.copy(to + Record.HEAD + valueLength, changetype<usize>(key), key.byteLength);
    store<u64>(out, to + need, Output.AT);
  }
}
