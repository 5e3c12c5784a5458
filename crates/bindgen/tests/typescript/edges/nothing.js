"use strict";
const assert = require("node:assert");
const { around_nothing, from_nothing } = require("./index.js");

let seen;
assert.equal(around_nothing((...given) => { seen = given; return given[0] * given[2]; }), 12);
assert.deepEqual(seen, [3, undefined, 4]);
assert.equal(from_nothing((given) => { seen = given; }), undefined);
assert.equal(seen, 5);
