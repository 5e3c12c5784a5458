package upcall.mpi;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;

/** Numbers that travel as they lie in memory: arrays of them, and single ones. */
enum Elements {
    BYTES(byte[].class, Byte.class, 1, "i8"),
    SHORTS(short[].class, Short.class, 2, "i16"),
    INTS(int[].class, Integer.class, 4, "i32"),
    LONGS(long[].class, Long.class, 8, "i64"),
    FLOATS(float[].class, Float.class, 4, "f32"),
    DOUBLES(double[].class, Double.class, 8, "f64");

    private static final ClassValue<Elements[]> OF = new ClassValue<>() {
        @Override
        protected Elements[] computeValue(Class<?> type) {
            for (Elements elements : values()) {
                if (type == elements.array || type == elements.single || type == elements.array.componentType()) {
                    return new Elements[] {elements};
                }
            }
            return new Elements[1];
        }
    };

    private final Class<?> array;
    private final Class<?> single;
    private final int size;
    private final String number;

    Elements(Class<?> array, Class<?> single, int size, String number) {
        this.array = array;
        this.single = single;
        this.size = size;
        this.number = number;
    }

    /** Those of an array or a number; null of any other class. */
    static Elements of(Class<?> type) {
        return OF.get(type)[0];
    }

    /** The bytes of one. */
    int size() {
        return size;
    }

    /** What MPI's operations call them. */
    String number() {
        return number;
    }

    Class<?> array() {
        return array;
    }

    /** How many there are in so many bytes. */
    int count(long bytes) {
        if (bytes % size != 0) {
            throw new MpiException(MpiError.TYPE, "read " + bytes + " bytes as " + array.getSimpleName()
                    + ": they are no whole number of elements of " + size);
        }
        return Math.toIntExact(bytes / size);
    }

    /** An array of so many. */
    Object make(int count) {
        return Array.newInstance(array.componentType(), count);
    }

    /** The first of an array. */
    Object first(Object values, int count) {
        Object part = make(count);
        System.arraycopy(values, 0, part, 0, count);
        return part;
    }

    /** A number, or an array, as an array. */
    Object asArray(Object value) {
        if (array.isInstance(value)) {
            return value;
        }
        Object one = make(1);
        Array.set(one, 0, value);
        return one;
    }

    /** Bytes as a value of a class: an array of all of them, or the one number that they are. */
    Object read(ByteBuffer bytes, Class<?> type) {
        int count = count(bytes.remaining());
        if (type != array && count != 1) {
            throw new MpiException(MpiError.TYPE, "read " + bytes.remaining() + " bytes as one " + single.getSimpleName()
                    + ": it has " + size);
        }
        Object values = make(count);
        get(bytes, values, count);
        return type == array ? values : Array.get(values, 0);
    }

    /** Copies the first elements out of bytes in this machine's order. */
    void get(ByteBuffer from, Object to, int count) {
        switch (this) {
            case BYTES -> from.get((byte[]) to, 0, count);
            case SHORTS -> from.asShortBuffer().get((short[]) to, 0, count);
            case INTS -> from.asIntBuffer().get((int[]) to, 0, count);
            case LONGS -> from.asLongBuffer().get((long[]) to, 0, count);
            case FLOATS -> from.asFloatBuffer().get((float[]) to, 0, count);
            case DOUBLES -> from.asDoubleBuffer().get((double[]) to, 0, count);
            default -> throw new AssertionError(this);
        }
    }

    /** Copies all elements into bytes in this machine's order. */
    void put(Object from, ByteBuffer to) {
        switch (this) {
            case BYTES -> to.put((byte[]) from);
            case SHORTS -> to.asShortBuffer().put((short[]) from);
            case INTS -> to.asIntBuffer().put((int[]) from);
            case LONGS -> to.asLongBuffer().put((long[]) from);
            case FLOATS -> to.asFloatBuffer().put((float[]) from);
            case DOUBLES -> to.asDoubleBuffer().put((double[]) from);
            default -> throw new AssertionError(this);
        }
    }
}
