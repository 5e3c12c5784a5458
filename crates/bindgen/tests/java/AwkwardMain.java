import awkward.*;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Calls nearly every function of the awkward library; says what is wrong, or that all is well. */
final class Main {
    static void same(Object found, Object expected, String what) {
        if (!expected.equals(found)) {
            throw new AssertionError(what + ": " + found + ", not " + expected);
        }
    }

    static <T extends Throwable> T fails(Class<T> type, Runnable call) {
        try {
            call.run();
        } catch (Throwable thrown) {
            if (type.isInstance(thrown)) {
                return type.cast(thrown);
            }
            throw new AssertionError("expected " + type + ", found " + thrown, thrown);
        }
        throw new AssertionError("nothing was thrown; expected: " + type);
    }

    static void fails(Runnable call, String message, int code) {
        NativeException failed = fails(NativeException.class, call);
        same(failed.getMessage().contains(message), true, failed.getMessage() + " has " + message);
        same(failed.code(), code, message);
    }

    static Int128 wide(long value) {
        return Int128.of(BigInteger.valueOf(value));
    }

    public static void main(String[] arguments) {
        try (Arena arena = Arena.ofConfined()) {
            scalars(arena);
            enums(arena);
            layouts(arena);
            nested(arena);
            pointers(arena);
            values(arena);
            texts();
            callbacks(arena);
            keptCallbacks(arena);
        }
        buffers();
        handles();
        constants();
        System.out.println("all is well");
    }

    @SuppressWarnings("deprecation")
    static void scalars(Arena arena) {
        same(Awkward.add(Integer.MAX_VALUE, 1), Integer.MIN_VALUE, "add");
        same(Awkward.increment(1), 2, "increment");
        same(Awkward.longSum(-5L, 3L), -2L, "long_sum");
        BigInteger large = BigInteger.ONE.shiftLeft(100);
        same(Awkward.wideNegate(Int128.of(large)).signed(), large.negate(), "wide_negate");
        same(Awkward.wideSum(wide(5), wide(-7)), wide(-2), "wide_sum");
        same(Awkward.sizeSum(5L, -3L), 2L, "size_sum");
        same(Awkward.nextChar("😀".codePointAt(0)), "😁".codePointAt(0), "next_char");
        same(Awkward.charAfter('a'), (int) 'b', "char_after");
        fails(() -> Awkward.charAfter(0x10ffff), "there is none", 1);
        same(Awkward.not(true), false, "not");
        same(Awkward.toggled(false), true, "toggled");
        same(Awkward.firstChar(arena.allocateFrom("xyz")), (byte) 'x', "first_char");
        same(Awkward.firstChar(MemorySegment.NULL), (byte) 0, "first_char of nothing");
        same(Awkward.nonZero(3), 3, "non_zero");
        same(Awkward.maybeNonZero(7L), 8L, "maybe_non_zero");
        double every = Awkward.every((byte) -1, (byte) 2, (short) -3, (short) 4, 5, -6L, 7L, wide(8), 0.5f, 0.25);
        same(every, 16.75, "every");
        same(Awkward.smallNonZero((byte) 0), (byte) 255, "small_non_zero");
        same(Awkward.keywords(1, 2, 3, 4, 5), 15, "keywords");
        same(Awkward.shadows((byte) 1, (byte) 2, (byte) 3, (byte) 4), (byte) 6, "shadows");
        same(Awkward.madeTwice(4), 8, "made_twice");
        same(Awkward.madeRoot(9), 3.0, "made_root");
        same(Awkward.elsewhere(), 1, "elsewhere");
    }

    static void enums(Arena arena) {
        same(Awkward.signedFlip(Signed.BELOW), Signed.ABOVE, "signed_flip");
        same(Awkward.computedOf(Computed.OTHER), (byte) 101, "computed_of");
        same(Awkward.plainFlip(Plain.MINUS), Plain.PLUS, "plain_flip");
        same(Awkward.accessFlip(Access.READ) & Access.BOTH, Access.WRITE, "access_flip");
        same(Awkward.opposite(Turn.LEFT), Turn.RIGHT, "opposite");
        String refused = fails(IllegalArgumentException.class, () -> Awkward.opposite(7)).getMessage();
        same(refused, "opposite: turn is 7, which is not a value of Turn", "a number that no variant has");
        same(Awkward.vastNext(Vast.CLASS), Vast.MOST, "vast_next");
        same(Awkward.handOther(Hand.LEFT), Hand.RIGHT, "hand_other");
        Shape shape = Shape.allocate(arena).setCircle(Point.allocate(arena).x(1f), 2f);
        same(Awkward.shapeHeight(shape), 4f, "shape_height of a circle");
        shape.setBox(Point.allocate(arena).y(1f), Point.allocate(arena).y(4f));
        same(Awkward.shapeHeight(shape), 3f, "shape_height of a box");
        fails(IllegalStateException.class, shape::circle1);
        Event key = Awkward.eventNext(arena, Event.allocate(arena).setQuit());
        same(key.key0(), 7, "event_next");
        Event move = Awkward.eventNext(arena, key);
        same(move.moveX() + " " + move.moveY(), "7 -1", "event_next of a key");
        same(Awkward.eventNext(arena, move).tag(), Event.QUIT, "event_next of a move");
        Tagged grown = Awkward.taggedGrow(arena, Tagged.allocate(arena).setSmall((byte) 5));
        same(grown.large0(), 5L, "tagged_grow");
        same(Awkward.taggedGrow(arena, grown.setLarge(258L)).small0(), (byte) 2, "tagged_grow back");
    }

    static void layouts(Arena arena) {
        Point two = Point.allocate(arena).x(3f).y(4f);
        same(Awkward.pointSum(arena, Point.allocate(arena).x(1f).y(2f), two).y(), 6f, "point_sum");
        same(Awkward.packedSum(Packed.allocate(arena).tag_((byte) 1).value(2).wide(3L)), 6L, "packed_sum");
        same(Awkward.packedByTwo(arena, (byte) 1, 1L << 60).value(), 1L << 60, "packed_by_two");
        Aligned aligned = Awkward.alignedDouble(arena, Aligned.allocate(arena).value(1.5f));
        same(aligned.value(), 3f, "aligned_double");
        same(aligned.segment().address() % Aligned.LAYOUT.byteAlignment(), 0L, "the address of what is aligned");
        same(Awkward.metersHalf(3), 1.5, "meters_half");
        same(Awkward.numberOf(arena, 1).int_(), 0x3ff0000000000000L, "number_of");
        Wrapped wrapped = Wrapped.allocate(arena);
        same(Awkward.wrappedSet(wrapped, (byte) 9), (byte) 9, "wrapped_set");
        same(wrapped.unset() + wrapped.cell(), 18, "what wrapped_set has set");
        same(Awkward.emptyAddress(null), true, "empty_address");
        MemorySegment triple = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 1f, 2f, 3.5f);
        same(Awkward.tripleSum(triple), 6.5f, "triple_sum");
        same(Awkward.viewPointsSum(Awkward.viewPoints(arena)), 10f, "view_points_sum");
        same(Awkward.fixedFill(arena, (short) 9).values(2L), (short) 9, "fixed_fill");
        BothF64U8 swapped = Awkward.bothSwap(arena, BothU8F64.allocate(arena).left((byte) 1).right(2.5));
        same(swapped.left() + swapped.right(), 3.5, "both_swap");
    }

    static void nested(Arena arena) {
        Arrays arrays = Arrays.allocate(arena);
        arrays.points(0L).x(1f);
        arrays.points(1L).y(2f);
        arrays.points(2L, Point.allocate(arena).x(10f));
        arrays.rows(0L, 2L, (short) 3).rows(1L, 0L, (short) -4).bytes(4L, (byte) 5);
        same(Awkward.arraysSum(arrays), 1 + 2 + 10 + 3 - 4 + 5.0, "arrays_sum");
        LayoutsOuter outer = Awkward.outerMake(arena, (byte) 3, 'ß');
        same(outer.letter(), (int) 'ß', "a letter in a struct");
        same(outer.wide(), Awkward.MOST, "128 bits in a struct");
        same(outer.packed(1L).value(), 7, "a packed struct in an array in a struct");
        same(outer.aligned().value() + " " + outer.number().int_() + " " + outer.yes(), "1.5 3 true", "outer_make");
        Line line = Line.allocate(arena).bytes(0L, (byte) 7);
        same(Awkward.lineFirst(line), (byte) 7, "line_first");
    }

    static void pointers(Arena arena) {
        Handle handle = Awkward.handleNew();
        same(Awkward.handlePush(handle, 4), 1L, "handle_push");
        same(Awkward.handlePush(handle, 5), 2L, "handle_push again");
        same(Awkward.handleSum(handle), 9, "handle_sum");
        same(Awkward.handleSum(null), 0, "handle_sum of nothing");
        Awkward.handleRelease(handle);
        same(fails(IllegalStateException.class, () -> Awkward.handleSum(handle)).getMessage(),
                "handleSum: handle is a closed Handle", "a handle that was given away");
        Point point = Point.allocate(arena).x(2f).y(3f);
        same(Awkward.pointX(point), 2f, "point_x");
        same(Awkward.maybePoint(null) == null, true, "maybe_point of nothing");
        Point to = Point.allocate(arena);
        long copied = Awkward.pointCopy(point, to).segment().address();
        same(copied, to.segment().address(), "point_copy");
        same(to.y(), 3f, "what point_copy has written");
        fails(NullPointerException.class, () -> Awkward.pointX(null));
        MemorySegment number = arena.allocateFrom(ValueLayout.JAVA_INT, 42);
        same(Awkward.readNumber(number), 42, "read_number");
        MemorySegment inner = arena.allocateFrom(ValueLayout.ADDRESS, number);
        same(Awkward.deep(arena.allocateFrom(ValueLayout.ADDRESS, inner)), 42, "deep");
        short[] cells = {1, 2, 3, 4, 5, 6};
        MemorySegment points = arena.allocate(ValueLayout.ADDRESS, 2L);
        points.setAtIndex(ValueLayout.ADDRESS, 0L, point.segment());
        points.setAtIndex(ValueLayout.ADDRESS, 1L, to.segment());
        same(Awkward.gridSum(arena.allocateFrom(ValueLayout.JAVA_SHORT, cells), points), 25f, "grid_sum");
    }

    static void values(Arena arena) {
        same(Awkward.sum(new float[] {1f, 2f, 3.5f}), 6.5f, "sum");
        same(Awkward.sum(new float[0]) + 0f, 0f, "sum of nothing");
        float[] floats = {1f, 2f, 3f};
        Awkward.addTo(floats, new float[] {10f, 10f, 10f});
        same(Awkward.floatsSum(floats), 36f, "add_to");
        same(Awkward.rowsSum(arena.allocateFrom(ValueLayout.JAVA_SHORT, new short[] {1, 2, 3, -4})), 2, "rows_sum");
        Point points = Point.allocate(arena, 2L);
        points.x(1f).y(2f).get(1L).x(3f);
        Awkward.pointsScale(points.segment(), 2f);
        same(points.y() + points.get(1L).x(), 10f, "points_scale");
        Sample by = Sample.allocate(arena).at_(2).value(1);
        Sample moved = Awkward.moved(arena, Sample.allocate(arena).at_(1).value(0.5), by);
        same(moved.at_() + " " + moved.value(), "3 1.5", "moved");
        Sample sample = moved;
        same(Awkward.moveInPlace(sample, null), false, "move_in_place by nothing");
        fails(() -> Awkward.moveInPlace(sample, sample), "`sample` and `by` overlap", -2);
        same(Awkward.moveInPlace(sample, by), true, "move_in_place");
        same(moved.at_(), 5, "what move_in_place has moved");
    }

    @SuppressWarnings("deprecation")
    static void texts() {
        same(Awkward.greet("Zoë 😀"), "hello, Zoë 😀", "greet");
        same(Awkward.edition(), "2024", "edition");
        same(Awkward.greeting(), "grüezi", "greeting");
        same(Awkward.textBytes("Zoë"), 4L, "text_bytes");
        fails(NullPointerException.class, () -> Awkward.greet(null));
        same(Awkward.parse("-42"), -42L, "parse");
        fails(() -> Awkward.parse("x"), "`x` is not a number", 11);
        fails(() -> Awkward.parse(""), "the text is empty", 10);
        same(fails(NotANumberException.class, () -> Awkward.parse("")).code(), 10, "an exception of the error's own");
        same(fails(NativeException.class, () -> Awkward.words("x")).getClass(), NativeException.class, "a trait object");
        fails(() -> Awkward.nothing(true), "as asked", 1);
        Awkward.nothing(false);
        fails(() -> Awkward.checkedAdd(Integer.MAX_VALUE, 1), "the sum is too large", -1);
    }

    static void buffers() {
        NativeBuffer kept = Awkward.numbers(3);
        same(kept.length(), 3L, "how many numbers");
        same(kept.elements().getAtIndex(ValueLayout.JAVA_INT, 2L), 2, "numbers");
        kept.close();
        kept.close();
        fails(IllegalStateException.class, kept::elements);
        try (NativeBuffer none = Awkward.numbers(0)) {
            same(none.length(), 0L, "no numbers");
        }
        try (NativeBuffer samples = Awkward.samples(3); NativeBuffer words = Awkward.words("1 20 300")) {
            same(new Sample(samples.elements()).get(2L).value(), 1.0, "samples");
            same(words.elements().getAtIndex(ValueLayout.JAVA_INT, 2L), 300, "words");
        }
        fails(() -> Awkward.words("1 b"), "invalid digit found in string", 1);
    }

    static void callbacks(Arena arena) {
        same(Awkward.visit(5, value -> value < 2), 3, "visit");
        Point point = Point.allocate(arena).x(1f).y(2f);
        same(Awkward.maybeCall(null, point), -1f, "maybe_call of nothing");
        same(Awkward.maybeCall(given -> given.x() + given.y(), point), 3f, "maybe_call");
        same(Awkward.callOuter((inner, value) -> inner.call(value) + 1, 4), 9, "call_outer");
        int[] numbers = {1, 2, 3};
        same(Awkward.countIf(numbers, value -> value % 2 == 1), 2, "count_if");
        IllegalArgumentException thrown = fails(IllegalArgumentException.class, () -> Awkward.countIf(numbers, value -> {
            throw new IllegalArgumentException("at " + value);
        }));
        same(thrown.getMessage(), "at 1", "what a callback threw");
        List<String> words = new ArrayList<>();
        Awkward.eachWord("zwölf große Bären", (word, index) -> words.add(index + " " + word));
        same(words, List.of("0 zwölf", "1 große", "2 Bären"), "each_word");
        MemorySegment rows = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 1f, 2f, 3f, 4f);
        float sum = Awkward.eachRow(rows, row -> row.getAtIndex(ValueLayout.JAVA_FLOAT, 0L)
                * row.getAtIndex(ValueLayout.JAVA_FLOAT, 1L));
        same(sum, 14f, "each_row");
        try (NativeBuffer sampled = Awkward.sampled(3, sample -> sample.value(sample.at_() * 10))) {
            same(new Sample(sampled.elements()).get(2L).value(), 20.0, "sampled");
        }
        same(Awkward.apply(value -> value + 1, value -> value * 3), 7, "apply");
        same(Awkward.apply(value -> value + 1, null), 2, "apply without the other");
        int[] calls = {0};
        Awkward.visit(2, outer -> Awkward.visit(2, inner -> ++calls[0] > 0) == 2);
        same(calls[0], 4, "a callback in a callback");
    }

    static void keptCallbacks(Arena arena) {
        MemorySegment doubler = Awkward.doubler();
        same(Awkward.apply(value -> value, ApplyOtherwise.of(doubler)), 4, "a native function as a callback");
        same(Awkward.stepAll(Awkward.stepFrom(arena, 3)), 3, "step_all");
        Table table = Table.allocate(arena).first(doubler);
        same(Awkward.tableCall(table, 4), 8, "table_call");
        try (TableFirst.Kept first = TableFirst.keep(value -> value - 1)) {
            table.first(first.address());
            same(Awkward.tableCall(table, 4), 3, "table_call of a callback");
        }
        fails(IllegalStateException.class, () -> Awkward.tableCall(table, 4));
        ApplyCall.Kept released = ApplyCall.keep(value -> value);
        same(Awkward.apply(released, null), 1, "apply of what is kept");
        released.close();
        released.close();
        fails(IllegalStateException.class, () -> Awkward.apply(released, null));
        Thread[] on = {null};
        same(Awkward.callElsewhere(value -> on[0] = Thread.currentThread(), 1), true, "call_elsewhere");
        same(on[0] == Thread.currentThread(), false, "the thread of call_elsewhere");
        fails(IllegalArgumentException.class, () -> Awkward.callElsewhere(value -> {
            throw new IllegalArgumentException("elsewhere");
        }, 1));
    }

    static void handles() {
        int before = WordCounter.live();
        try (WordCounter counter = new WordCounter(41L); WordCounter parsed = WordCounter.parse("7")) {
            same(counter.add(1L), 42L, "add of a counter");
            fails(() -> counter.add(1000L), "42 and 1000 are more than 1000", 1);
            same(counter.visit(count -> same(count, 42L, "what is visited")), 42L, "visit of a counter");
            fails(() -> counter.visit(count -> counter.add(1L)), "in use", -3);
            try (WordCounter fork = counter.fork()) {
                same(fork.add(1L), 43L, "fork");
                same(WordCounter.live(), before + 3, "how many live");
            }
            Awkward.swapCounts(counter, parsed);
            same(counter.get() + " " + parsed.get(), "7 42", "swap_counts");
            fails(() -> Awkward.swapCounts(counter, counter), "`left` and `right` overlap", -2);
            same(Awkward.total(counter, parsed), 49L, "total");
            same(Awkward.total(counter, null), 7L, "total of one");
        }
        try (WordCounter made = Awkward.counterOf("a b c")) {
            same(made.get(), 3L, "counter_of");
        }
        same(WordCounter.live(), before, "how many are left");
        fails(() -> WordCounter.parse("x"), "invalid digit", 1);
        WordCounter released = new WordCounter(1L);
        released.close();
        released.close();
        fails(IllegalStateException.class, released::get);
        fails(IllegalStateException.class, () -> Awkward.total(released, null));
        same(WordCounter.live(), before, "how many are left after all");
    }

    static void constants() {
        same(Awkward.SMALL, (byte) -2, "SMALL");
        same(Awkward.NEGATIVE.signed(), BigInteger.ONE.shiftLeft(127).negate(), "NEGATIVE");
        same(Awkward.TITLE, "awkward \"quoted\"\n", "TITLE");
        same(Awkward.NAME, "static", "NAME");
        same(Awkward.LETTER, (int) 'é', "LETTER");
        same(Awkward.WordCounter_MOST, 1000L, "MOST");
        same(Awkward.VERSION().get(ValueLayout.JAVA_INT, 0L), 7, "VERSION");
        same(new Point(Awkward.ORIGIN()).y(), -1f, "ORIGIN");
        same(Awkward.TABLE().getAtIndex(ValueLayout.JAVA_SHORT, 3L), (short) 4, "TABLE");
        MemorySegment last = Awkward.LAST();
        last.set(ValueLayout.JAVA_DOUBLE, 0L, last.get(ValueLayout.JAVA_DOUBLE, 0L) + 1);
        same(Awkward.LAST().get(ValueLayout.JAVA_DOUBLE, 0L), 1.5, "LAST");
        same(Awkward.countUp() + 1, Awkward.countUp(), "count_up");
    }
}
