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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

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

    /** An address where null is not allowed. */
    static MemorySegment present(MemorySegment address, String name) {
        if (isNull(address)) {
            throw new NullPointerException(name + " is the null address");
        }
        return address;
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
        MemorySegment address = slot.get(ADDRESS, 0L);
        if (address.address() == 0L) {
            return null;
        }
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
        private final List<Large> large = new ArrayList<>();
        private long used;

        private record Large(Arena arena, long mark) {}

        long mark() {
            return used;
        }

        void release(long mark) {
            used = mark;
            while (!large.isEmpty() && large.get(large.size() - 1).mark() >= mark) {
                large.remove(large.size() - 1).arena().close();
            }
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
            large.add(new Large(arena, used));
            // The next mark must be another one.
            used = Math.min(used + 1L, ROOM);
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
            byte[] bytes = Objects.requireNonNull(text, "text must not be null").getBytes(StandardCharsets.UTF_8);
            MemorySegment data = room(bytes.length, 1L);
            MemorySegment.copy(bytes, 0, data, ValueLayout.JAVA_BYTE, 0L, bytes.length);
            return pair(data, bytes.length);
        }

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
//end
                return pair(elements, bytes / size);
            }
            return pair(room(bytes, 16L).copyFrom(elements), bytes / size);
        }
@WIDE_SCRATCH@    }
}
