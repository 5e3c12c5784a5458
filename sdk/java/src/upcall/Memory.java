package upcall;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;
import java.lang.reflect.Method;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Native memory by address. {@code java.lang.foreign} from Java 22 on, {@code sun.misc.Unsafe} before it: both behind method
 * handles, so that the classes are the same for all versions. A handle in a {@code static final} field is a constant to the
 * compiler, which leaves the load or store itself.
 */
final class Memory {
    /** Whether this Java has {@code java.lang.foreign}. */
    static final boolean FOREIGN = Runtime.version().feature() >= 22;

    /**
     * The bits that addresses have. The compiler compares an address with the end of all memory, and makes three loops of one for that,
     * unless it sees that it cannot be beyond: {@code at & ADDRESS} (0.1 ns per edge of a graph, OpenJDK 25).
     */
    static final long ADDRESS = FOREIGN ? 0x00FF_FFFF_FFFF_FFFFL : -1;

    private static final MethodHandle GET_BYTE;
    private static final MethodHandle GET_SHORT;
    private static final MethodHandle GET_INT;
    private static final MethodHandle GET_LONG;
    private static final MethodHandle PUT_BYTE;
    private static final MethodHandle PUT_SHORT;
    private static final MethodHandle PUT_INT;
    private static final MethodHandle PUT_LONG;
    /** (from, array, count) */
    private static final MethodHandle TO_ARRAY;
    /** (array, start, to, count) */
    private static final MethodHandle FROM_ARRAY;
    /** (from, to, bytes) */
    private static final MethodHandle COPY;
    private static final Access ACCESS;
    private static final Cleaner CLEANER = Cleaner.create();

    static {
        try {
            Access access = FOREIGN ? new Foreign() : new Unsafe();
            GET_BYTE = access.get(byte.class);
            GET_SHORT = access.get(short.class);
            GET_INT = access.get(int.class);
            GET_LONG = access.get(long.class);
            PUT_BYTE = access.put(byte.class);
            PUT_SHORT = access.put(short.class);
            PUT_INT = access.put(int.class);
            PUT_LONG = access.put(long.class);
            TO_ARRAY = access.toArray(byte.class)
                    .asType(MethodType.methodType(void.class, long.class, byte[].class, int.class));
            FROM_ARRAY = access.fromArray(byte.class)
                    .asType(MethodType.methodType(void.class, byte[].class, int.class, long.class, int.class));
            COPY = access.copy();
            ACCESS = access;
        } catch (ReflectiveOperationException exception) {
            throw new ExceptionInInitializerError(exception);
        }
    }

    /** So few bytes are copied here: a copy by the library costs more than they do. */
    private static final int FEW = 64;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private Memory() {}

    static byte getByte(long at) {
        try {
            return (byte) GET_BYTE.invokeExact(at);
        } catch (Throwable thrown) {
            throw rethrown(thrown);
        }
    }

    static short getShort(long at) {
        try {
            return (short) GET_SHORT.invokeExact(at);
        } catch (Throwable thrown) {
            throw rethrown(thrown);
        }
    }

    static int getInt(long at) {
        try {
            return (int) GET_INT.invokeExact(at);
        } catch (Throwable thrown) {
            throw rethrown(thrown);
        }
    }

    static long getLong(long at) {
        try {
            return (long) GET_LONG.invokeExact(at);
        } catch (Throwable thrown) {
            throw rethrown(thrown);
        }
    }

    static void putByte(long at, byte value) {
        try {
            PUT_BYTE.invokeExact(at, value);
        } catch (Throwable thrown) {
            throw rethrown(thrown);
        }
    }

    static void putShort(long at, short value) {
        try {
            PUT_SHORT.invokeExact(at, value);
        } catch (Throwable thrown) {
            throw rethrown(thrown);
        }
    }

    static void putInt(long at, int value) {
        try {
            PUT_INT.invokeExact(at, value);
        } catch (Throwable thrown) {
            throw rethrown(thrown);
        }
    }

    static void putLong(long at, long value) {
        try {
            PUT_LONG.invokeExact(at, value);
        } catch (Throwable thrown) {
            throw rethrown(thrown);
        }
    }

    static float getFloat(long at) {
        return Float.intBitsToFloat(getInt(at));
    }

    static double getDouble(long at) {
        return Double.longBitsToDouble(getLong(at));
    }

    static void putFloat(long at, float value) {
        putInt(at, Float.floatToRawIntBits(value));
    }

    static void putDouble(long at, double value) {
        putLong(at, Double.doubleToRawLongBits(value));
    }

    /** Behind all that was stored before: whoever finds it after a death finds the rest, too. */
    static void publishInt(long at, int value) {
        VarHandle.releaseFence();
        putInt(at, value);
    }

    /** As {@link #publishInt}. */
    static void publishLong(long at, long value) {
        VarHandle.releaseFence();
        putLong(at, value);
    }

    /** Copies the first bytes of native memory into an array. */
    static void copy(long from, byte[] to, int count) {
        if (count <= FEW && count <= to.length) {
            int at = 0;
            for (; at <= count - Long.BYTES; at += Long.BYTES) {
                LONGS.set(to, at, getLong(from + at));
            }
            for (; at < count; at++) {
                to[at] = getByte(from + at);
            }
            return;
        }
        try {
            TO_ARRAY.invokeExact(from, to, count);
        } catch (Throwable thrown) {
            throw rethrown(thrown);
        }
    }

    /** Copies a part of an array, which must have it, into native memory. */
    static void copy(byte[] from, int start, long to, int count) {
        if (count <= FEW) {
            int at = 0;
            for (; at <= count - Long.BYTES; at += Long.BYTES) {
                putLong(to + at, (long) LONGS.get(from, start + at));
            }
            for (; at < count; at++) {
                putByte(to + at, from[start + at]);
            }
            return;
        }
        try {
            FROM_ARRAY.invokeExact(from, start, to, count);
        } catch (Throwable thrown) {
            throw rethrown(thrown);
        }
    }

    static void copy(long from, long to, long bytes) {
        if (bytes <= FEW) {
            int at = 0;
            for (; at <= bytes - Long.BYTES; at += Long.BYTES) {
                putLong(to + at, getLong(from + at));
            }
            for (; at < bytes; at++) {
                putByte(to + at, getByte(from + at));
            }
            return;
        }
        try {
            COPY.invokeExact(from, to, bytes);
        } catch (Throwable thrown) {
            throw rethrown(thrown);
        }
    }

    static void zero(long at, long bytes) {
        long offset = 0;
        for (; offset <= bytes - Long.BYTES; offset += Long.BYTES) {
            putLong(at + offset, 0);
        }
        for (; offset < bytes; offset++) {
            putByte(at + offset, (byte) 0);
        }
    }

    /** Memory, aligned to 8, that is freed some time after its owner is gone. */
    static long allocate(Object owner, long bytes) {
        try {
            Object memory = ACCESS.allocate(bytes);
            CLEANER.register(owner, () -> ACCESS.free(memory));
            return ACCESS.address(memory);
        } catch (ReflectiveOperationException exception) {
            throw new IllegalStateException("allocate " + bytes + " bytes of native memory", exception);
        }
    }

    /** Copies the first elements of native memory into an array of this type: (from, array, count). */
    static MethodHandle toArray(Class<?> element) {
        try {
            return ACCESS.toArray(element).asType(MethodType.methodType(void.class, long.class, Object.class, int.class));
        } catch (ReflectiveOperationException exception) {
            throw new IllegalStateException("copy arrays of " + element, exception);
        }
    }

    /** Copies the first elements of an array of this type into native memory: (array, to, count). */
    static MethodHandle fromArray(Class<?> element) {
        try {
            MethodHandle copy = ACCESS.fromArray(element);
            copy = copy.asType(MethodType.methodType(void.class, Object.class, int.class, long.class, int.class));
            return MethodHandles.insertArguments(copy, 1, 0);
        } catch (ReflectiveOperationException exception) {
            throw new IllegalStateException("copy arrays of " + element, exception);
        }
    }

    /** The bytes of a slice, relative to an origin: a copy. */
    static byte[] bytes(long slice, long origin) {
        byte[] bytes = new byte[length(slice)];
        copy(origin + getLong(slice + Abi.Rel.OFFSET), bytes, bytes.length);
        return bytes;
    }

    /** The text of a slice, relative to an origin. */
    static String text(long slice, long origin) {
        return new String(bytes(slice, origin), StandardCharsets.UTF_8);
    }

    /** The length of a slice, as arrays have lengths. */
    static int length(long slice) {
        long length = getLong(slice + Abi.Rel.LEN);
        if (length < 0 || length > Integer.MAX_VALUE - 8) {
            throw new IllegalStateException("view a value of " + Long.toUnsignedString(length) + " bytes: an array holds at most "
                    + (Integer.MAX_VALUE - 8) + "; put smaller values");
        }
        return (int) length;
    }

    /** What a handle throws is thrown on as it is. */
    static RuntimeException rethrown(Throwable thrown) {
        return Memory.<RuntimeException>as(thrown);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException as(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** How this Java reaches native memory. */
    private interface Access {
        MethodHandle get(Class<?> type) throws ReflectiveOperationException;

        MethodHandle put(Class<?> type) throws ReflectiveOperationException;

        /** (from, array, count), in elements. */
        MethodHandle toArray(Class<?> element) throws ReflectiveOperationException;

        /** (array, start, to, count), in elements. */
        MethodHandle fromArray(Class<?> element) throws ReflectiveOperationException;

        MethodHandle copy() throws ReflectiveOperationException;

        Object allocate(long bytes) throws ReflectiveOperationException;

        long address(Object memory) throws ReflectiveOperationException;

        void free(Object memory);
    }

    /** By one segment over all addresses. */
    private static final class Foreign implements Access {
        private final MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        private final Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
        private final Class<?> layout = Class.forName("java.lang.foreign.ValueLayout");
        private final Object all;

        Foreign() throws ReflectiveOperationException {
            Object nothing = segment.getField("NULL").get(null);
            all = segment.getMethod("reinterpret", long.class).invoke(nothing, Long.MAX_VALUE);
        }

        @Override
        public MethodHandle get(Class<?> type) throws ReflectiveOperationException {
            return MethodHandles.insertArguments(memory(type).toMethodHandle(VarHandle.AccessMode.GET), 0, all);
        }

        @Override
        public MethodHandle put(Class<?> type) throws ReflectiveOperationException {
            return MethodHandles.insertArguments(memory(type).toMethodHandle(VarHandle.AccessMode.SET), 0, all);
        }

        private VarHandle memory(Class<?> type) throws ReflectiveOperationException {
            Method handle = Class.forName("java.lang.foreign.MemoryLayout").getMethod("varHandle", elements());
            return (VarHandle) handle.invoke(layoutOf(type), (Object) noElements());
        }

        private Object layoutOf(Class<?> type) throws ReflectiveOperationException {
            String name = "JAVA_" + type.getName().toUpperCase(Locale.ROOT) + (type == byte.class ? "" : "_UNALIGNED");
            return layout.getField(name).get(null);
        }

        private static Class<?> elements() throws ClassNotFoundException {
            return noElements().getClass();
        }

        private static Object[] noElements() throws ClassNotFoundException {
            Class<?> element = Class.forName("java.lang.foreign.MemoryLayout$PathElement");
            return (Object[]) java.lang.reflect.Array.newInstance(element, 0);
        }

        @Override
        public MethodHandle toArray(Class<?> element) throws ReflectiveOperationException {
            MethodType type = MethodType.methodType(
                    void.class, segment, layout, long.class, Object.class, int.class, int.class);
            MethodHandle copy = MethodHandles.insertArguments(lookup.findStatic(segment, "copy", type), 0, all, layoutOf(element));
            // (from, array, start, count), of which the start is 0.
            return MethodHandles.insertArguments(copy, 2, 0);
        }

        @Override
        public MethodHandle fromArray(Class<?> element) throws ReflectiveOperationException {
            MethodType type = MethodType.methodType(
                    void.class, Object.class, int.class, segment, layout, long.class, int.class);
            return MethodHandles.insertArguments(lookup.findStatic(segment, "copy", type), 2, all, layoutOf(element));
        }

        @Override
        public MethodHandle copy() throws ReflectiveOperationException {
            MethodType type = MethodType.methodType(
                    void.class, segment, long.class, segment, long.class, long.class);
            MethodHandle copy = lookup.findStatic(segment, "copy", type);
            return MethodHandles.insertArguments(MethodHandles.insertArguments(copy, 2, all), 0, all);
        }

        @Override
        public Object allocate(long bytes) throws ReflectiveOperationException {
            Class<?> arena = Class.forName("java.lang.foreign.Arena");
            Object collected = arena.getMethod("ofAuto").invoke(null);
            return arena.getMethod("allocate", long.class, long.class).invoke(collected, bytes, 8L);
        }

        @Override
        public long address(Object memory) throws ReflectiveOperationException {
            return (long) segment.getMethod("address").invoke(memory);
        }

        @Override
        public void free(Object memory) {
            // Freed when nobody has it: this was the last.
        }
    }

    /** By what later versions warn of and then take away. */
    private static final class Unsafe implements Access {
        private final MethodHandles.Lookup lookup = MethodHandles.lookup();
        private final Class<?> type = Class.forName("sun.misc.Unsafe");
        private final Object unsafe;

        Unsafe() throws ReflectiveOperationException {
            var field = type.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            unsafe = field.get(null);
        }

        private MethodHandle method(String name, Class<?> returns, Class<?>... takes) throws ReflectiveOperationException {
            return lookup.findVirtual(type, name, MethodType.methodType(returns, takes)).bindTo(unsafe);
        }

        @Override
        public MethodHandle get(Class<?> of) throws ReflectiveOperationException {
            return method("get" + named(of), of, long.class);
        }

        @Override
        public MethodHandle put(Class<?> of) throws ReflectiveOperationException {
            return method("put" + named(of), void.class, long.class, of);
        }

        private static String named(Class<?> of) {
            return of.getName().substring(0, 1).toUpperCase() + of.getName().substring(1);
        }

        @Override
        public MethodHandle toArray(Class<?> element) throws ReflectiveOperationException {
            MethodHandle copy = MethodHandles.insertArguments(arrays(), 0, (Object) null);
            // (from, array, start, bytes), of which the start is that of every such array.
            copy = MethodHandles.insertArguments(copy, 2, start(element));
            return MethodHandles.filterArguments(copy, 2, bytes(element));
        }

        @Override
        public MethodHandle fromArray(Class<?> element) throws ReflectiveOperationException {
            // (array, start, to, bytes)
            MethodHandle copy = MethodHandles.insertArguments(arrays(), 2, (Object) null);
            MethodHandle from = MethodHandles.insertArguments(scaled(), 0, start(element), scale(element));
            return MethodHandles.filterArguments(copy, 1, from, null, bytes(element));
        }

        /** Elements to bytes. */
        private MethodHandle bytes(Class<?> element) throws ReflectiveOperationException {
            return MethodHandles.insertArguments(scaled(), 0, 0L, scale(element));
        }

        private MethodHandle scaled() throws ReflectiveOperationException {
            MethodType type = MethodType.methodType(long.class, long.class, long.class, long.class);
            return lookup.findStatic(Unsafe.class, "scaled", type);
        }

        private static long scaled(long first, long scale, long elements) {
            return first + scale * elements;
        }

        private long start(Class<?> element) throws ReflectiveOperationException {
            return (int) type.getMethod("arrayBaseOffset", Class.class).invoke(unsafe, element.arrayType());
        }

        private long scale(Class<?> element) throws ReflectiveOperationException {
            return (int) type.getMethod("arrayIndexScale", Class.class).invoke(unsafe, element.arrayType());
        }

        private MethodHandle arrays() throws ReflectiveOperationException {
            return method("copyMemory", void.class, Object.class, long.class, Object.class, long.class, long.class);
        }

        @Override
        public MethodHandle copy() throws ReflectiveOperationException {
            return method("copyMemory", void.class, long.class, long.class, long.class);
        }

        @Override
        public Object allocate(long bytes) throws ReflectiveOperationException {
            return type.getMethod("allocateMemory", long.class).invoke(unsafe, bytes);
        }

        @Override
        public long address(Object memory) {
            return (long) memory;
        }

        @Override
        public void free(Object memory) {
            try {
                type.getMethod("freeMemory", long.class).invoke(unsafe, memory);
            } catch (ReflectiveOperationException exception) {
                throw new AssertionError("sun.misc.Unsafe has no freeMemory", exception);
            }
        }
    }
}
