/** For how long the event loop stands still while objects are handled. */

/** Milliseconds after which whatever else waits has its turn. */
const PATIENCE = 5;

export class Turn {
  private began = 0;
  private counts = false;

  /** Whether it has stood still for long enough. */
  isOver(): boolean {
    const now = performance.now();
    if (!this.counts) {
      this.counts = true;
      this.began = now;
      setImmediate(() => (this.counts = false));
    }
    return now - this.began > PATIENCE;
  }

  /** Once the event loop has gone round. */
  next(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }
}
