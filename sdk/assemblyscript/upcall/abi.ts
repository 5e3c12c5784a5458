/** The boundary, as crates/abi has it, whose test compares each number: where the fields of frames are. An address has 64 bits
 * there. */

export const ABI: u32 = 2;

export namespace Kind {
  export const OPEN: u16 = 1;
  export const FLUSH: u16 = 3;
  export const CLOSE: u16 = 4;
  export const PING: u16 = 5;
  export const DESCRIBE: u16 = 6;
  export const FLOW: u16 = 16;
  export const VERTEX: u16 = 18;
}

/** What a record of a description is about. */
export namespace About {
  export const KIND: u32 = 1;
  export const FORM: u32 = 2;
  export const VALUE: u32 = 9;
  export const NEEDS: u32 = 10;
  export const GATHER: u32 = 11;
}

/** What a frame of vertices is about. */
export namespace Phase {
  export const START: u32 = 0;
  export const UPDATE: u32 = 1;
  export const AFTER: u32 = 2;
  export const INTERVAL: u32 = 3;
}

export namespace Head {
  export const KIND: usize = 2;
  export const TEXT: usize = 40;
  export const TYPE_LEN: usize = 56;
  export const MESSAGE_LEN: usize = 60;
  export const STACK_LEN: usize = 64;
  export const ITEM: usize = 68;
}

/** Any frame's. Elsewhere `SIZE` is how many bytes a struct has; this is where a frame says so of itself. */
export namespace FrameHead {
  export const size: usize = 4;
}

export namespace FlowFrame {
  export const ITEMS: usize = 80;
  export const OUT: usize = 120;
  export const DONE: usize = 152;
}

export namespace VertexFrame {
  export const PHASE: usize = 80;
  export const BLOCK: usize = 84;
  export const ITERATION: usize = 88;
  export const TOTAL: usize = 96;
  export const FIRST: usize = 104;
  export const COUNT: usize = 112;
  export const IDS: usize = 120;
  export const OWN: usize = 136;
  export const BEFORE: usize = 152;
  export const NEXT: usize = 168;
  export const OUT_DEGREES: usize = 184;
  export const SHOWN: usize = 200;
  export const INCOMING: usize = 216;
  export const OUTGOING: usize = 312;
  export const GATHERED: usize = 408;
  export const TALLIES: usize = 424;
  export const WOKEN: usize = 440;
  export const WAKES: usize = 456;
  export const UPDATED: usize = 464;
  export const SCHEDULED: usize = 472;
  export const RESIDUAL: usize = 480;
  export const ENDED: usize = 488;
  export const NEXT_VALUES: usize = 496;
  export const INTERVAL_FIRST: usize = 512;
  export const INTERVAL_END: usize = 520;
  export const PASS: usize = 528;
}

/** The edges of a frame's vertices in one direction. */
export namespace Edges {
  export const BEGINS: usize = 0;
  export const ENDS: usize = 16;
  export const IDS: usize = 32;
  export const AT: usize = 48;
  export const VALUES: usize = 64;
  export const PLACES: usize = 80;
}

export namespace VertexTally {
  export const SIZE: usize = 16;
  export const RESIDUAL: usize = 0;
  export const TOTAL: usize = 8;
}

export namespace VertexOpen {
  export const DIRECTED: usize = 4;
  export const VERTICES: usize = 8;
  export const EDGES: usize = 16;
}

export namespace OpenFrame {
  export const NAME: usize = 80;
  export const SETTINGS: usize = 96;
  export const ADDED: usize = 120;
  export const BATCH: usize = 136;
  export const WORKER: usize = 140;
  export const WORKERS: usize = 144;
}

export namespace Setting {
  export const SIZE: usize = 32;
  export const NAME: usize = 0;
  export const VALUE: usize = 16;
}

export namespace FlowOpen {
  export const POOLS: usize = 8;
}

export namespace PoolEntry {
  export const SIZE: usize = 48;
  export const PATH: usize = 0;
  export const ID: usize = 36;
  export const ACCESS: usize = 40;
  export const EMIT: u32 = 2;
}

export namespace Item {
  export const SIZE: usize = 64;
  export const KEY: usize = 0;
  export const VALUE: usize = 16;
  export const VERSION: usize = 32;
  export const TIME: usize = 40;
  export const POOL: usize = 48;
  export const SENDER: usize = 52;
  export const TAG: usize = 56;
}

export namespace Query {
  export const SIZE: i32 = 32;
  export const KEY: usize = 0;
  export const KEY_LEN: usize = 8;
  export const POOL: usize = 16;
  export const AS_OF: usize = 20;
  export const AT: usize = 24;
  export const NOW: u32 = 0;
}

/** Why a read was refused. */
export namespace Missing {
  export const NO_ROOM: u64 = 4;
}

export namespace Output {
  export const AT: usize = 0;
  export const END: usize = 8;
  export const CHUNK: usize = 16;
}

export namespace Record {
  export const HEAD: usize = 16;
  export const POOL: usize = 0;
  export const ITEM: usize = 4;
  export const VALUE_LEN: usize = 8;
  export const KEY_LEN: usize = 12;
}

export namespace Refusal {
  export const KIND: usize = 0;
  export const TEXT: usize = 8;
  export const ROOM: usize = 16;
  export const LEN: usize = 24;
  export const HANDLER_MISSING: u32 = 4;
  export const CONSTRUCTOR_FAILED: u32 = 5;
}

export namespace HandlerName {
  export const CLASS: usize = 24;
}

export const NO_ITEM: u32 = u32.MAX_VALUE;
export const NO_POOL: u32 = u32.MAX_VALUE - 1;

/** Where a slice in a frame is, and how long. */
// @ts-ignore: decorator
@inline
export function at(slice: usize): usize {
  return <usize>load<u64>(slice);
}

// @ts-ignore: decorator
@inline
export function length(slice: usize): usize {
  return <usize>load<u64>(slice, 8);
}

/** Where a frame of vertices has the next values of edges; 0 where it is an older engine's, which ends before them. */
export function nextValues(frame: usize): usize {
  const field = VertexFrame.NEXT_VALUES;
  return <usize>load<u32>(frame, FrameHead.size) >= field + 16 ? frame + field : 0;
}

/** Whether a frame of vertices says which interval it is about: an older engine's ends before that. */
export function tellsOfInterval(frame: usize): bool {
  return <usize>load<u32>(frame, FrameHead.size) >= VertexFrame.PASS + 8;
}

export function text(slice: usize): string {
  return String.UTF8.decodeUnsafe(at(slice), length(slice));
}

export function bytes(slice: usize): Uint8Array {
  const copy = new Uint8Array(<i32>length(slice));
  memory.copy(copy.dataStart, at(slice), length(slice));
  return copy;
}
