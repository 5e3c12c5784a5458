import {
  GREETING, NOT_TEXT, Out, Pointer, bytesAt, counter, counter_close, counter_open, counter_read, each_name, fill, is_error,
  MARK_CALL, MARK_NONE, is_mark,
  length_of, level, level_bytes, level_name, levels, marks_of, shout, size_or, textAt, textsAt, turned, zeros,
} from "./index";

declare const require: (name: string) => any;
declare const Buffer: { from(text: string): Uint8Array };
declare const console: { log(...given: unknown[]): void };

const assert = require("node:assert");

// Constants.
const greeting: "hello" = GREETING;
const raw: Uint8Array = NOT_TEXT;
assert.deepEqual([greeting, [...raw]], ["hello", [255, 1]]);

// Arrays of enums.
const made = new levels({ all: [level.LOW, level.MIDDLE, level.HIGH], grid: [[1, 2], [3, 1]], one: level.HIGH });
const back = turned(made);
const first: number = back.all[0]!;

// Bitfields have their own types.
const [even, last]: [boolean, level] = [back.even, back.last];
assert.deepEqual([made.even, made.last, even, last], [false, 0, true, level.HIGH]);
back.even = false;
back.last = level.MIDDLE;
assert.deepEqual([back.even, back.last], [false, level.MIDDLE]);
assert.throws(() => { back.even = 1 as never; }, { name: "TypeError", message: "levels.even must be a boolean, not 1" });

assert.deepEqual([first, ...back.all, back.grid.at(0).at(1)], [3, 3, 2, 1, 3]);
back.all = made.all;
back.grid = made.grid;
assert.deepEqual([...new levels({ all: back.all, grid: back.grid }).all], [1, 2, 3]);

// Text by its address.
assert.equal(textAt(level_name(level.MIDDLE)), "mîddle");
assert.equal(textAt(level_bytes(level.HIGH)), "high");
assert.equal(textAt(level_name(9 as level)), null);
assert.equal(textAt(level_name(level.HIGH), 2), "hi");
assert.equal(textAt(level_name(level.HIGH), 20), "high");
assert.deepEqual(bytesAt(level_name(level.MIDDLE), 3), Uint8Array.of(0x6d, 0xc3, 0xae));
assert.throws(() => textAt("high" as never), { name: "TypeError", message: "textAt: argument pointer must be an address, not \"String\"" });
assert.throws(() => textAt(level_name(level.LOW), -1), { name: "RangeError", message: "textAt: argument max is -1, which does not fit into usize" });
assert.throws(() => bytesAt(0 as Pointer, 1), { name: "TypeError", message: "bytesAt: argument pointer must not be null" });
const seen: unknown[] = [];
const result = each_name((count, names, last) => {
  seen.push(count, textsAt(names, count), textAt(last));
  return 7;
});
assert.deepEqual([result, seen], [7, [3, ["one", null, "three"], "three"]]);

// Bytes for pointers to them.
const bytes = Buffer.from("shout\0");
shout(bytes);
assert.equal(String.fromCharCode(...bytes), "SHOUT\0");
shout(new Int8Array(1));
assert.equal(length_of(bytes), 5);
assert.equal(length_of("four"), 4);
assert.equal(zeros(bytes, bytes.length), 1);
assert.equal(zeros(Int8Array.of(0, 0, 1), 3), 2);
fill(bytes, 7, 2);
fill(bytes.subarray(4), 8, 1);
assert.deepEqual([...bytes], [7, 7, 79, 85, 8, 0]);
assert.throws(() => shout(new Uint16Array(2) as never), { name: "TypeError", message: /^shout: argument text must be .*Uint8Array.*, not "Uint16Array"$/ });
assert.throws(() => shout("const" as never), { name: "TypeError", message: /^shout: argument text must be .*Uint8Array.*, not "String"$/ });
assert.throws(() => zeros([1] as never, 1), { name: "TypeError", message: /^zeros: argument bytes must be .*Uint8Array.*, not "Array"$/ });
assert.throws(() => fill("x" as never, 1, 1), { name: "TypeError", message: /^fill: argument to must be /  });

// Results through pointers.
const out = Out.address<counter>();
assert.equal(counter_open("none", out), 1);
assert.equal(out.value, 0);
assert.equal(counter_open("some", out), 0);
const own: Pointer<counter> = out.value;
const [count, size, mean, wide, odd] = [Out.i32(41), Out.usize(), Out.f64(), Out.i64(), Out.bool()];
const [found, label, all] = [Out.u32(), Out.address<number>(), new levels()];
assert.equal(counter_read(own, count, size, mean, wide, odd, found, label, all), 42);
const values: [number, number, number, bigint, boolean, number] = [count.value, size.value, mean.value, wide.value, odd.value, found.value];
assert.deepEqual(values, [42, 8, 2.5, -(2n ** 63n), true, level.HIGH]);
assert.deepEqual([textAt(label.value), all.one], ["named", level.MIDDLE]);
count.value = 5;
assert.throws(() => { count.value = 2.5; }, { name: "RangeError", message: "Out.value is 2.5, which does not fit into i32" });
assert.throws(
  () => counter_read(own, wide as never, size, mean, wide, odd, found, label, all),
  { name: "TypeError", message: /^counter_read: argument count must be .*Out\.i32\(\).*, not "Out\.i64"$/ },
);
for (const wrong of [Out.address(own), new levels(), new Uint8Array(64), new ArrayBuffer(64), "some", {}, 1n]) {
  assert.throws(() => counter_close(wrong as never), { name: "TypeError", message: /^counter_close: argument of must be an address, not "/ });
}
counter_close(own);

// Addresses that are none.
const mark = (distance: number) => -distance as Pointer<any>;
assert.equal(is_mark(mark(1), mark(2), { none: mark(3), call: mark(4) }), 1);
assert.equal(is_mark(MARK_NONE, MARK_CALL, { none: mark(3), call: mark(4) }), 1);
assert.equal(is_mark(MARK_NONE, null, { none: MARK_NONE, call: MARK_CALL }), 0);
assert.deepEqual([marks_of(-5).none, marks_of(-6).call], [-5, -6]);
assert.throws(() => is_mark(mark(4096), null, {}), { name: "RangeError", message: "is_mark: argument none is -4096, which is not an address" });

// Sizes that are errors.
assert.deepEqual([size_or(0), size_or(70), is_error(size_or(70)), is_error(size_or(0)), is_error(-200)], [8, -70, 1, 0, 0]);
assert.throws(() => is_error(-4096), { name: "RangeError", message: "is_error: argument size is -4096, which is not a usize" });
assert.throws(() => size_or(5000), { name: "RangeError", message: /which no number holds exactly/ });
console.log("all is well");
