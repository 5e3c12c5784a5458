import { NativeArray, Tight, echo_tight } from "./index";

declare const console: { log(...given: unknown[]): void };

const tight = echo_tight(new Tight({ small: 1, wide: [2, 3], inner: { wide: [[4, 5], [6, 7]] } }));
const wide: NativeArray<number> = tight.wide;
const rows: NativeArray<NativeArray<number>> = tight.inner.wide;
wide.set(0, 8);
rows.at(1).set(0, 9);
console.log([...tight.wide], [...rows.at(0)], [...rows.at(1)]);
