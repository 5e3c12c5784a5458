package upcall.mpi;

import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import upcall.bindings.Arena;
import upcall.bindings.MemorySegment;

/** Memory that MPI uses until it says that it needs it no more: a direct buffer itself, or a copy of an array. */
final class Lent {
    /** No memory. */
    static final Lent NOTHING = new Lent(ByteBuffer.allocateDirect(0));

    private final Object values;
    private final MemorySegment segment;
    private final boolean inPlace;

    private Lent(Object values) {
        this.values = values;
        inPlace = Elements.isDirect(values);
        segment = inPlace
                ? Elements.segment(values)
                : Room.allocate(Arena.ofAuto(), Room.bytes(values));
    }

    /** What is sent: an array of numbers, or a buffer between its position and its limit. */
    static Lent from(Object values) {
        return new Lent(values);
    }

    /** What is filled. */
    static Lent into(Object values) {
        if (values instanceof Buffer buffer && buffer.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        return new Lent(values);
    }

    MemorySegment segment() {
        return segment;
    }

    long bytes() {
        return segment.byteSize();
    }

    /** What was written is sent from now on. */
    void out() {
        if (inPlace) {
            return;
        }
        ByteBuffer to = Room.view(segment);
        if (values instanceof ByteBuffer buffer) {
            to.put(buffer.duplicate());
        } else {
            Elements.of(values.getClass()).put(values, to);
        }
    }

    /** What has come belongs to its owner. */
    void back(long bytes) {
        if (!inPlace) {
            Room.fill(Room.view(segment), values, bytes);
        }
    }

    /** Keeps it until the library releases what this returns. */
    Runnable keep() {
        return () -> {
            Reference.reachabilityFence(segment);
            Reference.reachabilityFence(values);
        };
    }

    /** The same of two. */
    static Runnable keep(Lent data, Lent into) {
        return () -> {
            Reference.reachabilityFence(data);
            Reference.reachabilityFence(into);
        };
    }
}
