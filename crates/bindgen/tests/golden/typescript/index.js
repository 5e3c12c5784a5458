// Made by upcall bindgen 0.1.0 --config bindgen.toml --library statistics --rust src/lib.rs; do not edit.
"use strict";

const $ = require("./runtime.js");
const native = require("./statistics.node");
const addresses$ = $.open(native, "STATISTICS_LIBRARY", 64);
const { Callback, NativeArray, NativeError, Out, OwnedBuffer, View, addressOf, bytesAt, textAt, textsAt } = $;

class Slice_f64 extends $.View {
  static size = 16;
  static align = 8;
  static offsets = Object.freeze({ data: 0, len: 8 });
  get data() { return $.address.get(this._r, this._o + 0); }
  set data(value) { $.address.set(this._r, this._o + 0, value, "Slice_f64.data"); }
  get len() { return $.usize.get(this._r, this._o + 8); }
  set len(value) { $.usize.set(this._r, this._o + 8, value, "Slice_f64.len"); }
  elements() {
    return $.span(this, $.f64);
  }
}

class Text extends $.View {
  static size = 32;
  static align = 8;
  static offsets = Object.freeze({ data: 0, len: 8, capacity: 16, release: 24 });
  get data() { return $.address.get(this._r, this._o + 0); }
  set data(value) { $.address.set(this._r, this._o + 0, value, "Text.data"); }
  get len() { return $.usize.get(this._r, this._o + 8); }
  set len(value) { $.usize.set(this._r, this._o + 8, value, "Text.len"); }
  get capacity() { return $.usize.get(this._r, this._o + 16); }
  set capacity(value) { $.usize.set(this._r, this._o + 16, value, "Text.capacity"); }
  get release() { return $.address.get(this._r, this._o + 24); }
  set release(value) { $.address.set(this._r, this._o + 24, value, "Text.release"); }
}

class Failure extends $.View {
  static size = 40;
  static align = 8;
  static offsets = Object.freeze({ message: 0, code: 32 });
  get message() { return Text.get(this._r, this._o + 0); }
  set message(value) { Text.set(this._r, this._o + 0, value, "Failure.message"); }
  get code() { return $.i32.get(this._r, this._o + 32); }
  set code(value) { $.i32.set(this._r, this._o + 32, value, "Failure.code"); }
}

class Summary extends $.View {
  static size = 24;
  static align = 8;
  static offsets = Object.freeze({ min: 0, max: 8, count: 16 });
  get min() { return $.f64.get(this._r, this._o + 0); }
  set min(value) { $.f64.set(this._r, this._o + 0, value, "Summary.min"); }
  get max() { return $.f64.get(this._r, this._o + 8); }
  set max(value) { $.f64.set(this._r, this._o + 8, value, "Summary.max"); }
  get count() { return $.u32.get(this._r, this._o + 16); }
  set count(value) { $.u32.set(this._r, this._o + 16, value, "Summary.count"); }
}

class Str extends $.View {
  static size = 16;
  static align = 8;
  static offsets = Object.freeze({ data: 0, len: 8 });
  get data() { return $.address.get(this._r, this._o + 0); }
  set data(value) { $.address.set(this._r, this._o + 0, value, "Str.data"); }
  get len() { return $.usize.get(this._r, this._o + 8); }
  set len(value) { $.usize.set(this._r, this._o + 8, value, "Str.len"); }
}

class EmptyError extends NativeError {}
EmptyError.prototype.name = "EmptyError";
NativeError._EmptyError = EmptyError;

const statisticsVersion = native["statistics_version"];

const mean = native["mean"];

function summarize(values) {
  const result = new Summary();
  native["summarize"](values, $.place(result));
  return result;
}

function countIf(values, keep) {
  return native["count_if"](values, $.callback(keep, undefined, "count_if: argument keep"));
}

const greet = native["greet"];

const sumNew = native["sum_new"];

function sumAdd(sum, value) {
  return native["sum_add"]($.pointer(sum, Sum, false, "sum_add: argument sum"), value, sum);
}

function sumRelease(sum) {
  return native["sum_release"]($.given(sum, Sum, true, "sum_release: argument sum"), sum);
}

class Sum extends $.Handle {
  constructor(start) {
    super();
    this._hold(sumNew(start), sumRelease);
  }
  static from(address) {
    return $.Handle.prototype._hold.call(Reflect.construct($.Handle, [], Sum), address, sumRelease);
  }
  add(value) {
    return sumAdd(this, value);
  }
  release() {
    if (!this.released) sumRelease(this._leave());
  }
  [$.dispose]() {
    this.release();
  }
}

const statics = {};

module.exports = {
  Callback,
  NativeArray,
  NativeError,
  Out,
  OwnedBuffer,
  View,
  addressOf,
  bytesAt,
  textAt,
  textsAt,
  statics,
  Slice_f64,
  Text,
  Failure,
  Summary,
  Str,
  EmptyError,
  statisticsVersion,
  mean,
  summarize,
  countIf,
  greet,
  sumNew,
  sumAdd,
  sumRelease,
  Sum,
};
