package upcall;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Type;
import java.util.List;

/** The arrays of a {@link Combine}: which type its elements are, and how they are copied. */
final class Elements {
    /** The types that elements may have, each with its names where engines are written: the first one is told. */
    private static final List<Elements> ALL = List.of(
            new Elements(double.class, 8, "f64"),
            new Elements(float.class, 4, "f32"),
            new Elements(long.class, 8, "i64", "u64"),
            new Elements(int.class, 4, "i32", "u32"),
            new Elements(short.class, 2, "i16", "u16"),
            new Elements(byte.class, 1, "u8", "i8"));

    private final Class<?> type;
    private final int size;
    private final List<String> names;
    private final MethodHandle toArray;
    private final MethodHandle fromArray;

    private Elements(Class<?> type, int size, String... names) {
        this.type = type;
        this.size = size;
        this.names = List.of(names);
        toArray = Memory.toArray(type);
        fromArray = Memory.fromArray(type);
    }

    /** Those of a class's {@link Combine}; null where it is not of one of these. */
    static Elements of(Class<?> handler) {
        List<Type> arrays = List.of(TypeArguments.of(handler, Combine.class));
        return ALL.stream()
                .filter(elements -> arrays.contains(elements.type.arrayType()))
                .findFirst()
                .orElse(null);
    }

    int size() {
        return size;
    }

    String name() {
        return names.get(0);
    }

    /** Whether an engine's elements are these. */
    boolean are(String name, int size) {
        return names.contains(name) && size == this.size;
    }

    Object array(int count) {
        return Array.newInstance(type, count);
    }

    void read(long from, Object array, int count) {
        try {
            toArray.invokeExact(from, array, count);
        } catch (Throwable thrown) {
            throw Memory.rethrown(thrown);
        }
    }

    void write(Object array, long to, int count) {
        try {
            fromArray.invokeExact(array, to, count);
        } catch (Throwable thrown) {
            throw Memory.rethrown(thrown);
        }
    }
}
