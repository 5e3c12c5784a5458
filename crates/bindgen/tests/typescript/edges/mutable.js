"use strict";
const assert = require("node:assert");
const { NativeArray, Point, first_row, invert_all, move_right, scale, swap_rows, total } = require("./index.js");

const lost = { name: "TypeError", message: "scale: argument points must be a NativeArray (Point.array(n)), which native code writes to, not \"Array\"" };
assert.throws(() => scale([{ x: 1, y: 2 }], 2), lost);
assert.throws(() => scale([new Point({ x: 1 })], 2), TypeError);
const points = Point.array([{ x: 1, y: 2 }, { x: 3 }]);
scale(points, 2);
assert.deepEqual([...points].map(({ x, y }) => [x, y]), [[2, 4], [6, 0]]);
assert.equal(total(points), 12);
assert.equal(total([{ x: 1 }, new Point({ y: 2 })]), 3);
assert.throws(() => total([{ x: "1" }]), { name: "TypeError", message: /Point\.x must be a number/ });
assert.throws(() => total([1]), { name: "TypeError", message: /total: argument points: element 0 must be a Point/ });

assert.throws(() => invert_all([true, false]), { name: "TypeError", message: /NativeArray\.of\("bool", n\)/ });
const flags = NativeArray.of("bool", [true, false, false]);
invert_all(flags);
assert.deepEqual([...flags], [false, true, true]);
assert.equal(NativeArray.of("usize", 3).at(2), 0);
assert.throws(() => NativeArray.of("f33", 3), TypeError);
assert.throws(() => Point.array(-1), RangeError);

assert.throws(() => swap_rows([[1, 2]]), { name: "TypeError", message: /must be a NativeArray or a Float32Array, which native code writes to/ });
const rows = Float32Array.of(0, 1, 2, 3, 4).subarray(1);
swap_rows(rows);
assert.deepEqual([...rows], [2, 1, 4, 3]);
assert.equal(first_row([[3, 4]]), 7);
assert.equal(first_row(Float32Array.of(3, 4)), 7);
assert.throws(() => swap_rows(Float32Array.of(1, 2, 3)), { name: "RangeError", message: /3 numbers, and each element 2/ });

assert.throws(() => move_right([{ x: 1 }]), TypeError);
assert.throws(() => move_right({ x: 1 }), TypeError);
move_right(points);
assert.equal(points.at(0).x, 3);
