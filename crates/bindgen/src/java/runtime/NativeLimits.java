// Made by upcall bindgen; do not edit.
package @PACKAGE@;

//ffm
import java.lang.foreign.MemorySegment;
//end

/** A place in a value, and the numbers that it may hold: any other is undefined behaviour in Rust. */
final class NativeLimits {
    private final String path;
    private final long offset;
    private final int size;
    private final boolean signed;
    private final String what;
    private final long[] numbers;
    private final long stride;
    private final NativeLimits[][] inner;

    private NativeLimits(
            String path, long offset, int size, boolean signed, String what, long[] numbers, long stride, NativeLimits[][] inner) {
        this.path = path;
        this.offset = offset;
        this.size = size;
        this.signed = signed;
        this.what = what;
        this.numbers = numbers;
        this.stride = stride;
        this.inner = inner;
    }

    /** An integer that is one of these numbers; with each the limits of that variant's data. */
    static NativeLimits numbers(
            String path, long offset, int size, boolean signed, String what, long[] numbers, NativeLimits[][] inner) {
        return new NativeLimits(path, offset, size, signed, what, numbers, 0L, inner);
    }

    /** So many values, so many bytes from one to the next. */
    static NativeLimits each(String path, long offset, int count, long stride, NativeLimits[] inner) {
        return new NativeLimits(path, offset, count, false, null, null, stride, new NativeLimits[][] {inner});
    }

    /** The memory of a struct, if it is a value. */
    static MemorySegment check(MemorySegment value, NativeLimits[] limits, String at) {
        String[] wrong = wrong(limits, value, 0L);
        if (wrong != null) {
            String held = wrong[1].isEmpty() ? " is " + wrong[0] : " holds " + wrong[0] + " in " + wrong[1];
            throw new IllegalArgumentException(at + held + ", which is not " + wrong[2]);
        }
        return value;
    }

    /** The number of an enum, if it is one. */
    static long check(long number, long[] numbers, String at, String what) {
        if (index(number, numbers) < 0) {
            throw new IllegalArgumentException(at + " is " + number + ", which is not " + what);
        }
        return number;
    }

    private static int index(long number, long[] numbers) {
        for (int index = 0; index < numbers.length; index++) {
            if (numbers[index] == number) {
                return index;
            }
        }
        return -1;
    }

    /** The number that is wrong, where it is and what it is not; null if nothing is wrong. */
    private static String[] wrong(NativeLimits[] limits, MemorySegment value, long base) {
        for (NativeLimits limit : limits) {
            String[] wrong = limit.wrong(value, base + limit.offset);
            if (wrong != null) {
                wrong[1] = limit.path + (wrong[1].isEmpty() || wrong[1].startsWith("[") || limit.path.isEmpty() ? "" : ".") + wrong[1];
                return wrong;
            }
        }
        return null;
    }

    private String[] wrong(MemorySegment value, long place) {
        if (numbers == null) {
            for (int index = 0; index < size; index++) {
                String[] wrong = wrong(inner[0], value, place + index * stride);
                if (wrong != null) {
                    wrong[1] = "[" + index + "]" + (wrong[1].isEmpty() || wrong[1].startsWith("[") ? "" : ".") + wrong[1];
                    return wrong;
                }
            }
            return null;
        }
        long number = number(value, place);
        int index = index(number, numbers);
        return index < 0 ? new String[] {Long.toString(number), "", what} : wrong(inner[index], value, place);
    }

    private long number(MemorySegment value, long place) {
        switch (size) {
            case 1:
                byte small = value.get(Native.BYTE, place);
                return signed ? small : Byte.toUnsignedLong(small);
            case 2:
                short half = value.get(Native.SHORT, place);
                return signed ? half : Short.toUnsignedLong(half);
            case 4:
                int whole = value.get(Native.INT, place);
                return signed ? whole : Integer.toUnsignedLong(whole);
            default:
                return value.get(Native.LONG, place);
        }
    }
}
