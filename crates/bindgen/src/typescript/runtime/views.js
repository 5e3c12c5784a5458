/** Values side by side in memory that are not numbers of a typed array. */
class NativeArray {
  /** Several that no class makes: so many, or copies of these. */
  static of(kind, given) {
    const of = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (of === undefined) throw new TypeError(`NativeArray.of: there is no ${shown(kind)}; there are ${Object.keys(kinds).join(", ")}`);
    return several(of, given, "NativeArray.of: ");
  }
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

const kinds = { address, bool, char, i128, isize, u128, usize };

function several(of, given, at) {
  const length = typeof given === "number" ? given : given.length;
  if (!Number.isInteger(length) || length < 0) throw new RangeError(`${at}the length is ${shown(length)}`);
  const offset = reserve(of.size * length, of.align);
  const made = new NativeArray(of, slab, offset, length);
  if (typeof given !== "number") {
    for (let index = 0; index < length; index++) of.set(made._r, offset + index * of.size, given[index], `${at}element ${index}`);
  }
  return made;
}

function elements(of, region, offset, length) {
  if (of.Array !== undefined && offset % of.size === 0) return new of.Array(region.buffer, offset, length);
  return new NativeArray(of, region, offset, length);
}

/** Those of `array`: one for each type and length, so that their elements are known again. */
const arrays = new Map();

/** A fixed number of values in a field; `loose` ones may lie where no typed array can. */
function array(of, length, loose = false) {
  if (!arrays.has(of)) arrays.set(of, new Map());
  const known = arrays.get(of);
  const key = loose ? -length : length;
  if (!known.has(key)) known.set(key, fixed(of, length, loose));
  return known.get(key);
}

function fixed(of, length, loose) {
  return {
    size: of.size * length, align: of.align, element: of,
    limits: of.limits && [["", 0, length, of.size, of.limits]],
    /** What the numbers of several lie in. */
    Flat: of.Flat ?? of.Array,
    get: (region, offset) => (loose ? new NativeArray(of, region, offset, length) : elements(of, region, offset, length)),
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
    return several(this, given, `${this.name}.array: `);
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
    // Of what is in every object no struct has a field: such names are escaped.
    if (!(name in Class.prototype) || name in View.prototype) throw new TypeError(`${Class.name} has no field ${name}`);
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

/** A parameter that is a slice of what no typed array holds. */
function slice(of, value, mutable, at) {
  if (value instanceof NativeArray && value._of === of) return value;
  const { Flat } = of;
  if (Flat !== undefined && value instanceof Flat) {
    const length = value.byteLength / of.size;
    if (!Number.isInteger(length)) throw new RangeError(`${at} has ${value.length} numbers, and each element ${of.size / Flat.BYTES_PER_ELEMENT}`);
    return new NativeArray(of, new Region(value.buffer, native.$address(value.buffer)), value.byteOffset, length);
  }
  if (Array.isArray(value) && !mutable) return several(of, value, `${at}: `);
  const kind = Object.keys(kinds).find((kind) => kinds[kind] === of);
  const made = of.name ? `${of.name}.array(n)` : kind ? `NativeArray.of("${kind}", n)` : undefined;
  const wanted = [`a NativeArray${made ? ` (${made})` : ""}`];
  if (Flat !== undefined) wanted.push(`a ${Flat.name}`);
  if (!mutable) wanted.push("an array");
  throw new TypeError(`${at} must be ${wanted.join(" or ")}${mutable ? ", which native code writes to" : ""}, not ${shown(value?.constructor?.name ?? value)}`);
}

/** What a slice struct says, as an array over native memory. */
function span(view, of, lent) {
  const [data, length] = [usize.get(view._r, view._o), usize.get(view._r, view._o + 8)];
  const region = memory(length === 0 ? 0 : data, length * of.size);
  lent?.push(region);
  return elements(of, region, 0, length);
}

/** The end of what a callback was lent. */
function end(lent) {
  for (const region of lent) region.release();
}

/** The address of a handle that native code takes over. */
function given(value, of, nullable, at) {
  return value instanceof Handle && value instanceof of ? value._leave() : pointer(value, of, nullable, at);
}

/** What lies at an offset from a base: `view` has the offset in bytes, and the length. */
function relative(view, of, base) {
  const at = `${view.constructor.name}.elements`;
  const [offset, length] = [u64n.get(view._r, view._o), u64n.get(view._r, view._o + 8)];
  const size = Number(length) * of.size;
  const what = `${at}: ${length} elements at offset ${offset}`;
  if (!Number.isSafeInteger(Number(offset) + size)) throw new RangeError(`${what} end beyond all memory`);
  let region;
  let start = 0;
  if (typeof base === "number") {
    region = memory(pointer(base, undefined, true, `${at}: base`) + offset, size);
  } else {
    const found = extent(base, `${at}: base`);
    if (offset + size > found.size) throw new RangeError(`${what} end at byte ${offset + size}, and the base has ${found.size}`);
    region = found.region;
    start = found.start + offset;
  }
  if (of.Array !== undefined && length > 0 && (region.base + start) % of.size !== 0) {
    throw new RangeError(`${what} are at no multiple of ${of.size}`);
  }
  return length > 0 ? elements(of, region, start, length) : elements(of, memory(0, 0), 0, 0);
}

/** Where memory that JavaScript knows begins, and how many bytes it has. */
function extent(value, at) {
  let found;
  if (value instanceof View) found = { region: value._r, start: value._o, size: value.constructor.size };
  else if (value instanceof NativeArray) found = { region: value._r, start: value._o, size: value.length * value._of.size };
  else {
    const view = ArrayBuffer.isView(value) ? value : value instanceof ArrayBuffer ? new Uint8Array(value) : undefined;
    if (view === undefined) throw new TypeError(`${at} must be an address, or memory to look in, not ${shown(value?.constructor?.name ?? value)}`);
    found = { region: new Region(view.buffer, native.$address(view.buffer)), start: view.byteOffset, size: view.byteLength };
  }
  if (Number.isNaN(found.region.base)) throw new TypeError(`${at} was released`);
  return found;
}
