import { Board, Color, NativeArray, Pixel, Pointer, addressOf, clear, four, green_pixels, trace } from "./index";

declare const require: (name: string) => any;
declare const console: { log(...given: unknown[]): void };

const assert = require("node:assert");
const refused = (name: string, message: string | RegExp, call: () => unknown) => assert.throws(call, { name, message });

// An array of a closed enum: as long as it must be, and holding values.
const { Green, Red } = Color;
assert.equal(four(Int16Array.of(Green, Red, Green, Green)), 3);
assert.equal(four(addressOf(Int16Array.of(Green, Red, Red, Red)) as Pointer), 1);
assert.equal(four(Int16Array.of(Red, Red, Red, Red, 99)), 0);
const short = "four: argument colors has 2 bytes, and the array that native code looks for 8";
refused("RangeError", short, () => four(Int16Array.of(Red)));
refused("RangeError", "four: argument colors holds 3 in [2], which is not a value of Color", () => four(Int16Array.of(Red, Green, 3, Red)));
for (const wrong of [new Uint8Array(8), new Pixel(), NativeArray.of("bool", 8), [8, 8, 8, 8], new ArrayBuffer(8), "x"]) {
  refused("TypeError", /^four: argument colors must be an address or a Int16Array, not "/, () => four(wrong as never));
}
refused("TypeError", "four: argument colors must not be null", () => four(null as never));

// Of structs.
const others = [Red, Red];
const pixel = new Pixel({ color: Green, far: 1n, others });
assert.equal(green_pixels(Pixel.array([pixel, new Pixel({ color: Red, far: 1n, others })])), 1);
refused("RangeError", /^green_pixels: argument pixels has \d+ bytes, and /, () => green_pixels(Pixel.array([pixel])));
refused("RangeError", "green_pixels: argument pixels holds 0 in [1].color, which is not a value of Color", () => green_pixels(Pixel.array([pixel, new Pixel()])));

// Of arrays: flat, or as a field has them.
const board = new Board({ rows: [[1, 0, 0], [0, 2, 0], [0, 0, 4]], colors: [Green, Green, Red, Red] });
assert.deepEqual([trace(board.rows), trace(Float64Array.from([1, 0, 0, 0, 1, 0, 0, 0, 1])), four(board.colors)], [7, 3, 2]);
refused("RangeError", /has 64 bytes/, () => trace(new Float64Array(8)));

// What native code fills.
const flags = NativeArray.of("bool", [true, true]);
const bytes = Uint8Array.of(1, 2, 3, 4);
clear(flags, bytes);
assert.deepEqual([...flags, ...bytes], [false, false, 0, 0, 0, 4]);
clear(flags, null);
refused("RangeError", /^clear: argument flags has 1 bytes/, () => clear(NativeArray.of("bool", 1), null));
refused("RangeError", /^clear: argument grid has 2 bytes/, () => clear(flags, new Uint8Array(2)));

// Names that every object has are no fields.
for (const name of ["constructor", "toString", "hasOwnProperty", "__proto__", "nothing"]) {
  const init = Object.defineProperty({}, name, { value: 9, enumerable: true });
  refused("TypeError", `Pixel has no field ${name}`, () => new Pixel(init as never));
}
console.log("all is well");
