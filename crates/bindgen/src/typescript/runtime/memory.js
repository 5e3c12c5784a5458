"use strict";
// What all generated functions and classes are made of: views, numbers in memory, owned buffers, callbacks.

const { isMainThread, markAsUntransferable } = require("node:worker_threads");

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

/** Whoever it were transferred to would have memory that is freed here: it is copied to them. */
function own(buffer) {
  markAsUntransferable(buffer);
  return buffer;
}

const SLAB = 16384;
/** The region that the last `reserve` found room in. */
let slab;
let top = SLAB;

function fresh(size) {
  const buffer = own(new ArrayBuffer(size));
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
  return new Region(own(native.$memory(address, size)), address);
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

function outOfRange(at, value, why) {
  if (typeof value !== "number" && typeof value !== "bigint") return new TypeError(`${at} must be a number, not ${shown(value)}`);
  return new RangeError(`${at} is ${shown(value)}, which ${why}`);
}
