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

/** Which threads may call MPI: the process has one; the one that has started it; one at a time; all, as they like. */
export type Threads = "single" | "funneled" | "serialized" | "multiple";

const THREADS: readonly Threads[] = ["single", "funneled", "serialized", "multiple"];

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
