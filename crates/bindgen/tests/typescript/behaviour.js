"use strict";
const assert = require("node:assert");
const shapes = require("./index.js");
const { Callback, NativeError, Point, Mixed, Color, Counter, Shape, Event, Packed, addressOf } = shapes;

assert.equal(shapes.add(1, 2), 3);
assert.throws(() => shapes.add(1, 2 ** 31), { name: "RangeError", message: /add: argument b is 2147483648/ });
assert.throws(() => shapes.add(1, 1.5), RangeError);
assert.throws(() => shapes.add(1, "2"), { name: "TypeError", message: /add: argument b/ });
assert.throws(() => shapes.add(1), TypeError);
assert.equal(typeof shapes.widest(1n, 2n, 3, 4n, 5), "bigint");
assert.throws(() => shapes.widest(-1n, 2n, 3, 4n, 5), { name: "RangeError", message: /widest: argument a/ });
assert.equal(shapes.negate(1n << 100n), -(1n << 100n));
assert.throws(() => shapes.negate(1n << 127n), RangeError);
assert.equal(shapes.halve(5), 2.5);
assert.equal(shapes.halve(-Infinity), -Infinity);
assert.throws(() => shapes.halve(1e300), { name: "RangeError", message: "halve: argument value is 1e300, which is not an f32" });
assert.equal(shapes.not(true), false);
assert.throws(() => shapes.not(1), TypeError);
assert.equal(shapes.next_letter("a"), "b");
assert.throws(() => shapes.next_letter("ab"), TypeError);
assert.throws(() => shapes.next_letter("\ud800"), TypeError);

assert.equal(shapes.flip(Color.Red), Color.Green);
assert.equal(Point.size, 8);
assert.deepEqual(Point.offsets, { x: 0, y: 4 });
const point = new Point({ x: 1, y: 2 });
const mirrored = shapes.mirror_point(point);
assert.ok(mirrored instanceof Point);
assert.deepEqual([mirrored.x, mirrored.y].sort(), [1, 2]);
shapes.move_point(point, { x: 10, y: 20 });
assert.deepEqual([point.x, point.y], [11, 22]);
assert.equal(Point.read(addressOf(point)).x, 11);
assert.equal(Point.at(addressOf(point)).y, 22);
assert.throws(() => shapes.mirror_point(new Packed()), TypeError);
assert.throws(() => new Point({ z: 1 }), TypeError);
assert.throws(() => { point.x = "1"; }, { name: "TypeError", message: /Point.x/ });
assert.equal(shapes.swap_packed({ small: 1, wide: 2n, last: 3 }).small, 3);
const aligned = shapes.raise_aligned(new shapes.Aligned({ value: 1 }));
assert.equal(addressOf(aligned) % 16, 0);

const mixed = new Mixed({ flag: true, letter: "ß", color: Color.Red, big: -(1n << 90n), points: [{ x: 1 }, { y: 4 }], grid: [[1, 2, 3], [4, 5, 6]], type: -5 });
mixed.nested.value = 7;
mixed.next = mixed;
const echoed = shapes.echo_mixed(mixed);
assert.deepEqual([echoed.flag, echoed.letter, echoed.color, echoed.big, echoed.points.at(1).y, echoed.grid.at(1)[2], echoed.nested.value, echoed.type], [true, "ß", -1, -(1n << 90n), 4, 6, 7, -5]);
assert.equal(echoed.next, addressOf(mixed));
assert.throws(() => mixed.points.at(2), RangeError);

assert.equal(shapes.grow({ Circle: { _0: 2 } }).Circle._0, 4);
const rect = shapes.grow(new Shape({ Rect: { corner: { x: 3 }, width: 4 } }));
assert.equal(rect.tag, Shape.tags.Rect);
assert.equal(rect.Circle, undefined);
assert.deepEqual([rect.Rect.corner.x, rect.Rect.width], [3, 5]);
assert.equal(shapes.grow({ Empty: true }).Circle._0, 1);
assert.equal(shapes.echo_event(new Event({ Text: { _0: 1, _1: 9n } })).Text._1, 9n);
const bits = shapes.echo_bits({ a: -4, b: 100, c: -1, d: 0xfffff });
assert.deepEqual([bits.a, bits.b, bits.c, bits.d], [-4, 100, -1, 0xfffff]);
assert.throws(() => { bits.a = 4; }, RangeError);

assert.equal(shapes.sum(Float32Array.of(1, 2, 3)), 6);
assert.equal(shapes.sum(new Float32Array()), 0);
assert.throws(() => shapes.sum([1, 2]), { message: /Float32Array/ });
const values = Float32Array.of(1, 2);
shapes.scale(values, 3);
assert.deepEqual([...values], [3, 6]);
assert.equal(shapes.total_x(Point.array([{ x: 1 }, { x: 2 }])), 3);
assert.equal(shapes.total_x([{ x: 5 }]), 5);
assert.deepEqual([...shapes.primes()], [2, 3, 5, 7]);
assert.equal(shapes.count_letters("größer"), 6);
assert.equal(shapes.count_letters("ß".repeat(10000)), 10000);
for (let size = 500; size < 520; size++) assert.equal(shapes.count_letters("a".repeat(size - 1) + "😀"), size);
assert.equal(shapes.motto(), "größer");
assert.equal(shapes.spell(7), "nº 7");
assert.equal(shapes.first_letter("hello"), 104);
assert.equal(shapes.first_letter(null), 0);
assert.throws(() => shapes.first_letter("a\0b"), RangeError);

const squares = shapes.squares(4);
const array = squares.array;
assert.deepEqual([...array], [0, 1, 4, 9]);
squares.release();
squares.release();
assert.equal(array.length, 0);
assert.throws(() => squares.array, /released/);
assert.equal(shapes.squares(0).length, 0);

assert.equal(shapes.divide(7, 2), 3);
assert.throws(() => shapes.divide(1, 0), (error) => error instanceof NativeError && error.code === 33 && error.message === "cannot divide by zero, naïvely");

const before = shapes.released();
const counter = new Counter(5n);
assert.equal(counter.add(2n), 7n);
assert.equal(shapes.counter_add(counter, 1n), 8n);
counter.release();
counter.release();
assert.equal(shapes.released(), before + 1);
assert.throws(() => counter.add(1n), /Counter was released/);
assert.ok(Counter.from(shapes.counter_new(1n)) instanceof Counter);

assert.equal(shapes.fold(4, (sum, index) => sum + index), 6);
assert.throws(() => shapes.fold(4, (sum, index) => { if (index === 2) throw new RangeError("mine"); return 1; }), { message: "mine" });
assert.throws(() => shapes.fold(1, () => { throw 5; }), (thrown) => thrown === 5);
assert.throws(() => shapes.fold(1, () => "x"), TypeError);
assert.throws(() => shapes.fold(1, null), TypeError);
assert.equal(shapes.fold(2, (sum, index) => sum + shapes.fold(3, (a, b) => a + b)), 6);
const turned = shapes.apply((given, tag) => new Point({ x: given.y + (tag === 0 ? 1 : 0), y: given.x }), { x: 1, y: 2 });
assert.deepEqual([turned.x, turned.y], [2, 1]);
assert.equal(shapes.apply(null, { x: 8 }).x, 8);
const kept = [];
for (let index = 0; index < 64; index++) {
  const one = new Callback((given) => given);
  shapes.apply(one, { x: 1 });
  kept.push(one);
}
assert.throws(() => shapes.apply((given) => given, { x: 1 }), /64 callbacks/);
kept.forEach((one) => one.release());
shapes.apply((given) => given, { x: 1 });
assert.throws(() => shapes.apply(kept[0], { x: 1 }), /released/);

shapes.statics.LEVEL = 12;
assert.equal(shapes.statics.LEVEL, 12);
assert.throws(() => { shapes.statics.SCALE = 1; }, TypeError);
assert.equal(shapes.LIMIT, 2n ** 64n - 1n);
assert.equal(shapes.FAR, -Infinity);
assert.deepEqual([...shapes.RAW], [97, 255, 92]);
assert.equal(shapes.GREETING, 'say "hé"\n');
assert.equal(shapes.Number.size, 16);

const heard = [];
const notify = new Callback((value) => heard.push(value));
shapes.keep(notify);
shapes.notify_from_thread(3);
assert.deepEqual(heard, []);
for (let index = 0; index < 20000; index++) new Point({ x: index });
gc();
setTimeout(() => {
  assert.deepEqual(heard, [3]);
  notify.release();
  import("./index.mjs").then((module) => {
    assert.equal(module.add(2, 2), 4);
    console.log("all is well");
  });
}, 200);
