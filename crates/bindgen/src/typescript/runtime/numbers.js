// Numbers in memory: each reads and writes one at an offset of a region.

const little = LITTLE;

function small(name, size, low, high, Array, get, set) {
  return {
    size, align: size, Array,
    get,
    set(region, offset, value, at) {
      if (typeof value !== "number" || !(value >= low && value <= high) || value % 1 !== 0) throw outOfRange(at, value, `does not fit into ${name}`);
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
  if (typeof value !== "bigint" || value < low || value > high) throw outOfRange(at, value, `does not fit into ${name}`);
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

/** An integer of an address's width, as a number; a bigint is taken too. */
function sized(name, signed, wide) {
  return {
    size: 8, align: 8,
    get(r, o) {
      const high = signed ? r.view.getInt32(little ? o + 4 : o, little) : r.view.getUint32(little ? o + 4 : o, little);
      const value = high * 4294967296 + r.view.getUint32(little ? o : o + 4, little);
      if (!Number.isSafeInteger(value)) throw new RangeError(`the ${name} ${value} is more than a number holds exactly`);
      return value;
    },
    set(r, o, value, at) {
      if (typeof value === "bigint") return wide.set(r, o, value, at);
      if (!Number.isSafeInteger(value) || (!signed && value < 0)) throw outOfRange(at, value, `does not fit into ${name}`);
      r.view.setUint32(little ? o : o + 4, value % 4294967296, little);
      r.view.setUint32(little ? o + 4 : o, Math.floor(value / 4294967296), little);
    },
  };
}
const usize = sized("usize", false, u64);
const isize = sized("isize", true, i64);

/** An integer that has certain values only. */
function named(of, name, values) {
  const known = new Set(values.flatMap((value) => [value, Number(value)]));
  return {
    ...of, base: of,
    limits: [["", 0, of, numbers([...known].map((value) => [value, []])), `a value of ${name}`]],
    set(region, offset, value, at) {
      if (!known.has(value)) throw outOfRange(at, value, `is not a value of ${name}`);
      of.set(region, offset, value, at);
    },
  };
}

/** A number; the last ones that there are, which C has for marks as in `(void *)-1`, are negative. */
const address = {
  size: 8, align: 8,
  get: isize.get,
  set: (r, o, value, at) => isize.set(r, o, pointer(value, undefined, true, at), at),
};

function yes(value, at) {
  if (typeof value !== "boolean") throw new TypeError(`${at} must be a boolean, not ${shown(value)}`);
  return value ? 1 : 0;
}

const bool = {
  size: 1, align: 1,
  get: (r, o) => r.view.getUint8(o) !== 0,
  set: (r, o, value, at) => r.view.setUint8(o, yes(value, at)),
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

/** A bitfield that is a `bool`. */
const truth = (bit) => ({
  get: (r, o) => bit.get(r, o) != 0,
  set: (r, o, value, at) => bit.set(r, o, yes(value, at), at),
});

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
