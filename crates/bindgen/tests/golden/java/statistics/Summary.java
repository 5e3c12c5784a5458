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

/**
 * What a list of numbers comes to.
 *
 * <p>24 bytes, at multiples of 8.
 */
@SuppressWarnings("deprecation")
public final class Summary implements NativeMemory {
    /** Its bytes, with every padding as measured. */
    public static final GroupLayout LAYOUT =
            MemoryLayout.structLayout(ValueLayout.JAVA_DOUBLE.withName("min"), ValueLayout.JAVA_DOUBLE.withName("max"), ValueLayout.JAVA_INT.withName("count"), MemoryLayout.paddingLayout(4L)).withName("Summary");
    /** Bytes from one to the next in an array. */
    public static final long SIZE = 24L;

    private final MemorySegment segment;

    /** The one at the start of a segment, or behind a pointer. Nothing is copied. */
    public Summary(MemorySegment memory) {
        segment = Native.at(memory, SIZE, "Summary");
    }

    /** A new one, all zeroes. */
    public static Summary allocate(SegmentAllocator allocator) {
        return new Summary(allocator.allocate(LAYOUT));
    }

    /** So many new ones side by side, all zeroes; this is the first of them. */
    public static Summary allocate(SegmentAllocator allocator, long count) {
        return new Summary(allocator.allocate(LAYOUT, count));
    }

    /** The one that follows so many places behind this one. */
    public Summary get(long index) {
        return new Summary(segment.asSlice(index * SIZE));
    }

    /** Its memory. */
    @Override
    public MemorySegment segment() {
        return segment;
    }

    static Summary of$(MemorySegment address) {
        return Native.isNull(address) ? null : new Summary(address);
    }

    /** The smallest. */
    public double min() {
        return segment.get(Native.DOUBLE, 0L);
    }

    /** The smallest. */
    public Summary min(double value) {
        segment.set(Native.DOUBLE, 0L, value);
        return this;
    }

    public static double getMin(MemorySegment array, long index) {
        return array.get(Native.DOUBLE, index * SIZE + 0L);
    }

    public static void setMin(MemorySegment array, long index, double value) {
        array.set(Native.DOUBLE, index * SIZE + 0L, value);
    }

    /** The largest. */
    public double max() {
        return segment.get(Native.DOUBLE, 8L);
    }

    /** The largest. */
    public Summary max(double value) {
        segment.set(Native.DOUBLE, 8L, value);
        return this;
    }

    public static double getMax(MemorySegment array, long index) {
        return array.get(Native.DOUBLE, index * SIZE + 8L);
    }

    public static void setMax(MemorySegment array, long index, double value) {
        array.set(Native.DOUBLE, index * SIZE + 8L, value);
    }

    /** How many there are. */
    public int count() {
        return segment.get(Native.INT, 16L);
    }

    /** How many there are. */
    public Summary count(int value) {
        segment.set(Native.INT, 16L, value);
        return this;
    }

    public static int getCount(MemorySegment array, long index) {
        return array.get(Native.INT, index * SIZE + 16L);
    }

    public static void setCount(MemorySegment array, long index, int value) {
        array.set(Native.INT, index * SIZE + 16L, value);
    }
}
