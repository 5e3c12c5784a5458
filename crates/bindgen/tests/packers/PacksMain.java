// Reads and writes the golden bytes with the packers that bindgen made.

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import packs.pack.Everything;
import packs.pack.Iu;
import packs.pack.Level;
import packs.pack.Log;
import packs.pack.Node;
import packs.pack.Pack;
import packs.pack.PackException;
import packs.pack.PackOptions;
import packs.pack.PairI32;
import packs.pack.PairString;
import packs.pack.Person;
import packs.pack.Ub;
import packs.pack.Vt;
import packs.pack.W16;
import packs.pack.W18;
import packs.pack.W19;
import packs.pack.W27;
import packs.pack.W28;
import packs.pack.W5;
import packs.pack.W6;

public final class Main {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static int wrong;

    private interface Run {
        Object run() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        int lines = 0;
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            String[] parts = line.split("\\|", -1);
            attempt(Class.forName("packs.pack." + parts[0]), parts[1], HEX.parseHex(parts[2]), parts[3], parts[4]);
            lines++;
        }
        values();
        System.out.println(lines + " lines, " + (wrong == 0 ? "nothing" : Integer.toString(wrong)) + " wrong");
        System.exit(wrong == 0 ? 0 : 1);
    }

    private static void check(boolean right, String what) {
        if (!right) {
            wrong++;
            System.out.println(what);
        }
    }

    private static void fails(String what, Run run, String message) {
        try {
            run.run();
            check(false, what + ": no error");
        } catch (PackException error) {
            boolean says = error.getMessage().contains(message);
            check(says && error.offset() >= 0 && error.getMessage().endsWith(" at byte " + error.offset()), what + ": " + error.getMessage());
        } catch (Exception error) {
            check(false, what + ": " + error);
        }
    }

    /** Calls a method and throws what it throws. */
    private static Object call(Method method, Object on, Object... arguments) throws Exception {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException error) {
            if (error.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw error;
        }
    }

    private static void attempt(Class<?> type, String name, byte[] bytes, String text, String hex) throws Exception {
        Method unpack = type.getMethod("unpack", byte[].class);
        Method pack = type.getMethod("pack", PackOptions.class);
        PackOptions options = new PackOptions(PackOptions.Text.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_')), 1000);
        if (hex.startsWith("error")) {
            fails(name, () -> call(unpack, null, (Object) bytes), hex.substring("error".length()));
            return;
        }
        try {
            String written = HEX.formatHex((byte[]) call(pack, call(unpack, null, (Object) bytes), options));
            check(written.equals(hex), name + ": " + written + " for " + hex);
        } catch (Exception error) {
            check(false, name + ": " + error);
            error.printStackTrace(System.out);
            return;
        }
        for (int end = 0; end < bytes.length; end++) {
            byte[] start = Arrays.copyOf(bytes, end);
            fails(name + " up to " + end, () -> call(unpack, null, (Object) start), "");
        }
        byte[] more = Arrays.copyOf(bytes, bytes.length + 1);
        fails(name + " and more", () -> call(unpack, null, (Object) more), "behind");
        // Whatever bytes are given, nothing but a value or this error comes of it.
        for (int at = 0; at < Math.min(bytes.length, 300); at++) {
            for (int other : new int[] {0, 1, 0x7F, 0x80, 0xFA, 0xFF}) {
                byte[] changed = bytes.clone();
                changed[at] = (byte) other;
                try {
                    Object value = call(unpack, null, (Object) changed);
                    if (value != null) {
                        call(pack, value, options);
                    }
                } catch (PackException expected) {
                    // As it should be.
                } catch (Exception error) {
                    check(false, name + " with " + other + " at " + at + ": " + error);
                }
            }
        }
    }

    /** What the golden bytes do not have. */
    private static void values() {
        BigInteger most = BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE);
        Set<Level> levels = new LinkedHashSet<>(List.of(Level.LOW, Level.HIGH));
        Everything all = new Everything((byte) -1, (short) -1, most, -1, new short[] {0, 9, 0}, Arrays.asList("a", null),
            new byte[] {1, 2}, new long[] {Long.MIN_VALUE, 1}, new short[] {0x3C00},
            new TreeMap<>(Map.of("b", new double[] {1.5}, "a", new double[0])), levels, List.of(new Person(3, null)),
            new Iu.Ub(new Ub("あ😀")), new PairString("x", null), new PairI32(1, 2),
            Arrays.asList(new Vt(0, 7, null), null), List.of(BigInteger.TEN), List.of(new BigDecimal("-1.50")), Arrays.asList(null, new UUID(1, 2)), List.of(), List.of(),
            true, true);
        byte[] bytes = all.pack();
        Everything back = Everything.unpack(ByteBuffer.wrap(bytes));
        check(Arrays.equals(back.pack(), bytes), "everything is written as it was read");
        check(back.u128().equals(most) && back.three()[1] == 9 && back.sorted().size() == 2, "everything is there");
        check(back.shape() instanceof Iu.Ub ub && ub.value().y().equals("あ😀") && back.numbers().other() == 2, "all of it");
        for (int end = 0; end < bytes.length; end++) {
            byte[] start = Arrays.copyOf(bytes, end);
            fails("everything up to " + end, () -> Everything.unpack(start), "");
        }

        // Older bytes have fewer members; what is missing is its default.
        check(Person.unpack(new byte[] {1, 5, 0, 0, 0}).equals(new Person(5, null)), "a missing member");
        check(Log.unpack(new byte[] {0}).m().equals(BigDecimal.ZERO), "no members at all");
        fails("a missing union", () -> Everything.unpack(new byte[] {1, 0}), "Everything.shape");
        check(Everything.unpack(new byte[] {(byte) 0xFF}) == null, "null");
        fails("null where none is", () -> new W18(null).pack(), "null");
        fails("half a character", () -> new Person(1, "\ud800").pack(), "surrogate");

        // What Java's own classes can hold and the wire cannot.
        check(new W19(Duration.ofSeconds(-1, 100)).pack()[1] == (byte) 0x81, "below zero");
        Duration least = W19.unpack(HEX.parseHex("010000000000000080"))._0();
        check(HEX.formatHex(new W19(least).pack()).equals("010000000000000080"), "the longest time");
        fails("less than 100 ns", () -> new W19(Duration.ofNanos(1)).pack(), "100 ns");
        fails("before the year 1", () -> new W28(LocalDate.of(0, 12, 31)).pack(), "years");
        fails("too many digits", () -> new W27(BigDecimal.ONE.movePointLeft(29)).pack(), "28 places");
        fails("too large", () -> new W27(new BigDecimal(BigInteger.ONE.shiftLeft(96))).pack(), "96 bits");
        check(new W27(new BigDecimal("1E3")).pack()[13 - 4] == (byte) 0xE8, "no digits behind the point");
        LocalDateTime time = LocalDateTime.of(2024, 1, 2, 3, 4, 5, 600);
        check(Pack.DateTime.of(time, 1).time().equals(time), "a time");

        // A place within slots is counted from the start, as any other.
        Everything broken = Everything.unpack(bytes);
        broken.nested().set(0, new Vt(0, 0, "\ud800"));
        try {
            broken.pack();
            check(false, "half a character in a slot: no error");
        } catch (PackException error) {
            int start = HEX.formatHex(bytes).indexOf("0200000004040800") / 2;
            check(start > 0 && error.offset() == start + 4 + 12, "half a character in a slot of byte " + start + ": " + error.offset());
        }

        // What is said to be long is not believed.
        fails("a long text", () -> Person.unpack(HEX.parseHex("0228000000FFFFFF80FFFFFF7F")), "text of");
        fails("a long array", () -> W18.unpack(HEX.parseHex("01FFFFFF7F00")), "count");
        fails("another length", () -> Person.unpack(HEX.parseHex("0228000000FBFFFFFF030000004A6F686E")), "characters");
        fails("no UTF-8", () -> Person.unpack(HEX.parseHex("0228000000FBFFFFFF0400000041FF4141")), "UTF-8 at byte 14");
        fails("no bool", () -> W6.unpack(HEX.parseHex("01020000000102")), "byte 6");
        fails("no variant", () -> W5.unpack(HEX.parseHex("01020000000103")), "variant");
        fails("no tag", () -> Iu.unpack(new byte[] {7, 0}), "tag of 7");
        fails("a grid that is too small", () -> W16.unpack(HEX.parseHex("0103010000000100000001000000")), "count of 1");
        fails("other dimensions", () -> W16.unpack(HEX.parseHex("010301000000020000000100000001000000")), "dimensions");

        // Deep things end.
        Node deep = new Node();
        for (int depth = 0; depth < 2000; depth++) {
            Node outer = new Node();
            outer.parent = deep;
            deep = outer;
        }
        Node deepest = deep;
        fails("too deep", deepest::pack, "1000 objects");
        PackOptions deeper = new PackOptions(PackOptions.Text.UTF8_WITHOUT_LENGTH, 3000);
        byte[] packed = deepest.pack(deeper);
        fails("too deep", () -> Node.unpack(packed), "1000 objects");
        check(Node.unpack(ByteBuffer.wrap(packed), deeper).parent.parent != null, "as deep as allowed");
        check(new Person(1, "a").pack(deeper)[9] == (byte) 0xFF, "without a length");
    }
}
