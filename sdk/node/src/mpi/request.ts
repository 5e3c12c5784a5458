/** Calls that go on while the program does. */

/** What a request is about. Where it fails once it fails again. */
export interface Going<T> {
  /** Whether it has ended. */
  test(): boolean;
  /** Waits until it has. */
  wait(): void;
  cancel(): void;
  /** What has come of it; asked for once. */
  result(): T;
}

/**
 * A send, a receive or a call of all ranks that goes on. `await` it, which lets everything else run meanwhile, or {@link Request.wait} for it, which
 * does not. Its memory is the library's until it has ended: arrays that were sent may be changed at once, and one that is
 * received into is written when the request is found to have ended. One that is forgotten does no harm: a receive is cancelled
 * then, and a send goes on.
 *
 * MPI goes on with messages when it is called, and with those of a request when somebody waits for it.
 */
export class Request<T> implements PromiseLike<T> {
  private ended: { readonly value: T } | { readonly thrown: unknown } | undefined;
  private promise: Promise<T> | undefined;

  /** @internal */
  constructor(private readonly going: Going<T>) {}

  /** Waits for all of them, on this thread, and returns what has come of them. Throws the first failure, when all have ended. */
  static waitAll<T>(requests: readonly Request<T>[]): T[] {
    for (const request of requests) if (!request.hasEnded) request.end(() => request.going.wait());
    return requests.map((request) => request.outcome());
  }

  /** What `waitAll` returns, where all have ended, else `undefined`. */
  static testAll<T>(requests: readonly Request<T>[]): T[] | undefined {
    return Request.testSome(requests).length === requests.length ? Request.waitAll(requests) : undefined;
  }

  /** Waits, on this thread, until one of them has ended, well or not, and returns its index: `wait` says how. */
  static waitAny(requests: readonly Request<unknown>[]): number {
    return Request.waitSome(requests)[0]!;
  }

  /** As `waitAny`, without waiting: `undefined` where none has ended. */
  static testAny(requests: readonly Request<unknown>[]): number | undefined {
    const index = requests.findIndex((request) => request.look());
    return index < 0 ? undefined : index;
  }

  /** Waits, on this thread, until at least one has ended, well or not, and returns the indices of all that have. */
  static waitSome(requests: readonly Request<unknown>[]): number[] {
    if (requests.length === 0) throw new RangeError("wait for some of no requests");
    for (;;) {
      const ended = Request.testSome(requests);
      if (ended.length > 0) return ended;
    }
  }

  /** As `waitSome`, without waiting: it may be none. */
  static testSome(requests: readonly Request<unknown>[]): number[] {
    return requests.flatMap((request, index) => (request.look() ? [index] : []));
  }

  /** Whether it has ended, well or not. */
  get hasEnded(): boolean {
    return this.ended !== undefined;
  }

  /** Waits until it has ended, on this thread. What has come of it. Throws an `MpiError` where it failed. */
  wait(): T {
    if (this.ended === undefined) this.end(() => this.going.wait());
    return this.outcome();
  }

  /** Looks whether it has ended, without waiting: what has come of it, and `undefined` where it goes on. */
  test(): { readonly value: T } | undefined {
    return this.look() ? { value: this.outcome() } : undefined;
  }

  /**
   * Asks MPI to give up a receive that nothing has arrived for. The request still has to end, and what comes of it says whether
   * it was `cancelled`. A send goes on.
   */
  cancel(): void {
    if (this.ended === undefined) this.going.cancel();
  }

  then<R = T, E = never>(
    resolve?: ((value: T) => R | PromiseLike<R>) | null,
    reject?: ((thrown: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    this.promise ??= new Promise((resolve, reject) => {
      whenEnded(() => this.look(), () => {
        if ("value" in this.ended!) resolve(this.ended.value);
        else reject(this.ended!.thrown);
      });
    });
    return this.promise.then(resolve, reject);
  }

  private look(): boolean {
    if (this.ended !== undefined) return true;
    let done = true;
    // What fails has ended.
    const ended = (): void => void (done = this.going.test());
    this.end(ended, () => done);
    return done;
  }

  private end(wait: () => void, done: () => boolean = () => true): void {
    try {
      wait();
      if (done()) this.ended = { value: this.going.result() };
    } catch (thrown) {
      this.ended = { thrown };
    }
  }

  private outcome(): T {
    if ("thrown" in this.ended!) throw this.ended.thrown;
    return this.ended!.value;
  }
}

interface Awaited {
  readonly look: () => boolean;
  readonly then: () => void;
}

let awaited: Awaited[] = [];
let lastEnd = 0;

/** For so many milliseconds after the last end MPI is asked each time the event loop has got round, and then once per millisecond. */
const EAGER = 2;

/** Does something once a request has ended. Until then the process lives on. */
function whenEnded(look: () => boolean, then: () => void): void {
  awaited.push({ look, then });
  lastEnd = performance.now();
  if (awaited.length === 1) setImmediate(poll);
}

function poll(): void {
  const now = performance.now();
  const going: Awaited[] = [];
  for (const one of awaited) {
    if (one.look()) {
      one.then();
      lastEnd = now;
    } else {
      going.push(one);
    }
  }
  awaited = going;
  if (awaited.length === 0) return;
  if (now - lastEnd < EAGER) setImmediate(poll);
  else setTimeout(poll, 1);
}
