import { add, addressOf, apply, Callback, Color, Counter, divide, flip, fold, NativeError, Point, squares } from "./index";

declare const console: { log(...values: unknown[]): void };

function run(): string {
  using counter = new Counter(1n);
  const total: bigint = counter.add(7n);
  using buffer = squares(3);
  const array: Int32Array = buffer.array;
  const turned: Point = apply((point) => ({ x: point.y, y: point.x }), { x: 1, y: 2.5 });
  const same: Point = Point.at(addressOf(turned));
  const floats = new Float32Array([3, 4]);
  const bytes: Point = Point.read(addressOf(floats));
  const color: Color = flip(Color.Red);
  using step = new Callback((sum: number, index: number) => sum + index);
  let code = 0;
  try {
    divide(1, 0);
  } catch (error) {
    if (error instanceof NativeError) code = error.code;
  }
  console.log(add(1, 2), turned.x + same.x - bytes.x, Number(total), [...array], code, fold(4, step));
  return String(color);
}

run();
