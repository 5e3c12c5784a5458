import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import calls.*;

final class Main {
    static void same(Object expected, Object found) {
        if (!expected.equals(found)) {
            throw new AssertionError("expected " + expected + ", found " + found);
        }
    }

    public static void main(String[] arguments) {
        same(200, Calls.narrow((a, b, c, d, e, f) -> {
            same((byte) 200, a);
            same((short) 65535, b);
            same((byte) -3, c);
            same(true, d);
            same((int) 'ß', e);
            same((short) -1, f);
            return a;
        }, (byte) 200));
        same(0, Calls.narrow((a, b, c, d, e, f) -> (byte) 0, (byte) 200));
        long sum = 4L * 255L + 4L * 65535L - 1L;
        same(sum, Calls.many((byte) -1, (short) -1, (byte) -1, (short) -1, (byte) -1, (short) -1, (byte) -1,
                (short) -1, (byte) -1));
        same(16, Calls.nest((inner, value) -> inner.call(value), 5));
        try (Arena arena = Arena.ofConfined()) {
            same(6.5, Calls.name(text -> {
                same("größer", text);
                return Wide.allocate(arena).a(1.0).b(2.0).c(3.5);
            }));
            same(42, Calls.twice(value -> value));
            same(-1, Calls.twice(value -> MemorySegment.NULL));
            Table table = Table.allocate(arena);
            same(-1, Calls.runTable(table, 4));
            TableDouble.Kept kept = TableDouble.keep(value -> value * 2);
            table.double_(kept.address());
            same(8, Calls.runTable(table, 4));
            kept.close();
            try {
                same(0, Calls.runTable(table, 4));
                throw new AssertionError("a closed callback was called");
            } catch (IllegalStateException expected) {
                same("native code has called a callback that is closed", expected.getMessage());
            }
        }
        same(31, TriplerResult.of(Calls.tripler(), MemorySegment.ofAddress(1L)).call(10));
        List<TableDouble.Kept> all = new ArrayList<>();
        String stopped = "never";
        for (int index = 0; index < 100; index++) {
            try {
                all.add(TableDouble.keep(value -> value));
            } catch (IllegalStateException full) {
                stopped = full.getMessage();
                break;
            }
        }
        System.out.println(stopped);
        for (TableDouble.Kept each : all) {
            each.close();
        }
        same(2, TableDouble.keep(value -> value + 1).call(1));
    }
}
