"use strict";
// What one writes without a generator and without a compiler: koffi.

const koffi = require("koffi");

const library = koffi.load(process.env.UPCALL_BENCH_API_LIBRARY);
koffi.struct("Body", { x: "double", y: "double", z: "double", dx: "double", dy: "double", dz: "double" });
koffi.struct("Str", { data: "str", length: "size_t" });
koffi.struct("Slice", { data: "const float *", length: "size_t" });
koffi.proto("int32_t Callback(void *context, int32_t value)");

const lengthOf = library.func("uint32_t length(Str text, _Out_ void **failure)");
const sumOf = library.func("float sum(Slice values)");
const applied = library.func("int32_t apply(int32_t value, Callback *callback, void *context)");
const repeated = library.func("int32_t repeat(int32_t times, Callback *callback, void *context)");
const check = library.func("uint32_t checked(int32_t value, _Out_ void **failure)");

module.exports = {
  add: library.func("int32_t add(int32_t a, int32_t b)"),
  moved: library.func("Body moved(Body body)"),
  length(text) {
    const failure = [null];
    const result = lengthOf({ data: text, length: Buffer.byteLength(text) }, failure);
    if (failure[0] !== null) throw new Error("length failed");
    return result;
  },
  sum: (values) => sumOf({ data: values, length: values.length }),
  apply: (value, callback) => applied(value, callback, null),
  repeat: (times, callback) => repeated(times, callback, null),
  checked(value) {
    const failure = [null];
    const result = check(value, failure);
    if (failure[0] !== null) throw new Error("checked failed");
    return result;
  },
  /** A callback that is made once: cheaper than one for each call. */
  callback: (call) => koffi.register((_, value) => call(value), koffi.pointer("Callback")),
};
