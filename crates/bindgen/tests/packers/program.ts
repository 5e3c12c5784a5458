// Reads and writes the golden bytes with the packers that bindgen made.

import * as packs from "./pack.js";
import { DateTime, Decimal, PackError, type Options } from "./pack-runtime.js";
import lines from "./golden.json";

interface Packer {
  pack(value: unknown, options?: Options): Uint8Array;
  unpack(bytes: Uint8Array, options?: Options): unknown;
}

const packers = packs as unknown as Record<string, Packer>;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex").toUpperCase();
let wrong = 0;

function check(right: boolean, what: string): void {
  if (right) return;
  wrong++;
  console.log(what);
}

function fails(what: string, run: () => unknown, message = ""): void {
  try {
    run();
    check(false, `${what}: no error`);
  } catch (error) {
    const right = error instanceof PackError && error.offset >= 0 && error.message.includes(message);
    check(right, `${what}: ${String(error)}`);
  }
}

for (const line of lines) {
  const packer = packers[line.type];
  if (packer === undefined) {
    check(false, `no packer ${line.type}`);
    continue;
  }
  const bytes = Uint8Array.from(Buffer.from(line.hex, "hex"));
  const options = (line.text === "utf8" ? {} : { text: line.text }) as Options;
  if (line.written.startsWith("error")) {
    fails(line.name, () => packer.unpack(bytes), line.written.slice("error".length));
    continue;
  }
  try {
    const written = hex(packer.pack(packer.unpack(bytes), options));
    check(written === line.written, `${line.name}: ${written} for ${line.written}`);
  } catch (error) {
    check(false, `${line.name}: ${String(error)}`);
  }
  // Every prefix of MemoryPack's, some of the many of Rust's.
  const step = line.name.startsWith("made by Rust") ? 17 : 1;
  for (let end = 0; end < bytes.length; end += step) {
    fails(`${line.name} up to ${end}`, () => packer.unpack(bytes.subarray(0, end)));
  }
  fails(`${line.name} and more`, () => packer.unpack(Uint8Array.from([...bytes, 0])));
  // Whatever bytes are given, nothing but a value or this error comes of it.
  for (let at = 0; at < Math.min(bytes.length, 300); at += step) {
    for (const byte of [0, 1, 0x7f, 0x80, 0xfa, 0xff]) {
      const other = Uint8Array.from(bytes);
      other[at] = byte;
      try {
        packer.unpack(other);
      } catch (error) {
        check(error instanceof PackError, `${line.name} with ${byte} at ${at}: ${String(error)}`);
      }
    }
  }
}

// Values, as MemoryPack has them.
const find = (name: string): Uint8Array => {
  const line = lines.find((line) => line.name === name);
  return Uint8Array.from(Buffer.from(line?.hex ?? "", "hex"));
};
const person = packs.Person.unpack(find("Person"));
check(person.age === 40 && person.name === "John", "Person");
check(packs.Person.unpack(find("Person utf8 nonascii")).name === "あ😀", "text");
const log = packs.Log.unpack(find("Log"));
check(log.addr === 0x04030201 && log.size === 99n && log.opt === 7 && log.opt2 === null, "Log numbers");
check(log.fs instanceof Float32Array && log.fs.join() === "1,2", "Log floats");
check(log.ps?.[0]?.age === 1 && log.ps[1] === null && log.d?.get("a") === 1, "Log lists");
check(log.tu[0] === 5 && log.tu[1] === "x", "Log tuple");
check(log.dt.toDate().toISOString() === "2024-01-02T03:04:05.000Z" && log.dt.kind === 1, "Log date");
check(log.dt.toString() === "2024-01-02T03:04:05Z", `${log.dt}`);
check(DateTime.fromDate(log.dt.toDate()).ticks === log.dt.ticks, "a date and back");
check(log.g === "00112233-4455-6677-8899-aabbccddeeff" && log.m.toString() === "1.5", "Log guid and decimal");
check(Decimal.parse("-0.50").toString() === "-0.50", "decimal text");
const um = packs.Um.unpack(find("Um"));
check(um.a === 1 && um.b === 2 && um.c === 3, "Um");
const shape = packs.Iu.unpack(find("IU300"));
check(shape.kind === "Ub" && shape.value.y === "z", "Iu");
const node = packs.Node.unpack(find("Node"));
check(node.kids?.[0]?.parent === node, "a circle is one");
const many = packs.Node.unpack(find("Node 200 kids, then kid 150 again"));
check(many.kids?.[200] === many.kids?.[150] && many.kids?.length === 201, "a shared one is one");

// A value with everything comes back equal.
const all = new packs.Everything({
  i8: -128, u16: 0xffff, u128: (1n << 128n) - 1n, size: 1n << 63n, three: Uint16Array.of(1, 2, 3), two: ["a", null],
  bytes: Uint8Array.of(1, 2, 255), wide: BigInt64Array.of(-1n, 1n << 62n),
  halves: [0, -0, 1, -2.5, 65504, 2 ** -24, 2 ** -14, 1 / 3, Infinity, 65520, 1e-8, 2049, 2051],
  sorted: new Map([["a", Float64Array.of(1.5)], ["b", Float64Array.of()]]),
  levels: new Set([packs.Level.Low, packs.Level.High]), queue: [person], shape: { kind: "Ua", value: new packs.Ua({ x: 1 }) },
  pair: new packs.Pair_String({ one: "é", other: null }), numbers: new packs.Pair_i32({ one: 1, other: 2 }),
  nested: [null, new packs.Vt({ a: 1, b: 2n, s: "x" })], class: true, pack: true,
});
const bytes = packs.Everything.pack(all);
const back = packs.Everything.unpack(bytes);
check(hex(packs.Everything.pack(back)) === hex(bytes), "everything");
check(back.u128 === all.u128 && back.size === all.size && back.wide[1] === 1n << 62n, "wide numbers");
const halves = "0,0,1,-2.5,65504,5.960464477539063e-8,0.00006103515625,0.333251953125,Infinity,Infinity,0,2048,2052";
check(back.halves.join() === halves && Object.is(back.halves[1], -0), `halves ${back.halves.join()}`);
check(back.sorted.get("a")?.[0] === 1.5 && back.levels.has(-300) && back.queue[0]?.name === "John", "lists");
check(back.shape.kind === "Ua" && back.numbers?.other === 2 && back.nested[1]?.s === "x" && back.pack, "objects");
const round = (text: "utf8" | "utf8-without-length" | "utf16"): string | null => {
  const bytes = packs.Person.pack({ age: 1, name: "あ😀" }, { text });
  return packs.Person.unpack(bytes).name;
};
for (const text of ["utf8", "utf8-without-length", "utf16"] as const) check(round(text) === "あ😀", text);

// What is missing has its default, and what is unknown is passed over.
check(packs.Person.unpack(Uint8Array.of(0)).age === 0, "no members");
check(JSON.stringify(packs.Everything.unpack(bytes).two) === '["a",null]', "two");

// Lists of numbers are arrays of their own class, of whichever realm, and no others: those have other bytes.
const classes = [
  Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array,
  BigInt64Array, BigUint64Array, Float32Array, Float64Array,
] as const;
const members = "i8s u8s i16s u16s i32s u32s i64s u64s isizes usizes f32s f64s".split(" ");
const wrongType = (what: string, member: string, kind: string, run: () => unknown): void => {
  try {
    run();
    check(false, `${what}: no error`);
  } catch (error) {
    const text = String(error);
    check(error instanceof TypeError && text.includes(`${member} takes a ${kind}, not `), `${what}: ${text}`);
  }
};
const others: unknown[] = [
  [1, 2], [1n, 2n], [], null, undefined, 7, 7n, "12", {}, { length: 2 }, new Set([1]), new ArrayBuffer(8), new DataView(new ArrayBuffer(8)),
  new Uint8ClampedArray(8), ...[...new Set<{ new (length: number): unknown }>(classes)].map((one) => new one(2)),
];
members.forEach((member, index) => {
  const kind = classes[index]!;
  const holder = (value: unknown): packs.NumberLists => Object.assign(new packs.NumberLists(), { [member]: value });
  const right = new kind(2);
  right[0] = (kind.name.startsWith("Big") ? 3n : 3) as never;
  const back = packs.NumberLists.unpack(packs.NumberLists.pack(holder(right))) as unknown as Record<string, ArrayLike<unknown>>;
  check(back[member]?.length === 2 && back[member]?.[0] === right[0], `${member} of ${kind.name}`);
  for (const other of others) {
    if (other instanceof kind) continue;
    const text = typeof other === "object" && other !== null ? other.constructor.name : String(other);
    wrongType(`${member} of ${text}`, `NumberLists.${member}`, kind.name, () => packs.NumberLists.pack(holder(other)));
  }
});
const plain = [1n, 2n] as unknown as BigUint64Array;
for (const init of [
  { perhaps: plain }, { lists: [plain] }, { named: new Map([["a", plain]]) }, { fixed: plain },
  { grid: { dimensions: [1, 2], items: plain } },
]) {
  const member = `NumberLists.${Object.keys(init)[0]}`;
  wrongType(member, member, "BigUint64Array", () => packs.NumberLists.pack(new packs.NumberLists(init)));
}
wrongType("a raw struct", "Keys.keys", "BigUint64Array", () => packs.Keys.pack(new packs.Keys({ keys: plain })));
check(packs.NumberLists.pack(new packs.NumberLists({ u8s: Buffer.from([1, 2]) })).includes(2), "a Buffer is a Uint8Array");
const wide = packs.NumberLists.unpack(packs.NumberLists.pack(new packs.NumberLists({ i128s: [-1n], u128s: [1n << 127n], queue: [7n] })));
check(wide.i128s[0] === -1n && wide.u128s[0] === 1n << 127n && wide.queue[0] === 7n, "what has no array class is an array of bigint");
fails("a number too large", () => packs.NumberLists.pack(new packs.NumberLists({ queue: [1n << 64n] })), "does not fit");

// What cannot be written.
fails("too large", () => packs.Person.pack({ age: 2 ** 31, name: null }), "does not fit");
fails("no whole number", () => packs.Person.pack({ age: 0.5, name: null }), "does not fit");
fails("half a character", () => packs.Person.pack({ age: 1, name: "a\ud800" }), "half a character");
fails("half a character in UTF-16", () => packs.Person.pack({ age: 1, name: "\udc00" }, { text: "utf16" }), "half");
const deep = new packs.Node();
let last = deep;
for (let depth = 0; depth < 5000; depth++) {
  const next = new packs.Node({ parent: null });
  last.parent = next;
  last = next;
}
fails("too deep", () => packs.Node.pack(deep), "nested deeper");

// What cannot be read, and where.
const at = (text: string, type: { unpack(bytes: Uint8Array): unknown }, offset: number, what: string): void => {
  try {
    type.unpack(Uint8Array.from(Buffer.from(text, "hex")));
    check(false, `${text}: no error`);
  } catch (error) {
    const right = error instanceof PackError && error.offset === offset && error.message.includes(what);
    check(right, `${text}: ${String(error)}`);
  }
};
at("FF", packs.Person, 0, "null");
at("03", packs.Person, 0, "members");
at("0201000000FEFFFFFF0200000061", packs.Person, 5, "says 2");
at("0201000000FEFFFFFF01000000C0", packs.Person, 5, "Unicode");
at("02010000000100000000D8", packs.Person, 5, "Unicode");
at("0200000000FFFFFF7F", packs.Person, 9, "too early");
at("FE", packs.Iu, 0, "not a tag");
at("FA2D01", packs.Iu, 3, "not one of the union");
at("FA00", packs.Node, 0, "not there before");
at("01FFFFFF7F", packs.W3, 1, "not in what is left");
at("02010000000300000000", packs.Person, 9, "too early");
at("017F", packs.Vt, 0, "longer than what is left");
at("01FEFFFFFF", packs.W3, 1, "not a count");
let nest = "";
for (let depth = 0; depth < 3000; depth++) nest += `02847D0000${depth < 128 ? depth.toString(16).padStart(2, "0") : "00"}`;
fails("deep bytes", () => packs.Node.unpack(Uint8Array.from(Buffer.from(nest, "hex"))));

console.log(wrong === 0 ? `${lines.length} lines, nothing wrong` : `${wrong} wrong`);
process.exitCode = wrong === 0 ? 0 : 1;
