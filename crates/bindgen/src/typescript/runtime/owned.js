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
