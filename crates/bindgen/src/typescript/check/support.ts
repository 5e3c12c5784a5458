
declare const console: { log(line: string): void };
declare const process: { exitCode: number };

interface Class {
  readonly name: string;
  readonly size: number;
  readonly align: number;
  readonly offsets?: object;
  readonly tags?: object;
}

/** A `usize` or an address that no number holds exactly. */
const TOO_LARGE = Symbol("a RangeError");

let wrong = 0;

function expect(type: string, what: string, expected: unknown, found: unknown): void {
  if (Object.is(expected, found)) return;
  wrong++;
  console.log(`${type}: ${what}: expected ${String(expected)}, found ${String(found)}`);
}

function checked(type: string, check: (type: string) => void): void {
  try {
    check(type);
  } catch (thrown) {
    expect(type, "an exception", "none", thrown);
  }
}

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/** The bytes of a value. */
function inside(view: echo.View): Uint8Array {
  const { _r, _o } = view as unknown as { _r: { buffer: ArrayBuffer }; _o: number };
  return new Uint8Array(_r.buffer, _o, (view.constructor as unknown as Class).size);
}

function layout(type: string, found: Class, size: number, align: number, names: Record<string, number>): void {
  expect(type, "size", size, found.size);
  expect(type, "alignment", align, found.align);
  const places: Record<string, unknown> = { ...(found.offsets ?? found.tags) };
  const kind = found.offsets === undefined ? "tag" : "offset";
  for (const name of new Set([...Object.keys(names), ...Object.keys(places)])) {
    expect(type, `${kind} of ${name}`, names[name], places[name]);
  }
}

/** Whether two lie where an array of them has them. */
function neighbors(type: string, first: echo.View, second: echo.View, size: number, align: number): void {
  const [one, two] = [echo.addressOf(first), echo.addressOf(second)];
  expect(type, "distance in an array", size, two - one);
  expect(type, "address modulo alignment", 0, one % align);
}

/** What an accessor gives. */
function read(type: string, path: string, expected: unknown, get: () => unknown): void {
  let found: unknown;
  try {
    found = get();
  } catch (thrown) {
    found = expected === TOO_LARGE && thrown instanceof RangeError ? TOO_LARGE : thrown;
  }
  expect(type, `${path}, read`, expected, found);
}

/** What the elements of an array are, and its class. */
function list(type: string, path: string, name: string, expected: readonly unknown[], get: () => Iterable<unknown>): void {
  const array = get();
  expect(type, `class of ${path}, read`, name, array.constructor.name);
  const found = [...array];
  expect(type, `length of ${path}, read`, expected.length, found.length);
  expected.forEach((one, index) => expect(type, `${path}[${index}], read`, one, found[index]));
}

/** What the library saw. */
function seen(type: string, how: string): void {
  expect(type, `${how}, first wrong byte that the library saw`, -1, echo.MISMATCH());
}

/** What came back. */
function same(type: string, how: string, found: Uint8Array, expected: Uint8Array, mask: Uint8Array): void {
  const first = expected.findIndex((byte, index) => ((byte ^ (found[index] ?? 0)) & (mask[index] ?? 0)) !== 0);
  expect(type, `${how}, first wrong byte`, -1, first);
}
