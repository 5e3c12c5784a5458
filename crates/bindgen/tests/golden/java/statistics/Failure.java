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

/** 40 bytes, at multiples of 8. */
@SuppressWarnings("deprecation")
public final class Failure implements NativeMemory {
    /** Its bytes, with every padding as measured. */
    public static final GroupLayout LAYOUT =
            MemoryLayout.structLayout(Text.LAYOUT.withName("message"), ValueLayout.JAVA_INT.withName("code"), MemoryLayout.paddingLayout(4L)).withName("Failure");
    /** Bytes from one to the next in an array. */
    public static final long SIZE = 40L;

    private final MemorySegment segment;

    /** The one at the start of a segment, or behind a pointer. Nothing is copied. */
    public Failure(MemorySegment memory) {
        segment = Native.at(memory, SIZE, "Failure");
    }

    /** A new one, all zeroes. */
    public static Failure allocate(SegmentAllocator allocator) {
        return new Failure(allocator.allocate(LAYOUT));
    }

    /** So many new ones side by side, all zeroes; this is the first of them. */
    public static Failure allocate(SegmentAllocator allocator, long count) {
        return new Failure(allocator.allocate(LAYOUT, count));
    }

    /** The one that follows so many places behind this one. */
    public Failure get(long index) {
        return new Failure(segment.asSlice(index * SIZE));
    }

    /** Its memory. */
    @Override
    public MemorySegment segment() {
        return segment;
    }

    static Failure of$(MemorySegment address) {
        return Native.isNull(address) ? null : new Failure(address);
    }

    public Text message() {
        return new Text(segment.asSlice(0L, Text.SIZE));
    }

    public Failure message(Text value) {
        MemorySegment.copy(value.segment(), 0L, segment, 0L, Text.SIZE);
        return this;
    }

    public int code() {
        return segment.get(Native.INT, 32L);
    }

    public Failure code(int value) {
        segment.set(Native.INT, 32L, value);
        return this;
    }

    public static int getCode(MemorySegment array, long index) {
        return array.get(Native.INT, index * SIZE + 32L);
    }

    public static void setCode(MemorySegment array, long index, int value) {
        array.set(Native.INT, index * SIZE + 32L, value);
    }
}
