"use strict";
const assert = require("node:assert");
const path = require("node:path");
const limits = require(path.resolve(process.argv[2]));
const { Color, Out, Pixel, Scene, Shape, Sign } = limits;

/** Overwrites bytes of a value, as a program that reads them from a file may do. */
function poke(view, offset, byte) {
  view._r.view.setUint8(view._o + offset, byte);
  return view;
}

function refused(message, call) {
  assert.throws(call, { name: "RangeError", message });
}

assert.equal(limits.flip(Color.Red), Color.Green);
refused("flip: argument color is 3, which is not a value of Color", () => limits.flip(3));

const pixel = new Pixel({ x: 1, color: Color.Blue, signs: [Sign.Minus, Sign.Minus] });
assert.equal(limits.weigh(pixel), 8);
refused("weigh: argument pixel holds 0 in color, which is not a value of Color", () => limits.weigh(new Pixel()));
const signs = poke(new Pixel(pixel), Pixel.offsets.signs + 2, 5);
refused("weigh: argument pixel holds -251 in signs[1], which is not a value of Sign", () => limits.weigh(signs));

// By reference: from where JavaScript knows what lies there.
assert.equal(limits.flipped(Uint8Array.of(Color.Red)), Color.Green);
assert.equal(limits.flipped(Out.u8(Color.Blue)), Color.Red);
refused("flipped: argument color is 0, which is not a value of Color", () => limits.flipped(new Uint8Array(1)));
refused("flipped: argument color is 3, which is not a value of Color", () => limits.flipped(Out.u8(3)));
refused("flipped: argument color has no elements, and native code looks at one", () => limits.flipped(new Uint8Array()));
assert.equal(limits.weight(pixel), 8);
assert.equal(limits.weight(Pixel.array([pixel])), 8);
refused("weight: argument pixel holds 0 in color, which is not a value of Color", () => limits.weight(new Pixel()));
refused("weight: argument pixel holds 0 in color, which is not a value of Color", () => limits.weight(Pixel.array(1)));
refused("weight: argument pixel has no elements, and native code looks at one", () => limits.weight(Pixel.array(0)));
for (const other of [Shape.array(1), new Shape(), new Uint8Array(64), [pixel]]) {
  assert.throws(() => limits.weight(other), { name: "TypeError", message: /^weight: argument pixel must be an address or a Pixel, not / });
}

const disc = new Shape();
limits.disc(disc, 2);
assert.equal(limits.area(disc), 12);
assert.equal(limits.area_of(disc), 12);
const wrong = poke(new Shape(), 0, 77);
refused("area: argument shape is 77, which is not a tag of Shape", () => limits.area(wrong));
refused("area_of: argument shape is 77, which is not a tag of Shape", () => limits.area_of(wrong));
const unpainted = new Shape({ Painted: { size: 3 } });
refused("area: argument shape holds 0 in Painted.color, which is not a value of Color", () => limits.area(unpainted));
const scene = new Scene({ pixel, shapes: [new Shape(), unpainted] });
refused("show: argument scene holds 0 in shapes[1].Painted.color, which is not a value of Color", () => limits.show(scene));
assert.equal(limits.show(new Scene({ pixel, shapes: [disc, new Shape()] })), 20);
// What is to be filled need not be a value.
limits.disc(wrong, 1);
assert.equal(limits.area(wrong), 3);

assert.equal(limits.chosen(() => Color.Blue), 2);
refused("a callback: the result is 5, which is not a value of Color", () => limits.chosen(() => 5));
assert.equal(limits.drawn(() => disc), 12);
const drawn = () => limits.drawn(() => poke(new Shape(), 0, 3));
refused("the result of a callback is 3, which is not a tag of Shape", drawn);
const seen = new Uint8Array(1);
refused("a callback: the result is 5, which is not a value of Color", () => limits.remembered(() => 5, seen));
assert.equal(seen[0], Color.Red, "native code is given a value all the same");
console.log("done");
