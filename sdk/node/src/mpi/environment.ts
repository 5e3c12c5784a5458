/** MPI in this process. */

import { writeSync } from "node:fs";
import { inspect } from "node:util";
import { isMainThread } from "node:worker_threads";
import { Communicator } from "./communicator.js";
import { closed, MpiError } from "./error.js";
import { countOf } from "./given.js";
import { Intercommunicator } from "./intercommunicator.js";
import { checked, native, type NativeEnvironment, type NativeSendBuffer, refuse } from "./native.js";
import { Port } from "./port.js";
import { Any } from "./status.js";

/** Which threads may call MPI: the process has one; the one that has started it; one at a time; all, as they like. */
export type Threads = "single" | "funneled" | "serialized" | "multiple";

const THREADS: readonly Threads[] = ["single", "funneled", "serialized", "multiple"];

/**
 * A part of MPI's standard, or an extension of it, that an MPI may lack: counts of 64 bits; collectives that are prepared once; messages
 * in partitions; a send and a receive as one request; sessions (all of MPI 4); going on where a process has died (ULFM); the standard's own
 * binary interface (MPI 5).
 */
export type OptionalPart =
  | "largeCounts" | "persistentCollectives" | "partitioned" | "nonBlockingSendReceive" | "sessions" | "faultTolerance" | "standardAbi";

/** What the library has as a negative number is none. */
const number = (found: bigint): number | undefined => (found < 0n ? undefined : Number(found));

const ended = (): MpiError => new MpiError("lifecycle", "call MPI: it has been finalized");

/** The room for buffered sends, until it is detached. One that is forgotten stays until another is attached. */
export class SendBuffer {
  private detached = false;

  /** @internal */
  constructor(private readonly native: NativeSendBuffer) {}

  /** How many bytes are under way. */
  get used(): number {
    if (this.detached) throw closed("a buffer for sends", "it was detached");
    return Number(checked(() => this.native.used()));
  }

  /** Waits until all that was sent by it has left, and takes it away. A second call does nothing. */
  detach(): void {
    if (this.detached) return;
    checked(() => this.native.detach());
    this.detached = true;
  }

  [Symbol.dispose](): void {
    this.detach();
  }
}

/**
 * MPI, from when it is started until it is finished: one per process, and only once.
 *
 * Calls wait on the thread that makes them, as programs with MPI expect, and nothing else runs there meanwhile; `Request`s can be
 * awaited instead. A process whose program ends without `finish` finalizes MPI at its exit. One that ends by an exception that
 * nobody catches, or by another exit code than 0, ends all processes of the job, which would wait for it for ever.
 */
export class Environment {
  private static only: Environment | undefined;
  private starters: Intercommunicator | null | undefined;
  private state: "running" | "leaving" | "finished" = "running";

  /** All processes of the job. */
  readonly world: Communicator;
  /** This process alone. */
  readonly self: Communicator;
  /** What the MPI calls itself: `Open MPI v4.1.4, …`. */
  readonly library: string;
  /** The version of MPI's standard that it has: `3.1`. */
  readonly standard: string;
  /** Which threads may call MPI, which may be less than what was asked for. */
  readonly threads: Threads;

  private constructor(private readonly native: NativeEnvironment) {
    this.world = new Communicator(native.world());
    this.self = new Communicator(native.own());
    this.library = native.library();
    this.standard = native.standard();
    this.threads = THREADS[native.threads()]!;
  }

  /**
   * Starts the MPI whose launcher has started this process, or the machine's own where none has. On the main thread. Throws an
   * {@link MpiError} where there is none, or it does not start, or was started before.
   */
  static start({ threads = "funneled" }: { readonly threads?: Threads } = {}): Environment {
    const wanted = THREADS.indexOf(threads);
    if (wanted < 0) throw new TypeError(`start MPI: there is no thread level ${threads}; there are ${THREADS.join(", ")}`);
    if (!isMainThread) throw new MpiError("usage", "start MPI: this is a worker; the main thread starts it");
    if (Environment.only !== undefined) {
      throw new MpiError("lifecycle", "start MPI: it was started before in this process, and starts once");
    }
    const started = new Environment(checked(() => new native.UpcallMpi(wanted)));
    Environment.only = started;
    process.on("uncaughtExceptionMonitor", (thrown) => started.fail(thrown));
    process.on("exit", (code) => started.leave(code));
    return started;
  }

  /** The name of the machine that this process runs on. */
  get processor(): string {
    return checked(() => this.native.processor());
  }

  /** Attaches room for so many bytes of messages at once, for `sendBuffered` of all communicators. There is one at a time. */
  attachBuffer(bytes: number): SendBuffer {
    const size = countOf(bytes, "attach a buffer for sends", "bytes");
    return new SendBuffer(checked(() => this.native.attach_buffer(size)));
  }

  /** Seconds since some moment in the past, by the clock of MPI's. */
  time(): number {
    return checked(() => this.native.time());
  }

  /**
   * The processes that have started this one and those of its world, by `spawn`; `undefined` where the launcher has. While they are
   * connected, parents and children wait for each other where they finalize MPI.
   */
  get parent(): Intercommunicator | undefined {
    if (this.starters === undefined) {
      const found = checked(() => this.native.parent());
      this.starters = found.is_none() ? null : new Intercommunicator(found);
    }
    return this.starters ?? undefined;
  }

  /**
   * Opens a port that other programs may `connect` to. Throws an {@link MpiError} of kind `unsupported` where the MPI has none, as
   * MPICH over UCX.
   */
  openPort(): Port {
    return new Port(checked(() => this.native.open_port()));
  }

  /** The name of the port that was published as a service. Throws an {@link MpiError} of kind `port` where there is none. */
  lookUp(service: string): string {
    return checked(() => this.native.look_up(service));
  }

  /** Whether MPI was started in this process, on any thread, and has not been finalized. */
  static get isInitialized(): boolean {
    return native.UpcallMpi.is_initialized();
  }

  /** Whether MPI has been finalized in this process: it cannot be started again. */
  static get isFinalized(): boolean {
    return native.UpcallMpi.is_finalized();
  }

  /** Whether this thread is the one that has started MPI. */
  get isMainThread(): boolean {
    return checked(() => this.native.is_main_thread());
  }

  /** Which threads MPI was started for; what it has given is in `threads`. */
  get threadsWanted(): Threads {
    return THREADS[checked(() => this.native.threads_wanted())]!;
  }

  /** Seconds between two ticks of the clock of `time`. */
  get timeResolution(): number {
    return checked(() => this.native.time_resolution());
  }

  /** Whether the clocks of all ranks show the same time. */
  get timeIsGlobal(): boolean {
    return checked(() => this.native.time_is_global());
  }

  /** How many processes the launcher has room for, those that run included; `undefined` where it does not say. */
  get universeSize(): number | undefined {
    return number(checked(() => this.native.universe_size()));
  }

  /** Which of the programs this is that were started at once, from 0 on; `undefined` where nobody says. */
  get programNumber(): number | undefined {
    return number(checked(() => this.native.program_number()));
  }

  /** Which rank may read and write files as the language does: `Any` where all may, `undefined` where none. */
  get ioRank(): number | Any | undefined {
    const rank = checked(() => this.native.io_rank());
    return rank === native.UPCALL_MPI_ANY ? Any : rank === native.UPCALL_MPI_NONE ? undefined : rank;
  }

  /** The rank of the host process, where there is one. */
  get hostRank(): number | undefined {
    return number(checked(() => this.native.host_rank()));
  }

  /** Whether the MPI has a part of the standard that not every MPI has. */
  has(part: OptionalPart): boolean {
    const which = native.UpcallMpiOptional[part.charAt(0).toUpperCase() + part.slice(1)];
    if (which === undefined) throw new TypeError(`ask for a part of MPI: there is no ${part}`);
    return checked(() => this.native.has(which));
  }

  /** Ends all processes of the job at once, with this exit code. It does not return. */
  abort(code = 1): never {
    return this.world.abort(code);
  }

  /** Finalizes MPI, which waits for the other processes. A second call does nothing. */
  finish(): void {
    if (this.state === "finished") return;
    if (this.state === "leaving") refuse(undefined);
    checked(() => this.native.finish());
    this.state = "finished";
    refuse(ended);
  }

  /**
   * The end of `using mpi = Environment.start()`: MPI is finalized as soon as the program lets the event loop go on, and not before
   * that, since an exception may be on its way out, which ends the job.
   */
  [Symbol.dispose](): void {
    if (this.state !== "running") return;
    this.state = "leaving";
    refuse(ended);
    setImmediate(() => this.finish());
  }

  /** Nobody has caught this: the others would wait for this process for ever. */
  private fail(thrown: unknown): void {
    // Whoever listens for it has caught it.
    if (this.state === "finished" || process.listenerCount("uncaughtException") > 0) return;
    // Node would write it after the process has ended.
    writeSync(2, `rank ${this.world.rank}: uncaught ${inspect(thrown)}\n`);
    this.leave(1);
  }

  private leave(code: number): void {
    if (this.state === "finished") return;
    refuse(undefined);
    if (code === 0) this.finish();
    else this.world.abort(code);
  }
}
