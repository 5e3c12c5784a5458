"use strict";
const assert = require("node:assert");
const { Color, Far, Pixel, Shape, chosen, echo_pixel, echo_shape, farther, invert } = require("./index.js");

assert.equal(invert(Color.Red), Color.Green);
assert.throws(() => invert(3), { name: "RangeError", message: "invert: argument color is 3, which is not a value of Color" });
assert.throws(() => invert("Red"), TypeError);
assert.equal(farther(Far.Near), Far.Away);
assert.equal(farther(1), Far.Away);
assert.throws(() => farther(2n), { name: "RangeError", message: /farther: argument far is 2, which is not a value of Far/ });

const pixel = { color: Color.Green, far: Far.Away, others: [Color.Red, Color.Green] };
const echoed = echo_pixel(pixel);
assert.deepEqual([echoed.color, echoed.far, ...echoed.others], [8, Far.Away, -1, 8]);
assert.throws(() => echo_pixel({ ...pixel, color: 0 }), { name: "RangeError", message: "Pixel.color is 0, which is not a value of Color" });
assert.throws(() => echo_pixel({ ...pixel, far: 3n }), { name: "RangeError", message: "Pixel.far is 3n, which is not a value of Far" });
assert.throws(() => echo_pixel({ ...pixel, others: [8, 9] }), { name: "RangeError", message: "Pixel.others[1] is 9, which is not a value of Color" });
assert.throws(() => { echoed.color = "Red"; }, TypeError);
assert.throws(() => { new Shape().tag = 2; }, { name: "RangeError", message: "Shape.tag is 2, which is not a value of Shape" });
assert.equal(echo_shape({ Circle: { _0: 2.5 } }).Circle._0, 2.5);

assert.equal(chosen(() => Color.Green), 8);
assert.throws(() => chosen(() => 5), { name: "RangeError", message: "a callback: the result is 5, which is not a value of Color" });
