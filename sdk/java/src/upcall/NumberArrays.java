package upcall;

import java.lang.invoke.MethodHandle;

/** Copies of numbers in native memory: arrays of {@code float}, {@code double}, {@code int} and {@code long}. */
final class NumberArrays {
    private static final MethodHandle[] READ = new MethodHandle[NumberType.Kind.LONG + 1];
    private static final MethodHandle[] WRITE = new MethodHandle[NumberType.Kind.LONG + 1];

    static {
        for (int kind = NumberType.Kind.FLOAT; kind <= NumberType.Kind.LONG; kind++) {
            READ[kind] = Memory.toArray(element(kind));
            WRITE[kind] = Memory.fromArray(element(kind));
        }
    }

    private NumberArrays() {}

    /** The type of an array's elements, by {@link NumberType.Kind}. */
    static Class<?> element(int kind) {
        return switch (kind) {
            case NumberType.Kind.FLOAT -> float.class;
            case NumberType.Kind.DOUBLE -> double.class;
            case NumberType.Kind.INT -> int.class;
            default -> long.class;
        };
    }

    /** Copies so many numbers into an array, which has room for them. */
    static void read(int kind, long from, Object array, int count) {
        try {
            READ[kind].invokeExact(from, array, count);
        } catch (Throwable thrown) {
            throw Memory.rethrown(thrown);
        }
    }

    /** Copies the first numbers of an array, which has as many. */
    static void write(int kind, Object array, long to, int count) {
        try {
            WRITE[kind].invokeExact(array, to, count);
        } catch (Throwable thrown) {
            throw Memory.rethrown(thrown);
        }
    }
}
