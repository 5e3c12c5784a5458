// Calls the awkward library; throws where something is wrong, or says that all is well.
import * as awkward from "./index";
import { Access, addressOf, Aligned, Arrays, Callback, Computed, Event, Hand, Line, NativeError } from "./index";
import { Packed, Plain, Point, type Pointer, Sample, Shape, Signed, Step, Table, Tagged, Turn, Vast } from "./index";
import { View, WordCounter, Wrapped } from "./index";

declare const console: { log(text: string): void };

/** What of a value is compared: numbers as they are, views and arrays part by part. */
function parts(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (ArrayBuffer.isView(value)) return `[${[...(value as Uint8Array)].join()}]`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

function same<T>(found: T, expected: NoInfer<T>, what: string): void {
  if (parts(found) !== parts(expected)) throw new Error(`${what}: ${parts(found)}, not ${parts(expected)}`);
}

function fails(call: () => unknown, message: string | RegExp, code?: number): void {
  let thrown: unknown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  if (!(thrown instanceof Error)) throw new Error(`nothing was thrown; expected: ${message}`);
  const fits = typeof message === "string" ? thrown.message === message : message.test(thrown.message);
  if (!fits) throw new Error(`thrown: ${thrown.message}; expected: ${message}`);
  if (code !== undefined) same(thrown instanceof NativeError ? thrown.code : NaN, code, "the code");
}

function scalars(): void {
  same(awkward.add(2147483647, 1), -2147483648, "add");
  fails(() => awkward.add(2147483648, 1), /add: argument left/);
  same(awkward.increment(1), 2, "increment");
  same(awkward.long_sum(-5n, 3n), -2n, "long_sum");
  same(awkward.wide_negate(-(1n << 100n)), 1n << 100n, "wide_negate");
  same(awkward.wide_sum(5n, -7n), -2n, "wide_sum");
  fails(() => awkward.wide_sum(-1n, 0n), /wide_sum: argument left/);
  same(awkward.size_sum(5, -3), 2, "size_sum");
  same(awkward.next_char("é"), "ê", "next_char");
  same(awkward.next_char("😀"), "😁", "next_char beyond 16 bits");
  same(awkward.char_after("a"), "b", "char_after");
  fails(() => awkward.char_after("\u{10ffff}"), "there is none", 1);
  same(awkward.not(true), false, "not");
  same(awkward.toggled(false), true, "toggled");
  same(awkward.first_char("xyz"), 120, "first_char");
  same(awkward.first_char(null), 0, "first_char of nothing");
  same(awkward.non_zero(3), 3, "non_zero");
  same(awkward.maybe_non_zero(0n), 0n, "maybe_non_zero");
  same(awkward.maybe_non_zero(7n), 8n, "maybe_non_zero of seven");
  same(awkward.every(-1, 2, -3, 4, 5, -6n, 7n, 8n, 0.5, 0.25), 16.75, "every");
  same(awkward.small_non_zero(0), 255, "small_non_zero");
  same(awkward.keywords(1, 2, 3, 4, 5), 15, "keywords");
  same(awkward.shadows(1, 2, 3, 4), 6, "shadows");
  same(awkward.made_twice(4), 8, "made_twice");
  same(awkward.made_root(9), 3, "made_root");
  same(awkward.elsewhere(), 1, "elsewhere");
}

function enums(): void {
  same(awkward.signed_flip(Signed.Below), Signed.Above, "signed_flip");
  same(awkward.computed_of(Computed.Other), 101, "computed_of");
  same(awkward.plain_flip(Plain.Minus), Plain.Plus, "plain_flip");
  same(awkward.access_flip(Access.READ) & Access.BOTH, Access.WRITE, "access_flip");
  same(awkward.opposite(Turn.Left), Turn.Right, "opposite");
  fails(() => awkward.opposite(7 as Turn), /opposite: argument turn/);
  same(awkward.vast_next(Vast.Class), Vast.Most, "vast_next");
  same(awkward.hand_other(Hand.LEFT), Hand.RIGHT, "hand_other");
  same(awkward.shape_height(new Shape({ Circle: { _0: { x: 1 }, _1: 2 } })), 4, "shape_height of a circle");
  const shape = new Shape({ Box: { low: { y: 1 }, high: { y: 4 } } });
  same(awkward.shape_height(shape), 3, "shape_height of a box");
  same(shape.Circle, undefined, "a box that is a circle");
  shape.Nothing = true;
  same(awkward.shape_height(shape), 0, "shape_height of nothing");
  const key = awkward.event_next({ Quit: true });
  same(key.Key?._0, 7, "event_next");
  const move = awkward.event_next(key).Move;
  same(`${move?.x} ${move?.y}`, "7 -1", "event_next of a key");
  same(awkward.event_next({ Move: { x: 1 } }).tag, Event.tags.Quit, "event_next of a move");
  same(awkward.tagged_grow({ Small: { _0: 5 } }).Large?._0, 5n, "tagged_grow");
  same(awkward.tagged_grow(new Tagged({ Large: { _0: 258n } })).Small?._0, 2, "tagged_grow back");
}

function layouts(): void {
  same(awkward.point_sum({ x: 1, y: 2 }, new Point({ x: 3, y: 4 })).y, 6, "point_sum");
  same(awkward.packed_sum(new Packed({ tag_: 1, value: 2, wide: 3n })), 6n, "packed_sum");
  const packed = awkward.packed_by_two(1, 1n << 60n);
  same(packed.value, 1n << 60n, "packed_by_two");
  const aligned = awkward.aligned_double({ value: 1.5 });
  same(aligned.value, 3, "aligned_double");
  same(addressOf(aligned) % Aligned.align, 0, "the address of what is aligned");
  same(awkward.meters_half({ _0: 3 })._0, 1.5, "meters_half");
  same(awkward.pair_swap({ _0: 1, _1: 2 })._1, 1, "pair_swap");
  const arrays = new Arrays({ points: [{ x: 1 }, { y: 2 }, {}], rows: [[1, 2, 3], [4, 5, 6]], bytes: [1, 2, 3, 4, 5] });
  arrays.points.at(2).x = 10;
  arrays.rows.at(1)[0] = -4;
  same(awkward.arrays_sum(arrays), 1 + 2 + 10 + 21 - 8 + 15, "arrays_sum");
  same(awkward.number_of(1).int, 0x3ff0000000000000n, "number_of");
  const wrapped = new Wrapped();
  same(awkward.wrapped_set(wrapped, 9), 9, "wrapped_set");
  same(wrapped.unset + wrapped.cell, 18, "what wrapped_set has set");
  same(awkward.empty_address(null), true, "empty_address");
  same(awkward.triple_sum(addressOf(new Float32Array([1, 2, 3.5]))), 6.5, "triple_sum");
  const outer = awkward.outer_make(3, "ß");
  same(outer.letter, "ß", "a letter in a struct");
  same(outer.wide, (1n << 128n) - 1n, "128 bits in a struct");
  same(outer.packed.at(1).value, 7, "a packed struct in an array in a struct");
  same(`${outer.aligned.value} ${outer.number.int} ${outer.yes}`, "1.5 3 true", "outer_make");
  same(awkward.line_first(new Line({ bytes: [7, 8, 9] })), 7, "line_first");
  same(awkward.made_sum({ left: 1, right: 2 }).right, 2, "made_sum");
  same(awkward.files_sum({ value: 1 }, { value: 2 }, { value: 3 }, {}), 6, "files_sum");
  same(awkward.twin_join({ a: 1 }, { a: 2n, b: { a: 3 } }), 6n, "twin_join");
}

function pointers(): void {
  const handle = awkward.handle_new();
  same(awkward.handle_push(handle, 4), 1, "handle_push");
  same(awkward.handle_push(handle, 5), 2, "handle_push again");
  same(awkward.handle_sum(handle), 9, "handle_sum");
  same(awkward.handle_sum(null), 0, "handle_sum of nothing");
  awkward.handle_release(handle);
  const point = new Point({ x: 2, y: 3 });
  same(awkward.point_x(point), 2, "point_x");
  same(awkward.maybe_point(null), 0, "maybe_point of nothing");
  same(Point.at(awkward.maybe_point(point)).y, 3, "maybe_point");
  const to = new Point();
  same(awkward.point_copy(point, to), addressOf(to), "point_copy");
  same(to.y, 3, "what point_copy has written");
  fails(() => awkward.point_x(null as never), /point_x: argument point/);
  fails(() => awkward.point_x(new Packed() as never), /point_x: argument point must be an address or a Point/);
  same(awkward.read_number(new Uint32Array([77])), 77, "read_number");
  const number = new Int32Array([42]);
  const inner = new BigUint64Array([BigInt(addressOf(number))]);
  const outer = new BigUint64Array([BigInt(addressOf(inner))]);
  same(awkward.deep(addressOf(outer)), 42, "deep");
  const grid = Int16Array.of(1, 2, 3, 4, 5, 6);
  const points = new BigUint64Array([BigInt(addressOf(point)), BigInt(addressOf(to))]);
  same(awkward.grid_sum(addressOf(grid), addressOf(points)), 25, "grid_sum");
}

function generics(): void {
  const view = awkward.view_points();
  same(awkward.view_points_sum(view), 10, "view_points_sum");
  same([...awkward.fixed_fill(9).values].join(), "9,9,9", "fixed_fill");
  const swapped = awkward.both_swap({ left: 1, right: 2.5 });
  same(swapped.left + swapped.right, 3.5, "both_swap");
}

function values(): void {
  same(awkward.sum(new Float32Array([1, 2, 3.5])), 6.5, "sum");
  same(awkward.sum(new Float32Array()), 0, "sum of nothing");
  fails(() => awkward.sum([1, 2] as never), /sum: argument values/);
  fails(() => awkward.sum(new Float64Array(2) as never), /sum: argument values/);
  const floats = new Float32Array([1, 2, 3]);
  awkward.add_to(floats, floats.slice().fill(10));
  same(floats, new Float32Array([11, 12, 13]), "add_to");
  same(awkward.floats_sum(floats.subarray(1)), 25, "floats_sum of a part");
  same(awkward.rows_sum([[1, 2], [3, -4]]), 2, "rows_sum");
  const scaled = Point.array([{ x: 1, y: 2 } as Point, new Point({ x: 3 })]);
  awkward.points_scale(scaled, 2);
  same(scaled.at(0).y + scaled.at(1).x, 10, "points_scale");
  same(awkward.greet("Zoë 😀"), "hello, Zoë 😀", "greet");
  same(awkward.edition(), "2024", "edition");
  same(awkward.greeting(), "grüezi", "greeting");
  same(awkward.text_bytes("Zoë"), 4, "text_bytes");
  same(awkward.parse("-42"), -42n, "parse");
  fails(() => awkward.parse("x"), "`x` is not a number", 11);
  fails(() => awkward.parse(""), "the text is empty", 10);
  for (const [call, error] of [[() => awkward.parse("x"), awkward.NotANumberError], [() => awkward.words("x"), awkward.NativeError]] as const) {
    try {
      call();
    } catch (thrown) {
      same((thrown as Error).constructor, error, "an error of the function's own");
      same(thrown instanceof awkward.NativeError, true, "what all failures are");
    }
  }
  fails(() => awkward.nothing(true), "as asked", 1);
  awkward.nothing(false);
  fails(() => awkward.checked_add(2147483647, 1), /the sum is too large/, -1);
  const moved = awkward.moved({ at: 1, value: 0.5 }, new Sample({ at: 2, value: 1 }));
  same(`${moved.at} ${moved.value}`, "3 1.5", "moved");
  same(awkward.move_in_place(moved, null), false, "move_in_place by nothing");
  fails(() => awkward.move_in_place(moved, moved), /`sample` and `by` overlap/, -2);
  same(awkward.move_in_place(moved, new Sample({ at: 4 })), true, "move_in_place");
  same(moved.at, 7, "what move_in_place has moved");
}

function buffers(): void {
  const kept = awkward.numbers(3);
  same(kept.array, new Uint32Array([0, 1, 2]), "numbers");
  same(kept.length, 3, "how many numbers");
  kept.release();
  kept.release();
  fails(() => kept.array, "the buffer was released");
  using none = awkward.numbers(0);
  same(none.length, 0, "no numbers");
  using samples = awkward.samples(3);
  same([...samples.array].map((each) => each.value).join(), "0,0.5,1", "samples");
  using words = awkward.words("1 20 300");
  same(words.array, new Uint32Array([1, 20, 300]), "words");
  fails(() => awkward.words("1 b"), "invalid digit found in string", 1);
}

function callbacks(): void {
  same(awkward.visit(5, (value) => value < 2), 3, "visit");
  same(awkward.maybe_call(null, { x: 1 }), -1, "maybe_call of nothing");
  same(awkward.maybe_call((point) => point.x + point.y, { x: 1, y: 2 }), 3, "maybe_call");
  same(awkward.call_outer((inner, value) => (inner === 0 ? 0 : value + 1), 4), 5, "call_outer");
  same(awkward.count_if(new Int32Array([1, 2, 3]), (value) => value % 2 === 1), 2, "count_if");
  fails(() => awkward.count_if(new Int32Array(1), () => { throw new RangeError("thrown"); }), "thrown");
  const words: string[] = [];
  awkward.each_word("zwölf große Bären", (word, index) => words.push(`${index} ${word}`));
  same(words.join(), "0 zwölf,1 große,2 Bären", "each_word");
  same(awkward.each_row([[1, 2], [3, 4]], (row) => row[0] * row[1]), 14, "each_row");
  using sampled = awkward.sampled(3, (address) => {
    const sample = Sample.at(address);
    sample.value = sample.at * 10;
  });
  same([...sampled.array].map((each) => each.value).join(), "0,10,20", "sampled");
  same(awkward.apply((value) => value + 1, (value) => value * 3), 7, "apply");
  same(awkward.apply((value) => value + 1, null), 2, "apply without the other");
  const doubler = awkward.doubler();
  same(awkward.apply((value) => value, doubler), 4, "a native function as a callback");
  same(awkward.step_all(awkward.step_from(3)), 3, "step_all");
  const table = new Table({ first: doubler });
  same(awkward.table_call(table, 4), 8, "table_call");
  using first = new Callback((value: number) => value * 10);
  using second = new Callback((point: Pointer<Point>, context: Pointer) => Point.at(point).x + context);
  table.first = first;
  table.second = second;
  table.context = 100;
  same(awkward.table_call(table, 4), 144, "table_call of callbacks");
  using next = new Callback((step: Step) => ({ step: { next: step.next, count: step.count - 1 }, done: step.count < 2 }));
  same(awkward.step_all(new Step({ next, count: 5 })), 5, "step_all of a callback");
  fails(() => awkward.apply("no function" as never, null), /apply: argument call/);
  using odd = new Callback((value: number) => value % 2 === 1);
  same(awkward.count_if(new Int32Array([1, 2, 3]), odd), 2, "count_if with a callback");
  const released = new Callback((value: number) => value);
  released.release();
  released.release();
  fails(() => awkward.apply(released, null), /released/);
  let nested = 0;
  awkward.visit(2, () => awkward.visit(2, () => { nested += 1; return true; }) === 2);
  same(nested, 4, "a callback in a callback");
}

function handles(): void {
  const before = WordCounter.live();
  {
    using counter = new WordCounter(41n);
    same(counter.add(1n), 42n, "add of a counter");
    fails(() => counter.add(1000n), "42 and 1000 are more than 1000", 1);
    same(counter.visit((count) => same(count, 42n, "what is visited")), 42n, "visit of a counter");
    fails(() => counter.visit(() => counter.add(1n)), /in use/, -3);
    using fork: WordCounter = counter.fork();
    same(fork.add(1n), 43n, "fork");
    using parsed = WordCounter.parse("7");
    awkward.swap_counts(counter, parsed);
    same(`${counter.get()} ${parsed.get()}`, "7 42", "swap_counts");
    fails(() => awkward.swap_counts(counter, counter), /`left` and `right` overlap/, -2);
    same(awkward.total(counter, parsed) + awkward.total(counter, null), 56n, "total");
    using made: WordCounter = awkward.counter_of("a b c");
    same(made.get(), 3n, "counter_of");
    same(WordCounter.live(), before + 4, "how many live");
  }
  same(WordCounter.live(), before, "how many are left");
  fails(() => WordCounter.parse("x"), /invalid digit/);
  const released = new WordCounter(1n);
  released.release();
  released.release();
  fails(() => released.get(), "the WordCounter was released");
  fails(() => awkward.total(released, null), "the WordCounter was released");
  const address: Pointer<WordCounter> = awkward.word_counter_new(5n);
  same(awkward.word_counter_add(address, 1n), 6n, "a counter by its address");
  awkward.word_counter_release(address);
}

function constants(): void {
  same(awkward.SMALL, -2, "SMALL");
  same(awkward.ULONG, (1n << 64n) - 1n, "ULONG");
  same(awkward.NEGATIVE, -(1n << 127n), "NEGATIVE");
  same(awkward.TITLE, "awkward \"quoted\"\n", "TITLE");
  same(awkward.LETTER, "é", "LETTER");
  same(awkward.NAN, NaN, "NAN");
  same(awkward.WordCounter_MOST, 1000n, "MOST");
  same(awkward.statics.VERSION, 7, "VERSION");
  same(awkward.statics.ORIGIN.y, -1, "ORIGIN");
  same(awkward.statics.TABLE, new Uint16Array([1, 2, 3, 4]), "TABLE");
  awkward.statics.LAST += 1;
  same(awkward.statics.LAST, 1.5, "LAST");
  same(awkward.count_up() + 1, awkward.count_up(), "count_up");
  same(new Point() instanceof View, true, "a point is a view");
}

[scalars, enums, layouts, pointers, generics, values, buffers, callbacks, handles, constants].forEach((part) => part());
console.log("all is well");
