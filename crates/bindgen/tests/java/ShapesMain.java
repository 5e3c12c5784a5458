import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import shapes.*;

final class Main {
    private static int checked;

    static void same(Object expected, Object found) {
        checked++;
        if (!expected.equals(found)) {
            throw new AssertionError("expected " + expected + ", found " + found);
        }
    }

    static <T extends Throwable> T fails(Class<T> type, Runnable what) {
        checked++;
        try {
            what.run();
        } catch (Throwable thrown) {
            if (type.isInstance(thrown)) {
                return type.cast(thrown);
            }
            throw new AssertionError("expected " + type + ", found " + thrown, thrown);
        }
        throw new AssertionError("expected " + type);
    }

    public static void main(String[] arguments) throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            numbers();
            records(arena);
            tagged(arena);
            slices(arena);
            handles();
            callbacks(arena);
            constants();
        }
        System.out.println("checked " + checked);
    }

    static void numbers() {
        same(5, Shapes.add(2, 3));
        same(Integer.MIN_VALUE, Shapes.add(Integer.MAX_VALUE, 1));
        long mixed = 0xffff_ffff_ffff_ffffL ^ 5L ^ 200L ^ 7L ^ 9L;
        same(mixed, Shapes.widest(-1L, 5L, (byte) 200, 7L, 9L));
        same(new BigInteger("-170141183460469231731687303715884105727"),
                Shapes.negate(Int128.of(BigInteger.ONE.shiftLeft(127).subtract(BigInteger.ONE))).signed());
        same(false, Shapes.not(true));
        same((int) 'b', Shapes.nextLetter('a'));
        same(Color.GREEN, Shapes.flip(Color.RED));
        same(-1, Color.RED);
        same(Color.Known.GREEN, Color.Known.of(8));
        same(true, Color.Known.of(77) == null);
        same(Access.READ | 4, Shapes.widen(Access.READ));
        same(3.0, Shapes.doubleMeters(1.5));
        same((byte) 9, Shapes.zero());
    }

    static void records(Arena arena) {
        Point point = Point.allocate(arena).x(1f).y(2f);
        Point mirrored = Shapes.mirrorPoint(arena, point);
        same(2f, mirrored.x());
        same(1f, mirrored.y());
        Shapes.movePoint(point, mirrored);
        same(3f, point.x());
        fails(IndexOutOfBoundsException.class, () -> Shapes.mirrorPoint((size, align) -> arena.allocate(4L), point));
        Packed packed = Shapes.swapPacked(arena, Packed.allocate(arena).small((byte) 1).wide(2L).last((short) 3));
        same((byte) 3, packed.small());
        same(Long.reverseBytes(2L), packed.wide());
        same((short) 1, packed.last());
        same(41, Shapes.raiseAligned(arena, Aligned.allocate(arena).value(40)).value());
        Int128 big = new Int128(-5L, 6L);
        Mixed mixed = Mixed.allocate(arena).flag(true).letter('x').color(Color.GREEN).big(big).type((byte) -3)
                .grid(1L, 2L, (short) 77);
        mixed.points(1L).y(8f);
        mixed.nested().value(99);
        Mixed echoed = Shapes.echoMixed(arena, mixed);
        same(-1L, mixed.segment().mismatch(echoed.segment()));
        same(true, echoed.flag());
        same((int) 'x', echoed.letter());
        same(Color.GREEN, echoed.color());
        same(big, echoed.big());
        same((short) 77, echoed.grid(1L, 2L));
        same(8f, echoed.points(1L).y());
        same(99, echoed.nested().value());
        same((byte) -3, echoed.type());
        same(true, echoed.next() == null);
        same(99, Shapes.echoMixed(arena, echoed.next(mixed)).next().nested().value());
        fails(IndexOutOfBoundsException.class, () -> echoed.points(2L));
        fails(NullPointerException.class, () -> new Point(MemorySegment.NULL));
        Bitfields bits = Bitfields.allocate(arena).a(-3).b(100).c((byte) -7).d(0xfffff);
        Bitfields same = Shapes.echoBits(arena, bits);
        same(-3, same.a());
        same(100, same.b());
        same((byte) -7, same.c());
        same(0xfffff, same.d());
        same(2, same.a(2).a());
        same(100, same.b());
        Point many = Point.allocate(arena, 3L);
        many.get(2L).x(5f);
        same(5f, Point.getX(many.segment(), 2L));
    }

    static void tagged(Arena arena) {
        Shape shape = Shapes.grow(arena, Shape.allocate(arena).setCircle(2.0));
        same(Shape.CIRCLE, shape.tag());
        same(4.0, shape.circle0());
        fails(IllegalStateException.class, shape::rectWidth);
        Shape rect = Shapes.grow(arena, shape.setRect(Point.allocate(arena).x(6f), (short) 7));
        same((short) 8, rect.rectWidth());
        same(6f, rect.rectCorner().x());
        Event event = Shapes.echoEvent(arena, Event.allocate(arena).setText((byte) 4, 1L << 40));
        same((byte) 4, event.text0());
        same(1L << 40, event.text1());
        shapes.Number number = shapes.Number.allocate(arena).real(0.5);
        same(0.5, Shapes.echoNumber(arena, number).real());
    }

    static void slices(Arena arena) {
        same(6f, Shapes.sum(new float[] {1f, 2f, 3f}));
        same(0f, Shapes.sum(new float[0]));
        float[] many = new float[100_000];
        many[99_999] = 3f;
        same(3f, Shapes.sum(many));
        float[] values = {1f, 2f};
        Shapes.scale(values, 3f);
        same(6f, values[1]);
        MemorySegment native_ = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 5f, 7f);
        Shapes.scale(native_, 2f);
        same(14f, native_.getAtIndex(ValueLayout.JAVA_FLOAT, 1L));
        Point points = Point.allocate(arena, 2L);
        points.x(1f).get(1L).x(2f);
        same(3f, Shapes.totalX(points.segment()));
        fails(IllegalArgumentException.class, () -> Shapes.totalX(arena.allocate(7L)));
        same(7f, Shapes.primes().getAtIndex(ValueLayout.JAVA_FLOAT, 3L));
        same(6L, Shapes.countLetters("größer"));
        same(0L, Shapes.countLetters(""));
        same(20_000L, Shapes.countLetters("ß".repeat(20_000)));
        same("größer", Shapes.motto());
        same("countLetters: text must not be null", fails(NullPointerException.class, () -> Shapes.countLetters(null)).getMessage());
        int released = Shapes.released();
        NativeBuffer squares = Shapes.squares(4);
        same(9, squares.elements().getAtIndex(ValueLayout.JAVA_INT, 3L));
        MemorySegment kept = squares.elements();
        squares.close();
        same(released + 1, Shapes.released());
        fails(IllegalStateException.class, () -> kept.get(ValueLayout.JAVA_INT, 0L));
        fails(IllegalStateException.class, squares::elements);
        squares.close();
        same("nº 7", Shapes.spell(7));
        same(released + 2, Shapes.released());
        same((byte) 'q', Shapes.firstLetter(arena.allocateFrom("q")));
        same((byte) 'q', Shapes.firstLetter("q"));
        same(5, Shapes.divide(10, 2));
        NativeException failed = fails(NativeException.class, () -> Shapes.divide(1, 0));
        same("cannot divide by zero, naïvely", failed.getMessage());
        same(33, failed.code());
        same(released + 3, Shapes.released());
    }

    static void handles() {
        int released = Shapes.released();
        Counter counter = new Counter(40L);
        same(42L, counter.add(2L));
        same(43L, Shapes.counterAdd(counter, 1L));
        counter.close();
        same(released + 1, Shapes.released());
        fails(IllegalStateException.class, () -> counter.add(1L));
        counter.close();
        same(released + 1, Shapes.released());
        fails(NullPointerException.class, () -> new Counter(MemorySegment.NULL));
    }

    static void callbacks(Arena arena) throws Exception {
        same(1 + 2 + 3, Shapes.fold(4, (sum, index) -> sum + index));
        // A callback that calls native code, which calls back.
        same(18, Shapes.fold(3, (sum, index) -> sum + Shapes.fold(4, (inner, i) -> inner + i)));
        IllegalStateException thrown = fails(IllegalStateException.class, () -> Shapes.fold(3, (sum, index) -> {
            throw new IllegalStateException("index " + index);
        }));
        same("index 0", thrown.getMessage());
        same(2, thrown.getSuppressed().length);
        same(6, Shapes.fold(4, (sum, index) -> sum + index));
        fails(NullPointerException.class, () -> Shapes.fold(4, null));
        Point point = Point.allocate(arena).x(1f).y(2f);
        Point applied = Shapes.apply(arena, (given, tag) -> Point.allocate(arena).x(given.y()).y(given.x()), point);
        same(2f, applied.x());
        same(1f, Shapes.apply(arena, null, point).x());
        int[] heard = {0};
        Notify.Kept notify = Notify.keep(value -> {
            if (value < 0) {
                throw new IllegalArgumentException("negative");
            }
            heard[0] += value;
        });
        Shapes.keep(notify);
        Shapes.notifyFromThread(5);
        Shapes.notifyFromThread(6);
        same(11, heard[0]);
        Shapes.notifyFromThread(-1);
        same("negative", fails(IllegalArgumentException.class, notify::close).getMessage());
        // Closed: native code still calls, the function is not reached.
        Shapes.notifyFromThread(5);
        same(11, heard[0]);
        fails(IllegalStateException.class, () -> Shapes.keep(notify));
        notify.close();
    }

    static void constants() {
        same(-1L, Shapes.LIMIT);
        same(BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE), Shapes.HUGE.unsigned());
        same(0.1, Shapes.RATIO);
        same(Double.NEGATIVE_INFINITY, Shapes.FAR);
        same(true, Shapes.ON);
        same((int) 'ß', Shapes.LETTER);
        same("say \"hé\"\n", Shapes.GREETING);
        same((byte) 0xff, Shapes.RAW()[1]);
        same(2.5, Shapes.SCALE().get(ValueLayout.JAVA_DOUBLE, 0L));
        Shapes.LEVEL().set(ValueLayout.JAVA_INT, 0L, 8);
        same(8, Shapes.LEVEL().get(ValueLayout.JAVA_INT, 0L));
        fails(IllegalArgumentException.class, () -> Shapes.SCALE().set(ValueLayout.JAVA_DOUBLE, 0L, 1.0));
    }
}
