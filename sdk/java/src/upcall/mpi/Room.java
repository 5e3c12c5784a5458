package upcall.mpi;

import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayDeque;
import java.util.Deque;
import upcall.bindings.Arena;
import upcall.bindings.MemorySegment;

/** Memory that MPI can read and fill, for a call of one thread: a direct buffer itself, or a copy of an array. */
final class Room implements AutoCloseable {
    /** Copies of this size are made in memory that the thread keeps: new memory costs more than they do. */
    private static final int SMALL = 16 << 10;
    private static final ThreadLocal<Deque<MemorySegment>> FREE = ThreadLocal.withInitial(ArrayDeque::new);

    private final MemorySegment segment;
    private final Object values;
    private final boolean inPlace;
    // One of these, or none.
    private final MemorySegment kept;
    private final Arena arena;

    private Room(Object values, long bytes) {
        this.values = values;
        inPlace = Elements.isDirect(values);
        if (inPlace) {
            kept = null;
            arena = null;
            segment = Elements.segment(values);
        } else if (bytes <= SMALL) {
            MemorySegment free = FREE.get().poll();
            kept = free != null ? free : allocate(Arena.ofAuto(), SMALL);
            arena = null;
            segment = kept.asSlice(0, bytes);
        } else {
            kept = null;
            arena = Arena.ofConfined();
            segment = allocate(arena, bytes);
        }
    }

    /** Zeroes; also none of them have an address. */
    static MemorySegment allocate(Arena arena, long bytes) {
        if (bytes >= Integer.MAX_VALUE) {
            throw new MpiException(MpiError.COUNT, "make room for " + bytes + " bytes beside Java's heap: a direct buffer has less than"
                    + " 2 GiB; send larger arrays in parts");
        }
        return arena.allocate(Math.max(bytes, 1), 16).asSlice(0, bytes);
    }

    /** So many bytes, of any values. */
    static Room of(long bytes) {
        return new Room(null, bytes);
    }

    /** What is sent: an array of numbers, a buffer between its position and its limit, or bytes. */
    static Room from(Object values) {
        Room room = new Room(values, bytes(values));
        if (!room.inPlace) {
            ByteBuffer to = view(room.segment);
            if (values instanceof ByteBuffer buffer) {
                to.put(buffer.duplicate());
            } else {
                Elements.of(values.getClass()).put(values, to);
            }
        }
        return room;
    }

    /** What is to be filled: an array of numbers, or a buffer between its position and its limit. */
    static Room into(Object values) {
        if (values instanceof Buffer buffer && buffer.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        return new Room(values, bytes(values));
    }

    /** The size of an array of numbers, or of what remains of a buffer. */
    static long bytes(Object values) {
        if (values instanceof ByteBuffer buffer) {
            return buffer.remaining();
        }
        Elements elements = values == null ? null : Elements.of(values.getClass());
        if (elements != null && values instanceof Buffer buffer) {
            return (long) buffer.remaining() * elements.size();
        }
        if (elements == null || !values.getClass().isArray()) {
            throw new IllegalArgumentException((values == null ? "null" : values.getClass().getName())
                    + " is no array of numbers and no buffer of them or of bytes; objects are sent and received by their class");
        }
        return (long) Array.getLength(values) * elements.size();
    }

    MemorySegment segment() {
        return segment;
    }

    /** The bytes of a segment, which may have none. */
    static ByteBuffer view(MemorySegment segment) {
        return segment.byteSize() == 0 ? ByteBuffer.allocate(0) : segment.asByteBuffer();
    }

    /** Copies what has arrived to whom it belongs. */
    void back(long bytes) {
        if (inPlace) {
            return;
        }
        fill(view(segment), values, bytes);
    }

    /** Copies some bytes into an array or a buffer. */
    static void fill(ByteBuffer from, Object values, long bytes) {
        if (values instanceof ByteBuffer buffer) {
            buffer.duplicate().put(from.limit(Math.toIntExact(bytes)));
        } else {
            Elements elements = Elements.of(values.getClass());
            elements.get(from, values, elements.count(bytes));
        }
    }

    @Override
    public void close() {
        // A view of a buffer does not keep it.
        Reference.reachabilityFence(values);
        if (kept != null) {
            FREE.get().push(kept);
        } else if (arena != null) {
            arena.close();
        }
    }
}
