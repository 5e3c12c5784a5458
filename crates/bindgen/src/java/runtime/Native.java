// Made by upcall bindgen; do not edit.
package @PACKAGE@;

//ffm
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
//end
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What the generated classes share. */
@SuppressWarnings("restricted")
final class Native {
    static final ValueLayout.OfBoolean BOOLEAN = ValueLayout.JAVA_BOOLEAN;
    static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
//ffm
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
    static final AddressLayout ADDRESS = ValueLayout.ADDRESS_UNALIGNED;

    static final Linker LINKER = Linker.nativeLinker();
//jni
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;
    static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE;
    static final AddressLayout ADDRESS = ValueLayout.ADDRESS;
//end

    private Native() {}

//ffm
    /** A function of the library. */
    static MethodHandle function(String symbol, FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(NativeLibrary.symbol(symbol), descriptor, options);
    }

    /** An inline function of the library's headers. */
    static MethodHandle inline(String symbol, FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(NativeLibrary.inlineSymbol(symbol), descriptor, options);
    }

    /** A function of the library that takes by pointer what Java cannot pass by value. */
    static MethodHandle shim(String symbol, FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(NativeLibrary.shimSymbol(symbol), descriptor, options);
    }

    /** A function whose address comes with each call. */
    static MethodHandle pointer(FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(descriptor);
    }

    /** A variable of the library. */
    static MemorySegment variable(String symbol, long size) {
        return NativeLibrary.symbol(symbol).reinterpret(size);
    }
//end

    /** What a method rethrows: everything unchecked, and what a callback has thrown, as it is. */
    static RuntimeException thrown(Throwable thrown) {
        return Native.<RuntimeException>sneak(thrown);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    static boolean isNull(MemorySegment address) {
        return address.address() == 0L && address.isNative();
    }

    /** A parameter that must not be null. */
    static <T> T present(T value, String function, String parameter) {
        if (value == null) {
            throw new NullPointerException(function + ": " + parameter + " must not be null");
        }
        return value;
    }

    /** An address where null is not allowed. */
    static MemorySegment presentAddress(MemorySegment address, String function, String parameter) {
        if (isNull(present(address, function, parameter))) {
            throw new NullPointerException(function + ": " + parameter + " must not be the null address");
        }
        return address;
    }

    /** The address of what may be null. */
    static MemorySegment segment(NativeMemory memory) {
        return memory == null ? MemorySegment.NULL : memory.segment();
    }

    static MemorySegment orNull(MemorySegment address) {
        return address == null ? MemorySegment.NULL : address;
    }

$each type: byte, short, int, long, float, double
    static MemorySegment heap($type[] array) {
        return array == null ? null : MemorySegment.ofArray(array);
    }

    /** Brings what native code wrote into the copy of an array back. */
    static void copyBack(MemorySegment slice, $type[] to) {
        copyBack(slice, MemorySegment.ofArray(to));
    }

$end
    /** What is between its position and its limit. */
    static MemorySegment heap(ByteBuffer buffer) {
        return buffer == null ? null : MemorySegment.ofBuffer(buffer);
    }

    static MemorySegment writable(MemorySegment memory, String function, String parameter) {
        if (memory != null && memory.isReadOnly()) {
            throw new IllegalArgumentException(function + ": " + parameter + " is written, but read-only");
        }
        return memory;
    }

    /** Brings what native code wrote into a copy back. */
    static void back(MemorySegment from, MemorySegment to) {
        if (to != null && !to.isNative()) {
            MemorySegment.copy(from, 0L, to, 0L, to.byteSize());
        }
    }

    static MemorySegment itself(MemorySegment address) {
        return address;
    }

    /** Brings addresses that native code wrote back; what it left alone stays the same object. */
    static <T> void back(MemorySegment from, T[] to, Function<MemorySegment, T> make) {
        for (int index = 0; to != null && index < to.length; index++) {
            MemorySegment found = from.get(ADDRESS, index * 8L);
            boolean same = to[index] instanceof NativeHandle handle ? handle.address$() == found.address()
                    : to[index] instanceof NativeMemory memory && memory.segment().address() == found.address();
            if (!same) {
                to[index] = make.apply(found);
            }
        }
    }

//ffm
    /** An address that a callback returns. */
    static MemorySegment returned(MemorySegment address) {
        if (!address.isNative()) {
            throw new IllegalArgumentException("a callback has returned memory on the heap, which has no address");
        }
        return address;
    }

    /** A struct that a callback returns, in memory that is there when it is read. */
    static MemorySegment returnedStruct(MemorySegment struct) {
        if (struct.isNative() && struct.scope().equals(Arena.global().scope())) {
            return struct;
        }
        return Arena.ofAuto().allocate(struct.byteSize(), 16L).copyFrom(struct);
    }

//jni
    /** An address as JNI takes it. */
    static long address(MemorySegment memory) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException("memory on the heap has no address");
        }
        memory.check();
        return memory.address();
    }

//end
    /** A struct's memory: that of the segment, or what lies behind a pointer. */
    static MemorySegment at(MemorySegment memory, long size, String type) {
        if (isNull(memory)) {
            throw new NullPointerException("there is no " + type + " at the null address");
        }
        if (memory.byteSize() == 0L) {
            return memory.reinterpret(size);
        }
        if (memory.byteSize() < size) {
            throw new IndexOutOfBoundsException(
                    type + " has " + size + " bytes, the segment has " + memory.byteSize());
        }
        return memory;
    }

    /** Borrowed UTF-8. */
    static String text(MemorySegment slice) {
        long length = slice.get(LONG, 8L);
        return length == 0L ? "" : decode(slice.get(ADDRESS, 0L), length);
    }

    /** UTF-8 that is released once it has been read. */
    static String ownedText(MemorySegment buffer) {
        String text = text(buffer);
        release(buffer);
        return text;
    }

    private static String decode(MemorySegment data, long length) {
        byte[] bytes = data.reinterpret(length).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Borrowed elements. */
    static MemorySegment slice(MemorySegment slice, long size) {
        return slice.get(ADDRESS, 0L).reinterpret(Math.multiplyExact(slice.get(LONG, 8L), size));
    }

    /** The same for as long as an arena is open. */
    static MemorySegment slice(MemorySegment slice, long size, Arena arena) {
        return slice.get(ADDRESS, 0L).reinterpret(Math.multiplyExact(slice.get(LONG, 8L), size), arena, null);
    }

    /** Gives a buffer back to whoever made it. */
    static void release(MemorySegment buffer) {
        release(buffer.get(ADDRESS, 24L), buffer.get(ADDRESS, 0L), buffer.get(LONG, 8L), buffer.get(LONG, 16L));
    }

    static void release(MemorySegment release, MemorySegment data, long length, long capacity) {
        if (release.address() == 0L) {
            return;
        }
//ffm
        try {
            Release.HANDLE.invokeExact(release, data, length, capacity);
        } catch (Throwable thrown) {
            throw thrown(thrown);
        }
//jni
        NativeLibrary.release(release.address(), data.address(), length, capacity);
//end
    }

//ffm
    private static final class Release {
        static final MethodHandle HANDLE = pointer(FunctionDescriptor.ofVoid(
                ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    }
//end

    /** What a call has failed with, read and released; null if it has not. */
    static NativeException failure(MemorySegment slot) {
        return slot.get(LONG, 0L) == 0L ? null : failed(slot.get(ADDRESS, 0L));
    }

    private static NativeException failed(MemorySegment address) {
        MemorySegment failure = address.reinterpret(40L);
        NativeException exception = new NativeException(failure.get(INT, 32L), text(failure));
//ffm
        try {
            FailureRelease.HANDLE.invokeExact(address);
        } catch (Throwable thrown) {
            throw thrown(thrown);
        }
//jni
        NativeLibrary.releaseFailure(address.address());
//end
        return exception;
    }

//ffm
    private static final class FailureRelease {
        static final MethodHandle HANDLE =
                function("upcall_failure_release", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
    }
//end

@WIDE@    /** Brings what native code wrote into the copy of a heap segment back. */
    static void copyBack(MemorySegment slice, MemorySegment to) {
        if (!to.isNative()) {
            MemorySegment.copy(slice.get(ADDRESS, 0L).reinterpret(to.byteSize()), 0L, to, 0L, to.byteSize());
        }
    }

    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    static Scratch scratch() {
        return SCRATCH.get();
    }

    /** Memory for the time of a call: a stack per thread, with arenas for what does not fit. */
    static final class Scratch implements SegmentAllocator {
        private static final long ROOM = 4096L;

        private final MemorySegment block = Arena.ofAuto().allocate(ROOM, 16L);
        /** What ends with the call that began at a mark. */
        private final List<Later> later = new ArrayList<>();
        private long used;

        private record Later(Runnable end, long mark) {}

        long mark() {
            return used;
        }

        void release(long mark) {
            used = mark;
            if (!later.isEmpty()) {
                end(mark);
            }
        }

        /** Not in {@link #release}, which the compiler puts into each caller. */
        private void end(long mark) {
            while (!later.isEmpty() && later.get(later.size() - 1).mark() >= mark) {
                later.remove(later.size() - 1).end().run();
            }
        }

        /** Where a call leaves its failure. */
        MemorySegment failure() {
            MemorySegment slot = room(8L, 8L);
            slot.set(LONG, 0L, 0L);
            return slot;
        }

        /** Zeroes. */
        @Override
        public MemorySegment allocate(long size, long align) {
            MemorySegment memory = room(size, align);
            return memory.fill((byte) 0);
        }

        private MemorySegment room(long size, long align) {
            long start = (used + align - 1L) & -align;
            if (align <= 16L && size <= ROOM - start) {
                used = start + size;
                return block.asSlice(start, size);
            }
            Arena arena = Arena.ofConfined();
            later.add(new Later(arena::close, used));
            // The next mark must be another one.
            used++;
            return arena.allocate(size, align);
        }

        /** A struct of address and count. */
        private MemorySegment pair(MemorySegment data, long count) {
            MemorySegment pair = room(16L, 8L);
            pair.set(ADDRESS, 0L, data);
            pair.set(LONG, 8L, count);
            return pair;
        }

        MemorySegment text(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            MemorySegment data = room(bytes.length, 1L);
            MemorySegment.copy(bytes, 0, data, ValueLayout.JAVA_BYTE, 0L, bytes.length);
            return pair(data, bytes.length);
        }

        /** UTF-8 with a zero at its end. */
        MemorySegment cString(String text, String function, String parameter) {
            if (text == null) {
                return MemorySegment.NULL;
            }
            if (text.indexOf('\0') >= 0) {
                throw new IllegalArgumentException(
                        function + ": " + parameter + " has a zero in it, where text of C would end");
            }
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            MemorySegment data = room(bytes.length + 1L, 1L);
            MemorySegment.copy(bytes, 0, data, ValueLayout.JAVA_BYTE, 0L, bytes.length);
            data.set(BYTE, bytes.length, (byte) 0);
            return data;
        }

        /** Memory that has an address: itself, or a copy. */
        MemorySegment copy(MemorySegment memory) {
            if (memory == null) {
                return MemorySegment.NULL;
            }
            return memory.isNative() ? memory : room(memory.byteSize(), 16L).copyFrom(memory);
        }

        /** The addresses of objects, memory and text; of text that will be written, none. */
        MemorySegment places(Object[] values, boolean back, String function, String parameter) {
            if (values == null) {
                return MemorySegment.NULL;
            }
            long mark = used;
            MemorySegment places = room(values.length * 8L, 8L);
            for (int index = 0; index < values.length; index++) {
                places.set(ADDRESS, index * 8L, place(values[index], back, mark, function, parameter));
            }
            return places;
        }

        private MemorySegment place(Object value, boolean back, long mark, String function, String parameter) {
            if (value instanceof NativeHandle handle) {
                MemorySegment held = handle.hold$(function, parameter);
                later.add(new Later(() -> NativeHandle.letGo(handle, held), mark));
                return held;
            } else if (value instanceof NativeMemory memory) {
                return memory.segment();
            } else if (value instanceof MemorySegment memory) {
                return memory;
            }
            return value instanceof String text && !back ? cString(text, function, parameter) : MemorySegment.NULL;
        }

$each type constant: byte BYTE, short SHORT, int INT, long LONG, float FLOAT, double DOUBLE
        /** A copy of elements of that many bytes. It needs no segment of the array, which would cost as much. */
        MemorySegment slice($type[] elements, long size) {
            MemorySegment data = room(elements.length * size, 16L);
            MemorySegment.copy(elements, 0, data, $constant, 0L, elements.length);
            return pair(data, elements.length);
        }

$end
        /** Elements of that many bytes: where they are, or a copy of those that are on the heap. */
        MemorySegment slice(MemorySegment elements, long size) {
            long bytes = elements.byteSize();
            if (bytes % size != 0L) {
                throw new IllegalArgumentException(
                        bytes + " bytes are not a whole number of elements of " + size + " bytes");
            }
            if (elements.isNative()) {
//ffm
                if (!elements.scope().isAlive()) {
                    throw new IllegalStateException("the memory of a slice is closed");
                }
                if (!elements.isAccessibleBy(Thread.currentThread())) {
                    throw new WrongThreadException("the memory of a slice belongs to another thread");
                }
//jni
                elements.check();
//end
                return pair(elements, bytes / size);
            }
            return pair(room(bytes, 16L).copyFrom(elements), bytes / size);
        }
@WIDE_SCRATCH@    }
}
