/** The waits of one flow for its puts. */

/** Of one flow at a time: each has a callback of the engine's, of which a program has 65,536, and all are woken when there is credit. */
const AT_A_TIME = 32;

/** Begun before the event loop goes round: until then the callbacks of those that have ended may be there still. */
const IN_A_TURN = 4096;

/** Lets few wait for the engine at a time, in the order in which they came. */
export class Waits {
  private now = 0;
  private later: (() => void)[] = [];
  private next = 0;
  private begun = 0;
  private going = false;

  /** Begins a wait now or when it is its turn. Each ends with {@link end}. */
  begin(wait: () => void): void {
    this.later.push(wait);
    this.go();
  }

  end(): void {
    this.now--;
    this.go();
  }

  private readonly turn = (): void => {
    this.begun = 0;
    this.go();
  };

  private go(): void {
    // A wait may end as it begins.
    if (this.going) return;
    this.going = true;
    while (this.now < AT_A_TIME && this.begun < IN_A_TURN && this.next < this.later.length) {
      if (this.begun++ === 0) setImmediate(this.turn);
      this.now++;
      this.later[this.next++]!();
    }
    if (2 * this.next >= this.later.length) {
      this.later.splice(0, this.next);
      this.next = 0;
    }
    this.going = false;
  }
}
