/** MPI's functions, as `upcall bindgen` binds them: what is used of them. */

import { bindings } from "../find.js";
import { MpiError, type MpiErrorKind } from "./error.js";

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
}

export type NativeOperation = Handle;

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
  largest_tag(): number;
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
  threads(): number;
  library(): string;
  standard(): string;
  processor(): string;
  time(): number;
}

interface Native {
  readonly UpcallMpi: new (threads: number) => NativeEnvironment;
  readonly UpcallMpiOperation: new (operator: string, number: string) => NativeOperation;
  readonly UpcallCombineHandler: new (guest: string, file: string, type: string) => NativeHandler;
  readonly UpcallMpiElementType: new (name: string, size: number) => NativeElementType;
  readonly UpcallMpiDatatype: new (comm: NativeCommunicator, of: NativeElementType) => NativeDatatype;
  readonly UpcallMpiExactSum: new (of: number) => NativeExactSum;
  readonly UpcallMpiReal: { readonly Single: number; readonly Double: number };
  readonly UpcallMpiMessage: new () => NativeMessage;
  readonly UpcallMpiStatus: new () => NativeStatus;
  readonly UpcallMpiMode: { readonly Standard: number; readonly Synchronous: number; readonly Ready: number };
  readonly UpcallMpiThreads: { readonly Single: number; readonly Funneled: number; readonly Serialized: number; readonly Multiple: number };
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
    if (!(thrown instanceof NativeError)) throw thrown;
    // Others are the bindings' own: of arguments that cannot be passed.
    throw new MpiError(KINDS.get(thrown.code) ?? "usage", thrown.message);
  }
}
