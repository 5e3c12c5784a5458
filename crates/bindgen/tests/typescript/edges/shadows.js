"use strict";
const assert = require("node:assert");
const { Counter, Point, shadow } = require("./index.js");

assert.equal(shadow({ x: 1, y: 2 }, 3, 4, (point) => new Point({ x: point.y })), 9);
const counter = new Counter(5n);
assert.equal(counter.add(2n), 7n);
counter.release();
assert.throws(() => counter.add(1n), /Counter was released/);
