// Made by upcall bindgen; do not edit.
package @PACKAGE@;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory with an end: for JDK 17 what java.lang.foreign.Arena is from JDK 22 on, as far as these bindings need
 * it. The collector frees the memory, some time after the arena was closed or forgotten.
 */
public final class Arena implements SegmentAllocator, AutoCloseable {
    private static final Arena GLOBAL = new Arena(false);

    private final boolean closeable;
    private final List<ByteBuffer> buffers = new ArrayList<>();
    private volatile boolean closed;

    private Arena(boolean closeable) {
        this.closeable = closeable;
    }

    /** One that can be closed. Its memory may be used on any thread. */
    public static Arena ofConfined() {
        return new Arena(true);
    }

    /** One that can be closed. */
    public static Arena ofShared() {
        return new Arena(true);
    }

    /** One that the collector closes. */
    public static Arena ofAuto() {
        return new Arena(false);
    }

    /** One that is never closed. */
    public static Arena global() {
        return GLOBAL;
    }

    @Override
    public MemorySegment allocate(long size, long align) {
        check();
        int room = Math.toIntExact(Math.max(size, 1L));
        // Direct buffers are aligned to a page or to 16; what is more is asked for.
        ByteBuffer buffer = ByteBuffer.allocateDirect(Math.addExact(room, Math.toIntExact(align) - 1));
        int start = buffer.alignmentOffset(0, Math.toIntExact(align));
        int skip = start == 0 ? 0 : (int) align - start;
        ByteBuffer aligned = buffer.slice(skip, room);
        if (this != GLOBAL || size > 0L) {
            synchronized (buffers) {
                buffers.add(aligned);
            }
        }
        return MemorySegment.of(aligned, this).asSlice(0L, size);
    }

    boolean isAlive() {
        return !closed;
    }

    /** This, as java.lang.foreign has another object for it. */
    public Arena scope() {
        return this;
    }

    void check() {
        if (closed) {
            throw new IllegalStateException("the memory is closed");
        }
    }

    @Override
    public void close() {
        if (!closeable) {
            throw new UnsupportedOperationException("this arena cannot be closed");
        }
        check();
        closed = true;
        synchronized (buffers) {
            buffers.clear();
        }
    }

    /** UTF-8 with a zero at its end. */
    public MemorySegment allocateFrom(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment memory = allocate(bytes.length + 1L, 1L);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0L, bytes.length);
        return memory;
    }
$each type class size: byte Byte 1, short Short 2, int Int 4, long Long 8, float Float 4, double Double 8

    public MemorySegment allocateFrom(ValueLayout.Of$class layout, $type... values) {
        return allocate(values.length * $sizeL, $sizeL).copyFrom(MemorySegment.ofArray(values));
    }
$end
}
