// Made by upcall bindgen 0.1.0 --config bindgen.toml --library statistics --rust src/lib.rs; do not edit.
package statistics;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;

/** 16 bytes, at multiples of 8. */
@SuppressWarnings("deprecation")
public final class Str implements NativeMemory {
    /** Its bytes, with every padding as measured. */
    public static final GroupLayout LAYOUT =
            MemoryLayout.structLayout(ValueLayout.ADDRESS.withName("data"), ValueLayout.JAVA_LONG.withName("len")).withName("Str");
    /** Bytes from one to the next in an array. */
    public static final long SIZE = 16L;

    private final MemorySegment segment;

    /** The one at the start of a segment, or behind a pointer. Nothing is copied. */
    public Str(MemorySegment memory) {
        segment = Native.at(memory, SIZE, "Str");
    }

    /** A new one, all zeroes. */
    public static Str allocate(SegmentAllocator allocator) {
        return new Str(allocator.allocate(LAYOUT));
    }

    /** So many new ones side by side, all zeroes; this is the first of them. */
    public static Str allocate(SegmentAllocator allocator, long count) {
        return new Str(allocator.allocate(LAYOUT, count));
    }

    /** The one that follows so many places behind this one. */
    public Str get(long index) {
        return new Str(segment.asSlice(index * SIZE));
    }

    /** Its memory. */
    @Override
    public MemorySegment segment() {
        return segment;
    }

    static Str of$(MemorySegment address) {
        return Native.isNull(address) ? null : new Str(address);
    }

    public MemorySegment data() {
        return segment.get(Native.ADDRESS, 0L);
    }

    public Str data(MemorySegment value) {
        segment.set(Native.ADDRESS, 0L, value);
        return this;
    }

    public static MemorySegment getData(MemorySegment array, long index) {
        return array.get(Native.ADDRESS, index * SIZE + 0L);
    }

    public static void setData(MemorySegment array, long index, MemorySegment value) {
        array.set(Native.ADDRESS, index * SIZE + 0L, value);
    }

    public long len() {
        return segment.get(Native.LONG, 8L);
    }

    public Str len(long value) {
        segment.set(Native.LONG, 8L, value);
        return this;
    }

    public static long getLen(MemorySegment array, long index) {
        return array.get(Native.LONG, index * SIZE + 8L);
    }

    public static void setLen(MemorySegment array, long index, long value) {
        array.set(Native.LONG, index * SIZE + 8L, value);
    }

    /** A copy of the text. */
    public String text() {
        return Native.text(segment);
    }
}
