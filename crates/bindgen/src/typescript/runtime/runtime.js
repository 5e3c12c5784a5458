"use strict";
// What all generated functions and classes are made of: views, numbers in memory, owned buffers, callbacks.

/** The glue module; set by `open`. */
let native;

const dispose = Symbol.dispose ?? Symbol.for("nodejs.dispose");
if (!Symbol.dispose) Object.defineProperty(Symbol, "dispose", { value: dispose });

/** What a fallible function throws. */
class NativeError extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}
NativeError.prototype.name = "NativeError";

/** Memory: a buffer, a view over all of it, and its native address (NaN once it was released). */
class Region {
  constructor(buffer, base) {
    this.buffer = buffer;
    this.view = new DataView(buffer);
    this.base = base;
  }
  release() {
    this.base = NaN;
    native.$detach(this.buffer);
  }
}

const SLAB = 16384;
/** The region that the last `reserve` found room in. */
let slab;
let top = SLAB;

function fresh(size) {
  const buffer = new ArrayBuffer(size);
  return new Region(buffer, native.$address(buffer));
}

/** Room for a value: an offset into `slab`, which is zero there. */
function reserve(size, align) {
  let offset = top;
  if (slab !== undefined) offset += (align - ((slab.base + top) % align)) % align;
  if (slab === undefined || offset + size > slab.buffer.byteLength) {
    slab = fresh(Math.max(SLAB, size + align));
    offset = (align - (slab.base % align)) % align;
  }
  top = offset + size;
  return offset;
}

/** Native memory as a region. */
function memory(address, size) {
  if (size === 0) return new Region(new ArrayBuffer(0), address);
  if (address === 0) throw new TypeError("the address is null");
  return new Region(native.$memory(address, size), address);
}

function copy(from, start, to, offset, size) {
  const [source, target] = [from.view, to.view];
  if (size > 128) {
    new Uint8Array(to.buffer, offset, size).set(new Uint8Array(from.buffer, start, size));
    return;
  }
  let at = 0;
  for (; at + 4 <= size; at += 4) target.setUint32(offset + at, source.getUint32(start + at));
  for (; at < size; at++) target.setUint8(offset + at, source.getUint8(start + at));
}

function shown(value) {
  return typeof value === "bigint" ? `${value}n` : typeof value === "string" ? JSON.stringify(value) : String(value);
}

function outOfRange(at, value, what) {
  if (typeof value !== "number" && typeof value !== "bigint") return new TypeError(`${at} must be a number, not ${shown(value)}`);
  return new RangeError(`${at} is ${shown(value)}, which is no ${what}`);
}

// Numbers in memory: each reads and writes one at an offset of a region.

const little = LITTLE;

function small(name, size, low, high, Array, get, set) {
  return {
    size, align: size, Array,
    get,
    set(region, offset, value, at) {
      if (typeof value !== "number" || !(value >= low && value <= high) || value % 1 !== 0) throw outOfRange(at, value, name);
      set(region, offset, value);
    },
  };
}

const i8 = small("i8", 1, -128, 127, Int8Array, (r, o) => r.view.getInt8(o), (r, o, v) => r.view.setInt8(o, v));
const u8 = small("u8", 1, 0, 255, Uint8Array, (r, o) => r.view.getUint8(o), (r, o, v) => r.view.setUint8(o, v));
const i16 = small("i16", 2, -32768, 32767, Int16Array, (r, o) => r.view.getInt16(o, little), (r, o, v) => r.view.setInt16(o, v, little));
const u16 = small("u16", 2, 0, 65535, Uint16Array, (r, o) => r.view.getUint16(o, little), (r, o, v) => r.view.setUint16(o, v, little));
const i32 = small("i32", 4, -2147483648, 2147483647, Int32Array, (r, o) => r.view.getInt32(o, little), (r, o, v) => r.view.setInt32(o, v, little));
const u32 = small("u32", 4, 0, 4294967295, Uint32Array, (r, o) => r.view.getUint32(o, little), (r, o, v) => r.view.setUint32(o, v, little));

function number(value, at) {
  if (typeof value !== "number") throw new TypeError(`${at} must be a number, not ${shown(value)}`);
  return value;
}

const f32 = {
  size: 4, align: 4, Array: Float32Array,
  get: (r, o) => r.view.getFloat32(o, little),
  set: (r, o, value, at) => r.view.setFloat32(o, number(value, at), little),
};
const f64 = {
  size: 8, align: 8, Array: Float64Array,
  get: (r, o) => r.view.getFloat64(o, little),
  set: (r, o, value, at) => r.view.setFloat64(o, number(value, at), little),
};

/** A bigint within its range; safe integers are taken too. */
function big(value, low, high, at, name) {
  if (Number.isSafeInteger(value)) value = BigInt(value);
  if (typeof value !== "bigint" || value < low || value > high) throw outOfRange(at, value, name);
  return value;
}

const I64 = 1n << 63n;
const U64 = (1n << 64n) - 1n;
const i64 = {
  size: 8, align: 8, Array: BigInt64Array,
  get: (r, o) => r.view.getBigInt64(o, little),
  set: (r, o, value, at) => r.view.setBigInt64(o, big(value, -I64, I64 - 1n, at, "i64"), little),
};
const u64 = {
  size: 8, align: 8, Array: BigUint64Array,
  get: (r, o) => r.view.getBigUint64(o, little),
  set: (r, o, value, at) => r.view.setBigUint64(o, big(value, 0n, U64, at, "u64"), little),
};

/** The same as numbers where they are safe. */
const safe = (of) => ({
  size: 8, align: 8,
  get(r, o) {
    const value = of.get(r, o);
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  },
  set: of.set,
});
const i64n = safe(i64);
const u64n = safe(u64);

function wide(name, signed) {
  const low = signed ? -(1n << 127n) : 0n;
  const high = signed ? (1n << 127n) - 1n : (1n << 128n) - 1n;
  return {
    size: 16, align: 16,
    get(r, o) {
      const value = r.view.getBigUint64(little ? o : o + 8, little) | (r.view.getBigUint64(little ? o + 8 : o, little) << 64n);
      return signed ? BigInt.asIntN(128, value) : value;
    },
    set(r, o, value, at) {
      value = BigInt.asUintN(128, big(value, low, high, at, name));
      r.view.setBigUint64(little ? o : o + 8, value & U64, little);
      r.view.setBigUint64(little ? o + 8 : o, value >> 64n, little);
    },
  };
}
const i128 = wide("i128", true);
const u128 = wide("u128", false);

/** An integer of an address's width, as a number. */
function sized(name, signed) {
  return {
    size: 8, align: 8,
    get(r, o) {
      const high = signed ? r.view.getInt32(little ? o + 4 : o, little) : r.view.getUint32(little ? o + 4 : o, little);
      const value = high * 4294967296 + r.view.getUint32(little ? o : o + 4, little);
      if (!Number.isSafeInteger(value)) throw new RangeError(`the ${name} ${value} is more than a number holds exactly`);
      return value;
    },
    set(r, o, value, at) {
      if (!Number.isSafeInteger(value) || (!signed && value < 0)) throw outOfRange(at, value, name);
      r.view.setUint32(little ? o : o + 4, value % 4294967296, little);
      r.view.setUint32(little ? o + 4 : o, Math.floor(value / 4294967296), little);
    },
  };
}
const usize = sized("usize", false);
const isize = sized("isize", true);

const address = {
  size: 8, align: 8,
  get: usize.get,
  set: (r, o, value, at) => usize.set(r, o, pointer(value, undefined, true, at), at),
};

const bool = {
  size: 1, align: 1,
  get: (r, o) => r.view.getUint8(o) !== 0,
  set(r, o, value, at) {
    if (typeof value !== "boolean") throw new TypeError(`${at} must be a boolean, not ${shown(value)}`);
    r.view.setUint8(o, value ? 1 : 0);
  },
};

/** One character as its number. */
function fromChar(value, at) {
  const code = typeof value === "string" ? value.codePointAt(0) : undefined;
  if (code === undefined || value.length !== (code > 0xffff ? 2 : 1) || (code >= 0xd800 && code < 0xe000)) {
    throw new TypeError(`${at} must be a string of one character, not ${shown(value)}`);
  }
  return code;
}
const toChar = (code) => String.fromCodePoint(code);
const char = {
  size: 4, align: 4,
  get: (r, o) => toChar(r.view.getUint32(o, little)),
  set: (r, o, value, at) => r.view.setUint32(o, fromChar(value, at), little),
};

/** A C bitfield: the bytes that it touches change only where it lies. */
function bits(size, shift, width, signed, long) {
  const first = shift >> 3;
  const last = (shift + width - 1) >> 3;
  const low = BigInt(shift - first * 8);
  const mask = (1n << BigInt(width)) - 1n;
  const place = (byte) => (little ? byte : size - 1 - byte);
  const read = (r, o) => {
    let all = 0n;
    for (let byte = last; byte >= first; byte--) all = (all << 8n) | BigInt(r.view.getUint8(o + place(byte)));
    return all;
  };
  const half = 1n << BigInt(width - 1);
  return {
    get(r, o) {
      let value = (read(r, o) >> low) & mask;
      if (signed) value = BigInt.asIntN(width, value);
      return long ? value : Number(value);
    },
    set(r, o, value, at) {
      const name = `bitfield of ${width} bits`;
      const given = big(value, signed ? -half : 0n, signed ? half - 1n : mask, at, name);
      let all = (read(r, o) & ~(mask << low)) | ((given & mask) << low);
      for (let byte = first; byte <= last; byte++, all >>= 8n) r.view.setUint8(o + place(byte), Number(all & 255n));
    },
  };
}

/** Values side by side in memory that are no numbers of a typed array. */
class NativeArray {
  constructor(of, region, offset, length) {
    this._of = of;
    this._r = region;
    this._o = offset;
    this.length = length;
  }
  _place(index, at) {
    if (!Number.isInteger(index) || index < 0 || index >= this.length) {
      throw new RangeError(`${at}: the index ${shown(index)} is outside an array of ${this.length}`);
    }
    return this._o + index * this._of.size;
  }
  at(index) {
    return this._of.get(this._r, this._place(index, "at"));
  }
  set(index, value) {
    this._of.set(this._r, this._place(index, "set"), value, `set: element ${index}`);
  }
  *[Symbol.iterator]() {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }
}

function elements(of, region, offset, length) {
  if (of.Array !== undefined && offset % of.size === 0) return new of.Array(region.buffer, offset, length);
  return new NativeArray(of, region, offset, length);
}

/** A fixed number of values in a field. */
function array(of, length) {
  return {
    size: of.size * length, align: of.align,
    get: (region, offset) => elements(of, region, offset, length),
    set(region, offset, value, at) {
      if (value === null || typeof value !== "object" || value.length !== length) {
        throw new TypeError(`${at} must be an array of ${length}`);
      }
      const list = value instanceof NativeArray ? [...value] : value;
      for (let index = 0; index < length; index++) of.set(region, offset + index * of.size, list[index], `${at}[${index}]`);
    },
  };
}

/** A struct, a union or an enum with data in memory. */
class View {
  constructor(init, region, offset) {
    if (region === undefined) {
      offset = reserve(new.target.size, new.target.align);
      region = slab;
    }
    this._r = region;
    this._o = offset;
    if (init !== undefined) fill(this, init);
  }
  static get(region, offset) {
    return new this(undefined, region, offset);
  }
  static set(region, offset, value, at) {
    const from = record(this, value, at);
    copy(from._r, from._o, region, offset, this.size);
  }
  /** The one at an address, as long as native code keeps it there. */
  static at(address) {
    return new this(undefined, memory(pointer(address, this, false, `${this.name}.at: address`), this.size), 0);
  }
  /** A copy of the one at an address. */
  static read(address) {
    const made = new this();
    native.$copy(pointer(address, this, false, `${this.name}.read: address`), made._r.base + made._o, this.size);
    return made;
  }
  /** Several, side by side: so many, or copies of these. */
  static array(given) {
    const length = typeof given === "number" ? given : given.length;
    const offset = reserve(this.size * length, this.align);
    const made = new NativeArray(this, slab, offset, length);
    if (typeof given !== "number") for (let index = 0; index < length; index++) made.set(index, given[index]);
    return made;
  }
}

function fill(view, init) {
  const Class = view.constructor;
  if (init instanceof Class) {
    copy(init._r, init._o, view._r, view._o, Class.size);
    return;
  }
  if (init === null || typeof init !== "object") throw new TypeError(`${Class.name} must be made of an object, not ${shown(init)}`);
  for (const name of Object.keys(init)) {
    if (!(name in Class.prototype)) throw new TypeError(`${Class.name} has no field ${name}`);
    view[name] = init[name];
  }
}

/** A view of this class, made of an object if it is none. */
function record(Class, value, at) {
  if (value instanceof Class) return value;
  if (value === null || typeof value !== "object" || value instanceof View) {
    throw new TypeError(`${at} must be a ${Class.name}, not ${shown(value?.constructor?.name ?? value)}`);
  }
  return new Class(value);
}

/** The address of a view's first byte. */
const place = (view) => view._r.base + view._o;

/** Reading an address: of a view or an array of `of` (any, where that is undefined), or a number. */
function pointer(value, of, nullable, at) {
  let found;
  if (typeof value === "number") found = value;
  else if (value === null || value === undefined) found = 0;
  else if (value instanceof View && (of === undefined || value instanceof (of.prototype ? of : NoView))) found = place(value);
  else if (value instanceof NativeArray && (of === undefined || value._of === of)) found = place(value);
  else if (value instanceof Handle && (of === undefined || value instanceof (of.prototype ? of : NoView))) found = value._address();
  else if (of?.Array ? value instanceof of.Array : of === undefined && (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)) {
    found = native.$address(value);
  } else throw new TypeError(`${at} must be an address${of?.name ? ` or a ${of.name}` : ""}, not ${shown(value?.constructor?.name ?? value)}`);
  if (found === 0 && !nullable) throw new TypeError(`${at} must not be null`);
  if (found !== found) throw new TypeError(`${at} was released`);
  return found;
}
class NoView {}

/** The address of anything that lies in native memory. */
const addressOf = (value) => pointer(value, undefined, true, "addressOf: value");

/** A parameter that is a slice of what no typed array holds. */
function slice(of, value, at) {
  if (value instanceof NativeArray && value._of === of) return value;
  if (Array.isArray(value)) {
    const offset = reserve(of.size * value.length, of.align);
    const made = new NativeArray(of, slab, offset, value.length);
    for (let index = 0; index < value.length; index++) of.set(made._r, made._place(index, at), value[index], `${at}[${index}]`);
    return made;
  }
  throw new TypeError(`${at} must be a NativeArray${of.name ? ` of ${of.name}` : ""} or an array`);
}

/** What a slice struct says, as an array over native memory. */
function span(view, of) {
  const [data, length] = [usize.get(view._r, view._o), usize.get(view._r, view._o + 8)];
  return elements(of, memory(length === 0 ? 0 : data, length * of.size), 0, length);
}

/** Elements that native code has given away: they are released once. */
class OwnedBuffer {
  #region;
  #array;
  #parts;
  constructor(view, of) {
    const part = (index) => usize.get(view._r, view._o + index * 8);
    const [data, length] = [part(0), part(1)];
    this.#parts = [part(3), data, length, part(2)];
    this.#region = memory(length === 0 ? 0 : data, length * of.size);
    this.#array = elements(of, this.#region, 0, length);
    buffers.register(this, this.#parts, this);
  }
  /** The elements; arrays of numbers are detached when it is released. */
  get array() {
    if (this.#array === undefined) throw new TypeError("the buffer was released");
    return this.#array;
  }
  get length() {
    return this.array.length;
  }
  release() {
    if (this.#array === undefined) return;
    this.#array = undefined;
    buffers.unregister(this);
    this.#region.release();
    free(this.#parts);
  }
  [dispose]() {
    this.release();
  }
}

function free([release, data, length, capacity]) {
  if (release !== 0) native.$free(release, data, length, capacity);
}

// The array of a forgotten buffer may live longer than the buffer: it keeps the buffer.
const owners = new WeakMap();
const buffers = new FinalizationRegistry(free);
function owned(view, of) {
  const buffer = new OwnedBuffer(view, of);
  const array = buffer.array;
  owners.set(array instanceof NativeArray ? array._r : array.buffer, buffer);
  if (array instanceof NativeArray) owners.set(array._r.buffer, buffer);
  return buffer;
}

/** What native code made and must be given back. */
class Handle {
  #address;
  _hold(address, release) {
    if (address === 0) throw new TypeError(`${this.constructor.name}: native code returned null`);
    this.#address = address;
    if (release !== undefined) handles.register(this, { address, release }, this);
    return this;
  }
  _address() {
    if (this.#address === undefined) throw new TypeError(`the ${this.constructor.name} was released`);
    return this.#address;
  }
  /** Lets go of the address without releasing what lies there. */
  _leave() {
    const address = this._address();
    this.#address = undefined;
    handles.unregister(this);
    return address;
  }
  get released() {
    return this.#address === undefined;
  }
}
const handles = new FinalizationRegistry(({ address, release }) => release(address));

/** A function that native code may keep until it is released. */
class Callback {
  #function;
  #numbers = new Map();
  constructor(call) {
    if (typeof call !== "function") throw new TypeError(`Callback: argument call must be a function, not ${shown(call)}`);
    this.#function = call;
  }
  _number(adapt, at) {
    if (this.#function === undefined) throw new TypeError(`${at} is a Callback that was released`);
    let number = this.#numbers.get(adapt);
    if (number === undefined) {
      number = native.$retain(adapt === undefined ? this.#function : adapt(this.#function));
      this.#numbers.set(adapt, number);
    }
    return -number;
  }
  /** Ends it: a native call after this is an error. */
  release() {
    for (const number of this.#numbers.values()) native.$release(number);
    this.#numbers.clear();
    this.#function = undefined;
  }
  [dispose]() {
    this.release();
  }
}

/** A callback as the glue takes it. */
function callback(value, adapt, at) {
  if (typeof value === "function") return adapt === undefined ? value : adapt(value);
  if (value instanceof Callback) return value._number(adapt, at);
  if (value === null || value === undefined) return 0;
  if (typeof value === "number") return value;
  throw new TypeError(`${at} must be a function, a Callback or an address, not ${shown(value)}`);
}

/** Where callbacks and their results that are no numbers are exchanged with the glue. */
let exchange;
const received = (of, offset) => new of(of.get(exchange, offset));
const sent = (of, value) => of.set(exchange, 0, value, "the result of a callback");

function open(module, path, room) {
  native = module;
  exchange = fresh(room);
  return module.$open(path, exchange.base, NativeError);
}

/** A variable of the library. */
function variable(target, name, address, of, mutable) {
  let region;
  const found = () => (region ??= memory(address, of.size));
  const set = (value) => of.set(found(), 0, value, name);
  Object.defineProperty(target, name, { enumerable: true, get: () => of.get(found(), 0), set: mutable ? set : undefined });
}

module.exports = {
  Callback, Handle, NativeArray, NativeError, OwnedBuffer, View, address, addressOf, array, bits, bool, callback, char,
  dispose, f32, f64, fromChar, i128, i16, i32, i64, i64n, i8, isize, open, owned, place, pointer, received, record, sent,
  slice, span, toChar, u128, u16, u32, u64, u64n, u8, usize, variable,
};
