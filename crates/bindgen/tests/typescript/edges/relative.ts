import { NativeArray, Point, Pointer, addressOf, header } from "./index";

declare const console: { log(...given: unknown[]): void };

const { points, weights } = header();
const base = new ArrayBuffer(40);
new Float32Array(base).set([0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
const bytes = new Uint8Array(base);

function thrown(action: () => void): string {
  try {
    action();
    return "nothing";
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

const found: NativeArray<Point> = points.elements(base);
const numbers: Float32Array = weights.elements(bytes);
console.log([...found].map(({ x, y }) => [x, y]), [...numbers]);
found.at(0).x = 9;
console.log(new Float32Array(base)[2], points.elements(new DataView(base)).at(0).x);
console.log(points.elements(addressOf(base) as Pointer<any>).at(1).y, [...weights.elements(addressOf(bytes))]);
const inner = points.elements(bytes.subarray(8));
console.log(inner.at(0).x, [...weights.elements(Point.array(5))]);
console.log(thrown(() => weights.elements(bytes.subarray(8))));
console.log(thrown(() => weights.elements(new Point())));
console.log(thrown(() => weights.elements(new Uint8Array(64).subarray(1))));
console.log(thrown(() => points.elements(null as never)));
weights.offset = 1n << 60n;
console.log(thrown(() => weights.elements(bytes)));
weights.offset = 36n;
weights.len = 0n;
console.log(weights.elements(bytes).length, weights.elements(0 as Pointer<any>).length);
