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
      number = native.$retain(adapt === undefined ? this.#function : adapt(this.#function), at);
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

/** A function that native code keeps, as the glue takes it. */
function adapted(value, adapt, at) {
  if (typeof value === "function") return adapt(value);
  throw new TypeError(`${at} must be a function, not ${shown(value)}`);
}

/** The address of a function in memory: a Callback has one for each kind of function. */
const code = (kind, adapt) => ({
  size: 8, align: 8,
  get: address.get,
  set(r, o, value, at) {
    if (typeof value === "function") throw new TypeError(`${at} must be a Callback, which the program keeps, or an address, not a function`);
    const found = value instanceof Callback ? native.$function(kind, value._number(adapt, at)) : pointer(value, undefined, true, at);
    address.set(r, o, found, at);
  },
});

/** Where callbacks and their results that are not numbers are exchanged with the glue. */
let exchange;
const received = (of, offset) => new of(of.get(exchange, offset));
function sent(of, value) {
  const at = "the result of a callback";
  of.set(exchange, 0, value, at);
  check(of, exchange, 0, at);
}

/** Opens the library, at the path in an environment variable of this name if there is one. */
function open(module, variable, room) {
  native = module;
  exchange = fresh(room);
  // A worker's `process.env` is its own: what is set there, the library's own look at the environment misses.
  return module.$open(process.env[variable], exchange.base, NativeError, !isMainThread);
}

/** A variable of the library. */
function variable(target, name, address, of, mutable) {
  let region;
  const found = () => (region ??= memory(address, of.size));
  const set = (value) => of.set(found(), 0, value, name);
  Object.defineProperty(target, name, { enumerable: true, get: () => of.get(found(), 0), set: mutable ? set : undefined });
}

module.exports = {
  Callback, Handle, NativeArray, NativeError, Out, OwnedBuffer, View, adapted, address, addressOf, array, behind, bits, bool, bytesAt, callback, char, code,
  dispose, end, f32, f64, fromChar, given, i128, i16, i32, i64, i64n, i8, isize, named, nowhere, numbers, open, owned, place, pointer, received, record, relative, sent,
  slice, span, text, textAt, textsAt, toChar, truth, u128, u16, u32, u64, u64n, u8, usize, value, variable,
};
