/** MPI's functions, as `upcall bindgen` binds them: what is used of them. */

import { bindings } from "../find.js";
import { closed, MpiError, type MpiErrorKind } from "./error.js";

interface Handle {
  release(): void;
}

/** Bytes of the library's, until they are released. */
export interface Owned extends Handle {
  readonly array: Uint8Array;
}

export interface NativeStatus {
  readonly source: number;
  readonly tag_: number;
  readonly bytes: bigint;
  readonly cancelled: bigint;
}

export interface NativeMessage extends Handle {
  status(status: NativeStatus): void;
  receive_into(into: Uint8Array): void;
}

export interface NativeRequest extends Handle {
  wait(status: NativeStatus): void;
  test(status: NativeStatus): boolean;
  cancel(): void;
  copy(into: Uint8Array): bigint;
  start(): void;
  is_active(): boolean;
  write(data: Uint8Array): void;
}

export interface NativePartitions extends Handle {
  start(): void;
  has_arrived(partition: number): boolean;
  wait(): void;
  is_active(): boolean;
  write(partition: number, data: Uint8Array): void;
  copy(partition: number, into: Uint8Array): boolean;
}

export interface NativeSendBuffer extends Handle {
  used(): bigint;
  detach(): void;
}

export type NativeOperation = Handle;
export type NativeCombining = Handle;

/** A place in memory. */
export interface NativeMemory {
  readonly address: bigint;
  readonly bytes: bigint;
}

export interface NativeBuffer extends Handle {
  memory(memory: NativeMemory): void;
  has_huge_pages(): boolean;
}

export interface NativeExposure extends Handle {
  wait(): void;
  test(): boolean;
}

export interface NativeWindow extends Handle {
  rank(): number;
  size(): number;
  length_(rank: number): bigint;
  is_unified(): boolean;
  fence(): NativeEpoch;
  access(ranks: Int32Array): NativeEpoch;
  expose(ranks: Int32Array): NativeExposure;
  lock(lock: number, rank: number): NativeEpoch;
  lock_all(): NativeEpoch;
  memory_of(rank: number): NativeEpoch;
  together(): NativeEpoch;
  free(): void;
}

/** An address of memory that JavaScript has. */
type Address = number;
type Keep = () => void;

export interface NativeEpoch extends Handle {
  put(data: Uint8Array, to: number, at: bigint): void;
  get_lent(address: Address, bytes: number, from: number, at: bigint, keep: Keep): void;
  fetch(into: Uint8Array, from: number, at: bigint): void;
  accumulate(data: Uint8Array, to: number, at: bigint, by: NativeCombining): void;
  get_accumulate_lent(
    data: Uint8Array, before: Address, bytes: number, to: number, at: bigint, by: NativeCombining, keep: Keep,
  ): void;
  fetch_and_accumulate(data: Uint8Array, before: Uint8Array, to: number, at: bigint, by: NativeCombining): void;
  fetch_and_op(value: Uint8Array, before: Uint8Array, to: number, at: bigint, by: NativeCombining): void;
  fetch_and_op_lent(
    value: Uint8Array, before: Address, bytes: number, to: number, at: bigint, by: NativeCombining, keep: Keep,
  ): void;
  compare_and_swap(
    expected: Uint8Array, value: Uint8Array, before: Uint8Array, to: number, at: bigint, of: NativeCombining,
  ): void;
  compare_and_swap_lent(
    expected: Uint8Array, value: Uint8Array, before: Address, bytes: number, to: number, at: bigint, of: NativeCombining,
    keep: Keep,
  ): void;
  start_put(data: Uint8Array, to: number, at: bigint): NativeRequest;
  start_get(bytes: number, from: number, at: bigint): NativeRequest;
  start_accumulate(data: Uint8Array, to: number, at: bigint, by: NativeCombining): NativeRequest;
  flush(rank: number, local: boolean): void;
  memory(rank: number, memory: NativeMemory): void;
  has_ended(): boolean;
  end(): void;
}

/** Numbers of the library's, until they are released. */
export interface OwnedNumbers extends Handle {
  readonly array: Int32Array;
}

export interface NativeGroup extends Handle {
  rank(): number;
  size(): number;
  union(other: NativeGroup): NativeGroup;
  intersection(other: NativeGroup): NativeGroup;
  difference(other: NativeGroup): NativeGroup;
  include(ranks: Int32Array): NativeGroup;
  exclude(ranks: Int32Array): NativeGroup;
  include_ranges(ranges: Int32Array): NativeGroup;
  exclude_ranges(ranges: Int32Array): NativeGroup;
  translate(ranks: Int32Array, other: NativeGroup): OwnedNumbers;
  compare(other: NativeGroup): number;
}

export interface NativeFile extends Handle {
  close(): void;
  size(): bigint;
  set_size(bytes: bigint): void;
  preallocate(bytes: bigint): void;
  sync(): void;
  set_atomic(atomic: boolean): void;
  is_atomic(): boolean;
  hints(): string;
  seek(offset: bigint, from: number, shared: boolean): bigint;
  position(shared: boolean): bigint;
  read(into: Uint8Array, element: number, place: number, offset: bigint): bigint;
  write(data: Uint8Array, place: number, offset: bigint): void;
  start_read_at(bytes: number, element: number, offset: bigint): NativeRequest;
  start_write_at(data: Uint8Array, offset: bigint): NativeRequest;
  view(element: number, place: bigint): void;
  view_blocks(element: number, place: bigint, block: bigint): void;
  view_strided(element: number, place: bigint, first: bigint, block: bigint, stride: bigint): void;
  view_subarray(element: number, place: bigint, sizes: BigUint64Array, part: BigUint64Array, starts: BigUint64Array): void;
}

export type NativeKey = Handle;

export type NativePublished = Handle;

export interface NativePort extends Handle {
  name_(): string;
  publish(service: string): NativePublished;
}

export interface NativePrograms extends Handle {
  add(path: string, processes: number): void;
  argument(argument: string): void;
  directory(directory: string): void;
  host(host: string): void;
  info(name: string, value: string): void;
}

export interface NativeHandler extends Handle {
  setting(name: string, value: string): void;
  isolate(): void;
  operation(element: string, size: number): NativeOperation;
}

export interface NativeElementType extends Handle {
  field(name: string, type: string, offset: number, size: number): void;
}

export interface NativeDatatype extends Handle {
  extent(): number;
}

export interface NativeExactSum extends Handle {
  add(number: number): void;
  add_all(data: Uint8Array): void;
  merge(other: NativeExactSum): void;
  value(): number;
  all_reduce(comm: NativeCommunicator): void;
}

export interface NativeChecked extends Handle {
  is_on(): boolean;
  send(data: Uint8Array, of: NativeElementType, to: number, tag: number): void;
  receive(of: NativeElementType, from: number, tag: number, status: NativeStatus): Owned;
  receive_into(into: Uint8Array, of: NativeElementType, from: number, tag: number, status: NativeStatus): void;
  send_receive(
    data: Uint8Array, of: NativeElementType, to: number, sendTag: number,
    into: Uint8Array, intoOf: NativeElementType, from: number, receiveTag: number, status: NativeStatus,
  ): void;
  together(of: NativeElementType): NativeCommunicator;
}

export interface NativeCommunicator extends Handle {
  is_none(): boolean;
  rank(): number;
  size(): number;
  duplicate(): NativeCommunicator;
  split(color: number, key: number): NativeCommunicator;
  intercommunicator(leader: number, bridge: NativeCommunicator, remoteLeader: number, tag: number): NativeCommunicator;
  remote_size(): number;
  remote_group(): NativeGroup;
  merge(high: boolean): NativeCommunicator;
  disconnect(): void;
  spawn(programs: NativePrograms, root: number): NativeCommunicator;
  accept(port: string, root: number): NativeCommunicator;
  connect(port: string, root: number): NativeCommunicator;
  inter_broadcast(data: Uint8Array, root: number): void;
  inter_broadcast_any(data: Uint8Array, valid: boolean, root: number): Owned;
  inter_gather(data: Uint8Array, into: Uint8Array, root: number): void;
  inter_gather_parts(data: Uint8Array, counts: BigUint64Array, root: number): Owned;
  inter_scatter_into(data: Uint8Array, into: Uint8Array, root: number): void;
  inter_scatter_parts(data: Uint8Array, counts: BigUint64Array, root: number): Owned;
  inter_all_gather(data: Uint8Array, into: Uint8Array): void;
  inter_all_gather_parts(data: Uint8Array, counts: BigUint64Array): Owned;
  inter_all_to_all(data: Uint8Array, into: Uint8Array, element: number): void;
  inter_all_to_all_parts(data: Uint8Array, counts: BigUint64Array, received: BigUint64Array): Owned;
  inter_reduce(data: Uint8Array, into: Uint8Array, operation: NativeOperation, root: number): void;
  inter_all_reduce(data: Uint8Array, into: Uint8Array, operation: NativeOperation): void;
  set_value(key: NativeKey, number: bigint, released: () => void): void;
  value(key: NativeKey): bigint;
  remove_value(key: NativeKey): boolean;
  revoke(): void;
  is_revoked(): boolean;
  shrink(): NativeCommunicator;
  agree(flags: number): number;
  acknowledge_failures(): void;
  acknowledged_failures(): NativeGroup;
  failed_ranks(): Handle & { readonly array: Int32Array };
  largest_tag(): number;
  group(): NativeGroup;
  create(group: NativeGroup): NativeCommunicator;
  create_group(group: NativeGroup, tag: number): NativeCommunicator;
  split_shared_memory(key: number): NativeCommunicator;
  compare(other: NativeCommunicator): number;
  name_(): string;
  set_name(name: string): void;
  dimensions(sizes: Int32Array): void;
  cartesian(sizes: Int32Array, periodic: Uint8Array, reorder: boolean): NativeCommunicator;
  cartesian_sizes(): OwnedNumbers;
  cartesian_periodic(): Owned;
  cartesian_coordinates(of: number): OwnedNumbers;
  cartesian_rank(coordinates: Int32Array): number;
  cartesian_shift(dimension: number, steps: number): OwnedNumbers;
  cartesian_part(kept: Uint8Array): NativeCommunicator;
  graph_adjacent(
    sources: Int32Array, sourceWeights: Uint32Array, targets: Int32Array, targetWeights: Uint32Array, reorder: boolean,
  ): NativeCommunicator;
  graph(
    sources: Int32Array, degrees: Int32Array, targets: Int32Array, weights: Uint32Array, reorder: boolean,
  ): NativeCommunicator;
  neighbor_sources(): OwnedNumbers;
  neighbor_targets(): OwnedNumbers;
  neighbor_all_gather(data: Uint8Array, into: Uint8Array): void;
  neighbor_all_gather_parts(data: Uint8Array, counts: BigUint64Array): Owned;
  neighbor_all_to_all(data: Uint8Array, into: Uint8Array, each: number): void;
  neighbor_all_to_all_parts(data: Uint8Array, counts: BigUint64Array, received: BigUint64Array): Owned;
  file_open(path: string, how: number, hints: string): NativeFile;
  file_delete(path: string): void;
  abort(code: number): void;
  send(data: Uint8Array, to: number, tag: number, mode: number): void;
  receive_into(into: Uint8Array, from: number, tag: number, status: NativeStatus): void;
  send_receive(
    data: Uint8Array, to: number, sendTag: number, into: Uint8Array, from: number, receiveTag: number, status: NativeStatus,
  ): void;
  probe(from: number, tag: number, wait: boolean, status: NativeStatus): boolean;
  matched(from: number, tag: number, wait: boolean, message: NativeMessage): boolean;
  start_send(data: Uint8Array, to: number, tag: number, mode: number): NativeRequest;
  start_receive(bytes: number, from: number, tag: number): NativeRequest;
  window(count: number | bigint, element: number): NativeWindow;
  shared_window(count: number | bigint, element: number): NativeWindow;
  send_init(bytes: number, to: number, tag: number, mode: number): NativeRequest;
  receive_init(bytes: number, from: number, tag: number): NativeRequest;
  partitioned_send_init(bytes: number, partitions: number, to: number, tag: number): NativePartitions;
  partitioned_receive_init(bytes: number, partitions: number, from: number, tag: number): NativePartitions;
  start_collective(
    what: number, data: Uint8Array, room: number, root: number, element: number, counts: BigUint64Array, intoCounts: BigUint64Array,
    operation: NativeOperation | null,
  ): NativeRequest;
  collective_init(
    what: number, bytes: number, room: number, root: number, element: number, counts: BigUint64Array, intoCounts: BigUint64Array,
    operation: NativeOperation | null,
  ): NativeRequest;
  barrier(): void;
  broadcast(data: Uint8Array, root: number): void;
  broadcast_any(data: Uint8Array, valid: boolean, root: number): Owned;
  gather(data: Uint8Array, into: Uint8Array, root: number): void;
  all_gather(data: Uint8Array, into: Uint8Array): void;
  scatter_into(data: Uint8Array, into: Uint8Array, root: number): void;
  scatter(data: Uint8Array, element: number, root: number): Owned;
  all_to_all(data: Uint8Array, into: Uint8Array, element: number): void;
  gather_parts(data: Uint8Array, counts: BigUint64Array, root: number): Owned;
  all_gather_parts(data: Uint8Array, counts: BigUint64Array): Owned;
  scatter_parts(data: Uint8Array, counts: BigUint64Array, root: number): Owned;
  all_to_all_parts(data: Uint8Array, counts: BigUint64Array, received: BigUint64Array): Owned;
  reduce(data: Uint8Array, into: Uint8Array, operation: NativeOperation, root: number): void;
  all_reduce(data: Uint8Array, into: Uint8Array, operation: NativeOperation): void;
  all_reduce_in_place(data: Uint8Array, operation: NativeOperation): void;
  reduce_scatter(data: Uint8Array, into: Uint8Array, counts: BigUint64Array, operation: NativeOperation): void;
  scan(data: Uint8Array, into: Uint8Array, operation: NativeOperation): void;
  exclusive_scan(data: Uint8Array, into: Uint8Array, operation: NativeOperation): void;
  reduce_by(
    what: number, data: Uint8Array, into: Uint8Array, root: number, element: number, commutes: boolean,
    combine: (from: Uint8Array, into: Uint8Array) => number,
  ): void;
  all_reduce_reproducible(data: Uint8Array, into: Uint8Array, of: number): void;
  reduce_reproducible(data: Uint8Array, into: Uint8Array, of: number, root: number): void;
  sum_reproducible(data: Uint8Array, of: number): number;
  checked(wanted: boolean): NativeChecked;
  send_typed(data: Uint8Array, of: NativeDatatype, to: number, tag: number): void;
  receive_typed(of: NativeDatatype, from: number, tag: number, status: NativeStatus): Owned;
  receive_typed_into(into: Uint8Array, of: NativeDatatype, from: number, tag: number, status: NativeStatus): bigint;
  broadcast_typed(data: Uint8Array, of: NativeDatatype, root: number): void;
}

export interface NativeEnvironment extends Handle {
  finish(): void;
  world(): NativeCommunicator;
  own(): NativeCommunicator;
  parent(): NativeCommunicator;
  open_port(): NativePort;
  look_up(service: string): string;
  threads(): number;
  library(): string;
  standard(): string;
  processor(): string;
  time(): number;
  is_main_thread(): boolean;
  threads_wanted(): number;
  time_resolution(): number;
  time_is_global(): boolean;
  universe_size(): bigint;
  program_number(): bigint;
  io_rank(): number;
  host_rank(): bigint;
  has(part: number): boolean;
  attach_buffer(bytes: number): NativeSendBuffer;
}

interface Native {
  readonly UpcallMpi: { new (threads: number): NativeEnvironment; is_initialized(): boolean; is_finalized(): boolean };
  readonly UpcallMpiOperation: new (operator: string, number: string) => NativeOperation;
  readonly UpcallMpiKey: new (copied: boolean) => NativeKey;
  readonly UpcallMpiPrograms: new () => NativePrograms;
  readonly UPCALL_MPI_ROOT_HERE: number;
  readonly UPCALL_MPI_ROOT_BESIDE: number;
  readonly UpcallCombineHandler: new (guest: string, file: string, type: string) => NativeHandler;
  readonly UpcallMpiElementType: new (name: string, size: number) => NativeElementType;
  readonly UpcallMpiDatatype: new (comm: NativeCommunicator, of: NativeElementType) => NativeDatatype;
  readonly UpcallMpiExactSum: new (of: number) => NativeExactSum;
  readonly UpcallMpiReal: { readonly Single: number; readonly Double: number };
  readonly UpcallMpiMessage: new () => NativeMessage;
  readonly UpcallMpiStatus: new () => NativeStatus;
  readonly UpcallMpiBuffer: new (bytes: number) => NativeBuffer;
  readonly UpcallMpiMemory: new () => NativeMemory;
  readonly UpcallMpiCombining: new (operator: string, number: string) => NativeCombining;
  readonly UpcallMpiLock: { readonly Shared: number; readonly Exclusive: number };
  readonly UPCALL_MPI_ANY: number;
  readonly UPCALL_MPI_NONE: number;
  readonly UpcallMpiOptional: Readonly<Record<string, number>>;
  /** An array over memory that is not JavaScript's. */
  upcall_mpi_memory_view(address: bigint, bytes: bigint): Uint8Array;
  addressOf(array: Uint8Array): Address;
  readonly UpcallMpiMode: { readonly Standard: number; readonly Synchronous: number; readonly Ready: number; readonly Buffered: number };
  readonly UpcallMpiThreads: { readonly Single: number; readonly Funneled: number; readonly Serialized: number; readonly Multiple: number };
  readonly UpcallMpiPlace: {
    readonly At: number; readonly AtAll: number; readonly Pointer: number; readonly PointerAll: number;
    readonly Shared: number; readonly Ordered: number;
  };
  readonly UpcallMpiSeek: { readonly Start: number; readonly Current: number; readonly End: number };
  readonly UPCALL_MPI_FILE_READ: number;
  readonly UPCALL_MPI_FILE_WRITE: number;
  readonly UPCALL_MPI_FILE_APPEND: number;
  readonly UPCALL_MPI_FILE_CREATE: number;
  readonly UPCALL_MPI_FILE_CREATE_NEW: number;
  readonly UPCALL_MPI_FILE_TRUNCATE: number;
  readonly UPCALL_MPI_FILE_DELETE_ON_CLOSE: number;
  readonly UpcallMpiCollective: {
    readonly Barrier: number; readonly Broadcast: number; readonly Gather: number; readonly Scatter: number;
    readonly AllGather: number; readonly AllToAll: number; readonly GatherParts: number; readonly ScatterParts: number;
    readonly AllGatherParts: number; readonly AllToAllParts: number; readonly Reduce: number; readonly AllReduce: number;
    readonly ReduceScatter: number; readonly Scan: number; readonly ExclusiveScan: number;
  };
  readonly UpcallMpiReduction: {
    readonly Reduce: number; readonly AllReduce: number; readonly Scan: number; readonly ExclusiveScan: number;
  };
}

const all = bindings();
export const native = all as unknown as Native;

const KINDS = new Map<unknown, MpiErrorKind>(
  ([
    ["MISSING", "missing"],
    ["LOAD", "load"],
    ["LIFECYCLE", "lifecycle"],
    ["USAGE", "usage"],
    ["RANK", "rank"],
    ["TAG", "tag"],
    ["TRUNCATED", "truncated"],
    ["TYPE", "type"],
    ["COUNT", "count"],
    ["OPERATION", "operation"],
    ["PROCESS_FAILED", "process failed"],
    ["UNSUPPORTED", "unsupported"],
    ["RANGE", "range"],
    ["SYNCHRONIZATION", "synchronization"],
    ["NOT_FOUND", "not found"],
    ["EXISTS", "exists"],
    ["ACCESS", "access"],
    ["NO_SPACE", "no space"],
    ["IO", "io"],
    ["BUFFER", "buffer"],
    ["REVOKED", "revoked"],
    ["SPAWN", "spawn"],
    ["PORT", "port"],
    ["OTHER", "other"],
  ] as const).map(([name, kind]) => [all[`UPCALL_MPI_${name}`], kind]),
);

const NativeError = all["NativeError"] as new () => Error & { readonly code: number };

let refusal: (() => MpiError) | undefined;

/** From now on no call is made: this is thrown instead. Returns what was before. */
export function refuse(why: (() => MpiError) | undefined): (() => MpiError) | undefined {
  const before = refusal;
  refusal = why;
  return before;
}

/** Does it, and throws as an {@link MpiError} what a function of the library has failed with. */
export function checked<T>(call: () => T): T {
  if (refusal !== undefined) throw refusal();
  try {
    return call();
  } catch (thrown) {
    if (!(thrown instanceof NativeError)) throw inOurWords(thrown);
    throw new MpiError(KINDS.get(thrown.code) ?? "usage", thrown.message);
  }
}

/** What programs call what the library's functions are about. */
const CALLED: Readonly<Record<string, string>> = {
  Communicator: "a communicator",
  Message: "a message that was matched",
  Request: "a request",
  Partitions: "a message in partitions",
  SendBuffer: "a buffer for sends",
  Window: "a window",
  Epoch: "an epoch of a window",
  Exposure: "an exposure of a window",
  Group: "a group",
  File: "a file",
  Port: "a port",
  Published: "a published name",
  Checked: "a checked communicator",
  Datatype: "a datatype",
  Buffer: "a buffer",
};
const OF_A_CLASS = new RegExp(`^(?:mpi_)?(?:(?:${Object.keys(CALLED).map((name) => name.toLowerCase()).join("|")})_)?`);

/** What the bindings have thrown, which know their own names alone. */
function inOurWords(thrown: unknown): unknown {
  if (!(thrown instanceof TypeError || thrown instanceof RangeError)) return thrown;
  const released = /^the Upcall(?:Mpi)?(\w+) was released$/.exec(thrown.message)?.[1];
  if (released !== undefined) return closed(CALLED[released] ?? released);
  const argument = /^upcall_(\w+): argument (\w+?)_? (.*)$/s.exec(thrown.message);
  if (argument === null) return thrown;
  const [, of, name, why] = argument as unknown as [string, string, string, string];
  const message = `${of.replace(OF_A_CLASS, "").replaceAll("_", " ")}: \`${name}\` ${why}`;
  return thrown instanceof TypeError ? new TypeError(message) : new RangeError(message);
}
