// Made by upcall bindgen; do not edit.
package @PACKAGE@;

//ffm
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

//end
/** Elements that native code has made and that are given back by closing. For the thread that received them. */
@SuppressWarnings("restricted")
public final class NativeBuffer implements AutoCloseable {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment elements;
    private final MemorySegment data;
    private final MemorySegment release;
    private final long length;
    private final long capacity;

    NativeBuffer(MemorySegment buffer, long size) {
        data = buffer.get(Native.ADDRESS, 0L);
        length = buffer.get(Native.LONG, 8L);
        capacity = buffer.get(Native.LONG, 16L);
        release = buffer.get(Native.ADDRESS, 24L);
        elements = data.reinterpret(Math.multiplyExact(length, size), arena, null);
    }

    /** The elements. Using them after {@link #close} is an {@link IllegalStateException}. */
    public MemorySegment elements() {
        if (!arena.scope().isAlive()) {
            throw new IllegalStateException("the buffer is closed");
        }
        return elements;
    }

    /** How many elements there are. */
    public long length() {
        return length;
    }

    /** Gives the elements back. A second time does nothing. */
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
            Native.release(release, data, length, capacity);
        }
    }
}
