// Made by upcall bindgen; do not edit.
package @PACKAGE@;

/** Where memory comes from: for JDK 17 what java.lang.foreign.SegmentAllocator is from JDK 22 on. */
@FunctionalInterface
public interface SegmentAllocator {
    /** Memory of zeroes. */
    MemorySegment allocate(long size, long align);

    default MemorySegment allocate(long size) {
        return allocate(size, 1L);
    }

    default MemorySegment allocate(GroupLayout layout) {
        return allocate(layout.byteSize(), layout.byteAlignment());
    }

    default MemorySegment allocate(GroupLayout layout, long count) {
        return allocate(Math.multiplyExact(layout.byteSize(), count), layout.byteAlignment());
    }

    default MemorySegment allocate(ValueLayout layout) {
        return allocate(layout.byteSize(), layout.byteSize());
    }

    default MemorySegment allocate(ValueLayout layout, long count) {
        return allocate(Math.multiplyExact(layout.byteSize(), count), layout.byteSize());
    }

    /** One that gives the same memory each time, as it was left. */
    static SegmentAllocator prefixAllocator(MemorySegment memory) {
        return (size, align) -> memory.asSlice(0L, size);
    }
}
