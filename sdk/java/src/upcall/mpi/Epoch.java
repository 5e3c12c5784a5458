package upcall.mpi;

import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.List;
import upcall.bindings.Arena;
import upcall.bindings.MemorySegment;
import upcall.bindings.UpcallMpiCombining;
import upcall.bindings.UpcallMpiEpoch;

/**
 * What is done to other ranks' memory between two points in time: see {@link Window}. What it begins has ended when this is closed;
 * what is fetched is there then.
 *
 * <p>Numbers are given as arrays of the window's class, of which it keeps copies, or as direct buffers between position and limit, which
 * are used in place and must not be changed before the epoch has ended.
 *
 * @param <A> the class of arrays of the window's numbers
 */
public class Epoch<A> implements AutoCloseable {
    final OpenEpoch open;
    final Elements elements;
    /** Fills arrays when it has ended. */
    private final List<Runnable> then = new ArrayList<>();

    Epoch(WindowCalls<A> window, UpcallMpiEpoch epoch) {
        open = new OpenEpoch(window, epoch);
        elements = window.elements;
    }

    /**
     * Writes numbers at a rank, from its number {@code at} on.
     *
     * @throws MpiException there is no such rank or place, the epoch is not with that rank or has ended, or MPI refuses
     */
    public final void put(A values, int rank, long at) {
        UpcallMpiEpoch epoch = open.get();
        place(at);
        try (Room room = Room.from(own(values))) {
            MpiException.of(() -> epoch.put(room.segment(), rank, at));
        }
    }

    /**
     * As the other, in place: a direct buffer of bytes, or of the window's numbers in this machine's order, between its position and
     * its limit.
     *
     * @throws MpiException as of the other
     */
    public final void put(Buffer direct, int rank, long at) {
        UpcallMpiEpoch epoch = open.get();
        place(at);
        MemorySegment data = direct(direct);
        MpiException.of(() -> epoch.putLent(data, data.byteSize(), rank, at, () -> Reference.reachabilityFence(direct)));
    }

    /**
     * Reads numbers of a rank's, from its number {@code at} on, into an array, which is filled when the epoch has ended.
     *
     * @throws MpiException as of {@link #put}
     */
    public final void get(A into, int rank, long at) {
        ByteBuffer room = room(Array.getLength(own(into)));
        get(room, rank, at);
        then.add(() -> Room.fill(room, into, room.remaining()));
    }

    /**
     * As the other, into a direct buffer, where they are when the epoch has ended; nobody uses it before that.
     *
     * @throws MpiException as of {@link #put}
     */
    public final void get(Buffer direct, int rank, long at) {
        UpcallMpiEpoch epoch = open.get();
        place(at);
        MemorySegment into = written(direct);
        MpiException.of(() -> epoch.getLent(into, into.byteSize(), rank, at, () -> Reference.reachabilityFence(direct)));
    }

    /**
     * Combines numbers into those of a rank's, each at once. Several ranks may do so to the same numbers, with one operation, which
     * is one of MPI's own, as {@link Operation#SUM}, or {@link Operation#REPLACE}.
     *
     * @throws MpiException as of {@link #put}, or the operation is a function, or the MPI in use compares unsigned numbers wrongly
     */
    public final void accumulate(A values, int rank, long at, Operation<?> operation) {
        UpcallMpiEpoch epoch = open.get();
        UpcallMpiCombining by = operation.combining(elements);
        place(at);
        try (Room room = Room.from(own(values))) {
            MpiException.of(() -> epoch.accumulate(room.segment(), rank, at, by));
        }
    }

    /**
     * As the other, of a direct buffer in place.
     *
     * @throws MpiException as of the other
     */
    public final void accumulate(Buffer direct, int rank, long at, Operation<?> operation) {
        UpcallMpiEpoch epoch = open.get();
        UpcallMpiCombining by = operation.combining(elements);
        place(at);
        MemorySegment data = direct(direct);
        MpiException.of(
                () -> epoch.accumulateLent(data, data.byteSize(), rank, at, by, () -> Reference.reachabilityFence(direct)));
    }

    /**
     * As {@link #accumulate}; {@code before} has what was there before, when the epoch has ended.
     *
     * @throws MpiException as of {@link #accumulate}, or the arrays are not as long as each other
     */
    public final void getAccumulate(A values, A before, int rank, long at, Operation<?> operation) {
        UpcallMpiEpoch epoch = open.get();
        UpcallMpiCombining by = operation.combining(elements);
        place(at);
        ByteBuffer room = room(Array.getLength(own(before)));
        MemorySegment was = MemorySegment.ofBuffer(room);
        try (Room data = Room.from(own(values))) {
            MpiException.of(() -> epoch.getAccumulateLent(
                    data.segment(), was, room.remaining(), rank, at, by, () -> Reference.reachabilityFence(room)));
        }
        then.add(() -> Room.fill(room, before, room.remaining()));
    }

    /**
     * Combines one number into one of a rank's at once; the first of {@code before} is what was there before, when the epoch has
     * ended.
     *
     * @throws MpiException as of {@link #accumulate}
     */
    public final void fetchAndOpInto(Number value, A before, int rank, long at, Operation<?> operation) {
        UpcallMpiEpoch epoch = open.get();
        UpcallMpiCombining by = operation.combining(elements);
        place(at);
        ByteBuffer room = first(before);
        MemorySegment was = MemorySegment.ofBuffer(room);
        try (Room one = Room.from(one(value))) {
            MpiException.of(() -> epoch.fetchAndOpLent(
                    one.segment(), was, room.remaining(), rank, at, by, () -> Reference.reachabilityFence(room)));
        }
        then.add(() -> Room.fill(room, before, room.remaining()));
    }

    /**
     * Writes an integer at a rank if what is there is {@code expected}, at once; the first of {@code before} is what was there, when
     * the epoch has ended.
     *
     * @throws MpiException as of {@link #put}, or the window's numbers are no integers
     */
    public final void compareAndSwapInto(Number expected, Number value, A before, int rank, long at) {
        UpcallMpiEpoch epoch = open.get();
        UpcallMpiCombining of = Operation.REPLACE.combining(elements);
        place(at);
        ByteBuffer room = first(before);
        MemorySegment was = MemorySegment.ofBuffer(room);
        try (Room wanted = Room.from(one(expected)); Room one = Room.from(one(value))) {
            MpiException.of(() -> epoch.compareAndSwapLent(
                    wanted.segment(), one.segment(), was, room.remaining(), rank, at, of,
                    () -> Reference.reachabilityFence(room)));
        }
        then.add(() -> Room.fill(room, before, room.remaining()));
    }

    /**
     * Ends it: what was begun is done. A second call does nothing.
     *
     * @throws MpiException what was begun has failed; or this thread may not call MPI, and it is open still
     */
    @Override
    public final void close() {
        if (open.close()) {
            then.forEach(Runnable::run);
            then.clear();
        }
    }

    /** An array of the window's class. */
    final Object own(Object values) {
        if (!elements.array().isInstance(values)) {
            throw new MpiException(MpiError.TYPE, "access a window of " + elements.array().getSimpleName() + ": given is "
                    + (values == null ? "null" : "a " + values.getClass().getSimpleName()));
        }
        return values;
    }

    /** One number as the window has them. */
    final Object one(Number value) {
        Object one = switch (elements) {
            case BYTES -> new byte[] {value.byteValue()};
            case SHORTS -> new short[] {value.shortValue()};
            case INTS -> new int[] {value.intValue()};
            case LONGS -> new long[] {value.longValue()};
            case FLOATS -> new float[] {value.floatValue()};
            default -> new double[] {value.doubleValue()};
        };
        // What is rounded is meant to be; what is no integer of that size is not.
        boolean isInteger = elements != Elements.FLOATS && elements != Elements.DOUBLES;
        if (isInteger && new BigDecimal(value.toString()).compareTo(new BigDecimal(Array.getLong(one, 0))) != 0) {
            throw new MpiException(MpiError.RANGE, "access a window of " + elements.array().getSimpleName() + ": " + value
                    + " is no number of it");
        }
        return one;
    }

    static void place(long at) {
        if (at < 0) {
            throw new MpiException(MpiError.RANGE, "access a window: there is no number " + at + "; they count from 0 on");
        }
    }

    private ByteBuffer first(Object before) {
        if (Array.getLength(own(before)) == 0) {
            throw new MpiException(MpiError.USAGE, "fetch a number into an array without any");
        }
        return room(1);
    }

    /** Memory for so many numbers. */
    private ByteBuffer room(int count) {
        return Room.view(Room.allocate(Arena.ofAuto(), (long) count * elements.size()));
    }

    MemorySegment direct(Buffer buffer) {
        if (!Elements.isDirect(buffer)) {
            throw new IllegalArgumentException("access a window by a buffer: it is not direct, as of ByteBuffer.allocateDirect, or has"
                    + " another order than this machine");
        }
        Elements its = Elements.of(buffer.getClass());
        if (its != null && its != elements) {
            throw new MpiException(MpiError.TYPE, "access a window of " + elements.array().getSimpleName() + ": the buffer is one of "
                    + its.array().getSimpleName());
        }
        return Elements.segment(buffer);
    }

    MemorySegment written(Buffer buffer) {
        if (buffer.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        return direct(buffer);
    }
}
