/** The vertices that a program has scheduled in a frame. */

/** Room for their numbers. One that is there several times counts once where the room would not do. */
export class Woken {
  private words: Uint32Array = new Uint32Array(0);
  private from = 0;
  private room = 0;
  /** How many were written. */
  count = 0;

  /** The room of a frame begins, of which nothing is used. */
  begin(words: Uint32Array, from: number, room: number): void {
    this.words = words;
    this.from = from;
    this.room = room;
    this.count = 0;
  }

  /** Adds a vertex. */
  add(id: number): void {
    if (this.count === this.room) this.fold();
    this.words[this.from + this.count] = id;
    this.count += 1;
  }

  /** Keeps one of each. */
  private fold(): void {
    const { words, from, room } = this;
    const sorted = words.subarray(from, from + this.count).sort();
    const kept = sorted.filter((id, index) => index === 0 || id !== sorted[index - 1]);
    if (kept.length === room) {
      throw new RangeError(`schedule a vertex: ${room} are scheduled in this frame already, and there is no room for another`);
    }
    words.set(kept, from);
    this.count = kept.length;
  }
}
