/** The memory of a value behind a pointer, by the name that `Out` has for it. */
const scalars = { address, bool, char, f32, f64, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize };
const scalarName = (of) => Object.keys(scalars).find((kind) => scalars[kind] === (of.base ?? of));

/** Room for one value that native code writes through a pointer. */
class Out extends NativeArray {
  constructor(of, value) {
    const offset = reserve(of.size, of.align);
    super(of, slab, offset, 1);
    if (value !== undefined) this.value = value;
  }
  get value() {
    return this._of.get(this._r, this._o);
  }
  set value(value) {
    this._of.set(this._r, this._o, value, "Out.value");
  }
}
for (const [kind, of] of Object.entries(scalars)) Out[kind] = (value) => new Out(of, value);

/** What a message calls a value that does not fit. */
const called = (value) => shown(value instanceof Out ? `Out.${scalarName(value._of)}` : (value?.constructor?.name ?? value));

/** What a message says that a pointer takes. */
function taken(of, text) {
  const list = ["an address"];
  if (text) list.push("a string");
  if (of === undefined) list.push("a view", "an array in memory");
  else if (of.prototype) list.push(`a ${of.name}`);
  else if (of !== nowhere) {
    if (of.element !== undefined) list.push(of.Flat ? `a ${of.Flat.name}` : "a NativeArray of its elements");
    else if (isBytes(of)) list.push("a Uint8Array");
    else if (of.Array) list.push(`a ${of.Array.name}`);
    if (scalarName(of)) list.push(`an Out.${scalarName(of)}()`);
  }
  return list.length === 1 ? list[0] : `${list.slice(0, -1).join(", ")} or ${list.at(-1)}`;
}

/** Numbers of one byte, signed or not: C's `char` is either. */
const isBytes = (of) => of.size === 1 && of.Array !== undefined;
/** Nothing but an address. */
const nowhere = {};
class NoView {}

/** Reading an address: of a view or an array of `of` (any, where that is undefined), or a number. */
function pointer(value, of, nullable, at, text = false) {
  let found;
  if (typeof value === "number") found = value;
  else if (value === null || value === undefined) found = 0;
  else if (value instanceof View && (of === undefined || value instanceof (of.prototype ? of : NoView))) found = place(value);
  else if (of?.element !== undefined && !of.prototype && isWhole(value, of, at)) found = value instanceof NativeArray ? place(value) : native.$address(value);
  else if (value instanceof NativeArray && (of === undefined || value._of === of || value._of === of.base)) found = place(filled(value, nullable, at));
  else if (value instanceof Handle && (of === undefined || value instanceof (of.prototype ? of : NoView))) found = value._address();
  else if (of === undefined ? ArrayBuffer.isView(value) || value instanceof ArrayBuffer : isNumbers(value, of)) found = native.$address(filled(value, nullable, at));
  else throw new TypeError(`${at} must be ${taken(of, text)}, not ${called(value)}`);
  if (found === 0 && !nullable) throw new TypeError(`${at} must not be null`);
  if (found !== found) throw new TypeError(`${at} was released`);
  return found;
}
/** An array in which there is what a pointer that is never null promises. */
function filled(array, nullable, at) {
  if (!nullable && array.length === 0) throw new RangeError(`${at} has no elements, and native code looks at one`);
  return array;
}
/** Whether it holds the elements of a fixed number of values: as many, or more. */
function isWhole(value, of, at) {
  const several = value instanceof NativeArray && (value._of === of || value._of === of.element);
  if (!several && !(of.Flat !== undefined && value instanceof of.Flat)) return false;
  const bytes = several ? value.length * value._of.size : value.byteLength;
  if (bytes < of.size) throw new RangeError(`${at} has ${bytes} bytes, and the array that native code looks for ${of.size}`);
  return true;
}
function isNumbers(value, of) {
  if (isBytes(of)) return value instanceof Uint8Array || value instanceof Int8Array;
  return of.Array !== undefined && value instanceof of.Array;
}

/** The same for `const char *`: a string is taken as it is. */
const text = (value, of, nullable, at) => (typeof value === "string" ? value : pointer(value, of, nullable, at, true));

/** The address of anything that lies in native memory. */
const addressOf = (value) => pointer(value, undefined, true, "addressOf: value");

/** A length, or a number of elements. */
function lengthOf(value, at) {
  if (!Number.isSafeInteger(value) || value < 0) throw outOfRange(at, value, "does not fit into usize");
  return value;
}

/** The text at an address, up to its zero or so many bytes. */
function textAt(from, max) {
  const start = pointer(from, nowhere, true, "textAt: argument pointer");
  const most = max === undefined ? Number.MAX_SAFE_INTEGER : lengthOf(max, "textAt: argument max");
  return start === 0 ? null : native.$text(start, most);
}

/** The texts at so many addresses side by side. */
function textsAt(from, count) {
  const length = lengthOf(count, "textsAt: argument count");
  const start = pointer(from, nowhere, length === 0, "textsAt: argument pointer");
  const region = memory(start, length * address.size);
  return Array.from({ length }, (_, index) => textAt(address.get(region, index * address.size)));
}

/** A copy of so many bytes at an address. */
function bytesAt(from, length) {
  const made = new Uint8Array(lengthOf(length, "bytesAt: argument length"));
  const start = pointer(from, nowhere, length === 0, "bytesAt: argument pointer");
  if (length > 0) native.$copy(start, native.$address(made), length);
  return made;
}
