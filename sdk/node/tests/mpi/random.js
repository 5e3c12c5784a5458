/** A stream of random numbers, the same on all ranks that begin with the same seed. */
export class Stream {
  constructor(seed) {
    this.state = BigInt(seed);
  }

  /** A whole number from 0 on. */
  below(end) {
    this.state = BigInt.asUintN(64, this.state * 6364136223846793005n + 1442695040888963407n);
    return Number(this.state >> 33n) % end;
  }

  /** One of these. */
  of(list) {
    return list[this.below(list.length)];
  }

  /** An array of small whole numbers, whose sums and products of five are exact in every type and order, but for wrapping. */
  array(Type, length) {
    const big = Type.name.startsWith("Big");
    return Type.from({ length }, () => (big ? BigInt(this.below(11)) : this.below(11)));
  }

  /** An object of some depth. */
  object(depth = 3) {
    switch (this.below(depth > 0 ? 9 : 6)) {
      case 0: return this.below(1000) - 500;
      case 1: return BigInt(this.below(1000)) ** 5n;
      case 2: return "größer ".repeat(this.below(20));
      case 3: return undefined;
      case 4: return new Date(this.below(1e9));
      case 5: return this.array(Float64Array, this.below(30));
      case 6: return Array.from({ length: this.below(6) }, () => this.object(depth - 1));
      case 7: return new Map([[this.below(9), this.object(depth - 1)]]);
      default: return { name: this.object(depth - 1), next: this.object(depth - 1) };
    }
  }
}
