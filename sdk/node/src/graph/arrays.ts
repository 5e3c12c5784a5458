/** Memory as each type of numbers. */

/** All that can be seen of it. */
export class Arrays {
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly i32: Int32Array;
  readonly i64: BigInt64Array;
  readonly u32: Uint32Array;
  readonly u64: BigUint64Array;

  constructor(readonly window: ArrayBuffer) {
    const [words, longs] = [Math.floor(window.byteLength / 4), Math.floor(window.byteLength / 8)];
    this.f32 = new Float32Array(window, 0, words);
    this.f64 = new Float64Array(window, 0, longs);
    this.i32 = new Int32Array(window, 0, words);
    this.i64 = new BigInt64Array(window, 0, longs);
    this.u32 = new Uint32Array(window, 0, words);
    this.u64 = new BigUint64Array(window, 0, longs);
  }
}
