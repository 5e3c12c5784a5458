import { FlowOpen, Kind, OpenFrame, NO_POOL, PoolEntry, Setting, VertexOpen, at, length, text } from "./abi";

/** What a handler is told when it is opened. It ends with that call. */
export class Open {
  /** Why the flow cannot start. */
  failure: string | null = null;

  constructor(private frame: usize) {}

  /** The handler's name in the flow's file. */
  get name(): string {
    return text(this.frame + OpenFrame.NAME);
  }

  /** Which of the handler's workers this is, from 0, and how many there are. */
  get worker(): u32 {
    return load<u32>(this.frame, OpenFrame.WORKER);
  }

  get workers(): u32 {
    return load<u32>(this.frame, OpenFrame.WORKERS);
  }

  /** How many vertices the graph has, of a vertex program. */
  get vertices(): u64 {
    return this.ofGraph() ? load<u64>(this.added(), VertexOpen.VERTICES) : 0;
  }

  /** How many edges it has; where they have no direction, each counts in both. */
  get edges(): u64 {
    return this.ofGraph() ? load<u64>(this.added(), VertexOpen.EDGES) : 0;
  }

  /** Whether they have a direction. */
  get directed(): bool {
    return this.ofGraph() && load<u32>(this.added(), VertexOpen.DIRECTED) != 0;
  }

  /** A setting of the flow's file; JSON text where it is not a plain value. */
  setting(name: string): string | null {
    const settings = this.frame + OpenFrame.SETTINGS;
    for (let index: usize = 0; index < length(settings); index++) {
      const setting = at(settings) + index * Setting.SIZE;
      if (text(setting + Setting.NAME) == name) return text(setting + Setting.VALUE);
    }
    return null;
  }

  /** The number of a pool that the handler watches, emits to or reads. Where it does not the flow does not start. */
  pool(path: string): u32 {
    const pools = this.pools();
    for (let index: usize = 0; index < length(pools); index++) {
      const pool = at(pools) + index * PoolEntry.SIZE;
      if (text(pool + PoolEntry.PATH) == path) return load<u32>(pool, PoolEntry.ID);
    }
    this.fail(`pool ${path} is not declared by this handler: add ${path} to its \`to\` or \`read\``);
    return NO_POOL;
  }

  /** Fails it. The first reason is the one that is told. */
  fail(why: string): void {
    if (this.failure === null) this.failure = why;
  }

  /** The first pool that may be emitted to. */
  first(): u32 {
    const pools = this.pools();
    for (let index: usize = 0; index < length(pools); index++) {
      const pool = at(pools) + index * PoolEntry.SIZE;
      if (load<u32>(pool, PoolEntry.ACCESS) & PoolEntry.EMIT) return load<u32>(pool, PoolEntry.ID);
    }
    return NO_POOL;
  }

  private pools(): usize {
    // Of a handler of another kind there are none.
    return load<u16>(this.frame, OpenFrame.BATCH) == Kind.FLOW ? this.added() + FlowOpen.POOLS : memory.data(16, 8);
  }

  private ofGraph(): bool {
    return load<u16>(this.frame, OpenFrame.BATCH) == Kind.VERTEX;
  }

  private added(): usize {
    return at(this.frame + OpenFrame.ADDED);
  }
}
