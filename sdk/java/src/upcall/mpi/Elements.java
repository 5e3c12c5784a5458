package upcall.mpi;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import upcall.bindings.MemorySegment;

/** Numbers that travel as they lie in memory: arrays and buffers of them, and single ones. */
enum Elements {
    BYTES(byte[].class, Byte.class, null, 1, "i8"),
    SHORTS(short[].class, Short.class, ShortBuffer.class, 2, "i16"),
    INTS(int[].class, Integer.class, IntBuffer.class, 4, "i32"),
    LONGS(long[].class, Long.class, LongBuffer.class, 8, "i64"),
    FLOATS(float[].class, Float.class, FloatBuffer.class, 4, "f32"),
    DOUBLES(double[].class, Double.class, DoubleBuffer.class, 8, "f64");

    private static final ClassValue<Elements[]> OF = new ClassValue<>() {
        @Override
        protected Elements[] computeValue(Class<?> type) {
            for (Elements elements : values()) {
                if (type == elements.array || type == elements.single || type == elements.array.componentType()
                        || (elements.buffer != null && elements.buffer.isAssignableFrom(type))) {
                    return new Elements[] {elements};
                }
            }
            return new Elements[1];
        }
    };

    private final Class<?> array;
    private final Class<?> single;
    /** Of bytes it is none: a buffer of them may hold any numbers. */
    private final Class<? extends Buffer> buffer;
    private final int size;
    private final String number;

    Elements(Class<?> array, Class<?> single, Class<? extends Buffer> buffer, int size, String number) {
        this.array = array;
        this.single = single;
        this.buffer = buffer;
        this.size = size;
        this.number = number;
    }

    /** Those of an array, a number or a buffer of numbers; null of any other class, as of a buffer of bytes. */
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

    /** Whether a value is a buffer that MPI reads and fills where it lies: a direct one in this machine's order. */
    static boolean isDirect(Object value) {
        return value instanceof Buffer direct && direct.isDirect() && (value instanceof ByteBuffer || isNative(direct));
    }

    private static boolean isNative(Buffer numbers) {
        ByteOrder order = ByteOrder.nativeOrder();
        return numbers instanceof DoubleBuffer doubles && doubles.order() == order
                || numbers instanceof FloatBuffer floats && floats.order() == order
                || numbers instanceof LongBuffer longs && longs.order() == order
                || numbers instanceof IntBuffer ints && ints.order() == order
                || numbers instanceof ShortBuffer shorts && shorts.order() == order;
    }

    /** The memory of such a buffer between its position and its limit, which whoever uses it keeps reachable. */
    static MemorySegment segment(Object direct) {
        return direct instanceof ByteBuffer bytes
                ? MemorySegment.ofBuffer(bytes.slice())
                : MemorySegment.ofDirect((Buffer) direct, of(direct.getClass()).size);
    }

    /** A number, or an array, as an array; a buffer as it is. */
    Object asArray(Object value) {
        if (array.isInstance(value) || value instanceof Buffer) {
            return value;
        }
        Object one = make(1);
        Array.set(one, 0, value);
        return one;
    }

    /** Bytes as a value of a class: an array of all of them, or the one number that they are. */
    Object read(ByteBuffer bytes, Class<?> type) {
        int count = count(bytes.remaining());
        if (Buffer.class.isAssignableFrom(type)) {
            Object values = make(count);
            get(bytes, values, count);
            return wrapped(values);
        }
        if (type != array && count != 1) {
            throw new MpiException(MpiError.TYPE, "read " + bytes.remaining() + " bytes as one " + single.getSimpleName()
                    + ": it has " + size);
        }
        Object values = make(count);
        get(bytes, values, count);
        return type == array ? values : Array.get(values, 0);
    }

    private Buffer wrapped(Object values) {
        return switch (this) {
            case SHORTS -> ShortBuffer.wrap((short[]) values);
            case INTS -> IntBuffer.wrap((int[]) values);
            case LONGS -> LongBuffer.wrap((long[]) values);
            case FLOATS -> FloatBuffer.wrap((float[]) values);
            case DOUBLES -> DoubleBuffer.wrap((double[]) values);
            default -> throw new AssertionError(this);
        };
    }

    /** Copies the first elements out of bytes in this machine's order, into an array or a buffer, whose position stays. */
    void get(ByteBuffer from, Object to, int count) {
        if (to instanceof Buffer room) {
            put(from, room, count);
            return;
        }
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

    private void put(ByteBuffer from, Buffer to, int count) {
        switch (this) {
            case SHORTS -> ((ShortBuffer) to).duplicate().put(from.asShortBuffer().limit(count));
            case INTS -> ((IntBuffer) to).duplicate().put(from.asIntBuffer().limit(count));
            case LONGS -> ((LongBuffer) to).duplicate().put(from.asLongBuffer().limit(count));
            case FLOATS -> ((FloatBuffer) to).duplicate().put(from.asFloatBuffer().limit(count));
            case DOUBLES -> ((DoubleBuffer) to).duplicate().put(from.asDoubleBuffer().limit(count));
            default -> throw new AssertionError(this);
        }
    }

    /** Copies all elements of an array, or what remains of a buffer, into bytes in this machine's order. */
    void put(Object from, ByteBuffer to) {
        if (from instanceof Buffer values) {
            put(values, to);
            return;
        }
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

    private void put(Buffer from, ByteBuffer to) {
        switch (this) {
            case SHORTS -> to.asShortBuffer().put(((ShortBuffer) from).duplicate());
            case INTS -> to.asIntBuffer().put(((IntBuffer) from).duplicate());
            case LONGS -> to.asLongBuffer().put(((LongBuffer) from).duplicate());
            case FLOATS -> to.asFloatBuffer().put(((FloatBuffer) from).duplicate());
            case DOUBLES -> to.asDoubleBuffer().put(((DoubleBuffer) from).duplicate());
            default -> throw new AssertionError(this);
        }
    }
}
