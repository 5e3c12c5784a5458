package upcall.mpi;

import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.nio.Buffer;
import upcall.bindings.Functions;
import upcall.bindings.MemorySegment;
import upcall.bindings.UpcallMpiCombining;
import upcall.bindings.UpcallMpiEpoch;

/**
 * An epoch of locks, whose operations may be completed before it ends, and which has such as are complete when they return.
 *
 * @param <A> the class of arrays of the window's numbers
 */
public final class PassiveEpoch<A> extends Epoch<A> {
    PassiveEpoch(WindowCalls<A> window, UpcallMpiEpoch epoch) {
        super(window, epoch);
    }

    /**
     * Completes what was begun with a rank: there too.
     *
     * @throws MpiException there is no such rank, the epoch is not with it or has ended, or MPI refuses
     */
    public void flush(int rank) {
        flush(known(rank), false);
    }

    /** The same with all. */
    public void flushAll() {
        flush(Functions.UPCALL_MPI_ANY, false);
    }

    /** Completes what was begun with a rank on this side only: what was put has been read, and may not be there yet. */
    public void flushLocal(int rank) {
        flush(known(rank), true);
    }

    /** The same with all. */
    public void flushLocalAll() {
        flush(Functions.UPCALL_MPI_ANY, true);
    }

    private static int known(int rank) {
        if (rank < 0) {
            throw new MpiException(MpiError.RANK, "flush: there is no rank " + rank + "; they count from 0 on");
        }
        return rank;
    }

    private void flush(int rank, boolean local) {
        UpcallMpiEpoch epoch = open.get();
        MpiException.of(() -> epoch.flush(rank, local));
    }

    /**
     * Reads numbers of a rank's: they are here when it returns.
     *
     * @throws MpiException as of {@link #put}
     */
    public A fetch(int rank, long at, int count) {
        if (count < 0) {
            throw new IllegalArgumentException("fetch " + count + " numbers");
        }
        @SuppressWarnings("unchecked")
        A into = (A) elements.make(count);
        fetch(into, rank, at);
        return into;
    }

    /**
     * As the other, into an array.
     *
     * @throws MpiException as of {@link #put}
     */
    public void fetch(A into, int rank, long at) {
        UpcallMpiEpoch epoch = open.get();
        place(at);
        try (Room room = Room.into(own(into))) {
            MpiException.of(() -> epoch.fetch(room.segment(), rank, at));
            room.back(room.segment().byteSize());
        }
    }

    /**
     * Combines numbers into those of a rank's, each at once: what was there before.
     *
     * @throws MpiException as of {@link #accumulate}
     */
    public A fetchAndAccumulate(A values, int rank, long at, Operation<?> operation) {
        UpcallMpiEpoch epoch = open.get();
        UpcallMpiCombining by = operation.combining(elements);
        place(at);
        @SuppressWarnings("unchecked")
        A before = (A) elements.make(Array.getLength(own(values)));
        try (Room data = Room.from(values); Room room = Room.into(before)) {
            MpiException.of(() -> epoch.fetchAndAccumulate(data.segment(), room.segment(), rank, at, by));
            room.back(room.segment().byteSize());
        }
        return before;
    }

    /**
     * Combines one number into one of a rank's at once: what was there before, in the window's class.
     *
     * @throws MpiException as of {@link #accumulate}
     */
    public Number fetchAndOp(Number value, int rank, long at, Operation<?> operation) {
        UpcallMpiEpoch epoch = open.get();
        UpcallMpiCombining by = operation.combining(elements);
        place(at);
        Object before = elements.make(1);
        try (Room one = Room.from(one(value)); Room room = Room.into(before)) {
            MpiException.of(() -> epoch.fetchAndOp(one.segment(), room.segment(), rank, at, by));
            room.back(room.segment().byteSize());
        }
        return (Number) Array.get(before, 0);
    }

    /**
     * Begins to write numbers at a rank. When the request has ended they have been read, and are there at the latest when the epoch has
     * ended, or after a flush. A request that nobody waits for, or that is closed, ends with the epoch; so below.
     *
     * @param values an array of the window's class, of which it keeps a copy, or a direct buffer between position and limit, which must
     *     not be changed before the request has ended
     * @throws MpiException as of {@link #put}
     */
    public Request startPut(Object values, int rank, long at) {
        UpcallMpiEpoch epoch = open.get();
        place(at);
        if (values instanceof Buffer buffer) {
            MemorySegment data = direct(buffer);
            return new MpiRequest(MpiException.of(
                    () -> epoch.startPutLent(data, data.byteSize(), rank, at, () -> Reference.reachabilityFence(buffer))), null);
        }
        try (Room room = Room.from(own(values))) {
            return new MpiRequest(MpiException.of(() -> epoch.startPut(room.segment(), rank, at)), null);
        }
    }

    /**
     * Begins to read numbers of a rank's.
     *
     * @param into an array of the window's class, which is filled when the request says that it has ended, or a direct buffer between
     *     position and limit, which nobody uses before that
     * @throws MpiException as of {@link #put}
     */
    public Request startGet(Object into, int rank, long at) {
        UpcallMpiEpoch epoch = open.get();
        place(at);
        if (into instanceof Buffer buffer) {
            MemorySegment data = written(buffer);
            return new MpiRequest(MpiException.of(
                    () -> epoch.startGetLent(data, data.byteSize(), rank, at, () -> Reference.reachabilityFence(buffer))), null);
        }
        long bytes = Room.bytes(own(into));
        return new MpiRequest(MpiException.of(() -> epoch.startGet(bytes, rank, at)), into);
    }

    /**
     * Begins to combine numbers into those of a rank's, as {@link #accumulate}.
     *
     * @param values as of {@link #startPut}
     * @throws MpiException as of {@link #accumulate}
     */
    public Request startAccumulate(Object values, int rank, long at, Operation<?> operation) {
        UpcallMpiEpoch epoch = open.get();
        UpcallMpiCombining by = operation.combining(elements);
        place(at);
        if (values instanceof Buffer buffer) {
            MemorySegment data = direct(buffer);
            return new MpiRequest(MpiException.of(() -> epoch.startAccumulateLent(
                    data, data.byteSize(), rank, at, by, () -> Reference.reachabilityFence(buffer))), null);
        }
        try (Room room = Room.from(own(values))) {
            return new MpiRequest(MpiException.of(() -> epoch.startAccumulate(room.segment(), rank, at, by)), null);
        }
    }

    /**
     * Reads one number of a rank's at once, whatever others combine into it meanwhile.
     *
     * @throws MpiException as of {@link #put}
     */
    public Number load(int rank, long at) {
        return fetchAndOp(0, rank, at, Operation.NOTHING);
    }

    /**
     * Reads numbers of a rank's, each at once, whatever others combine into them meanwhile.
     *
     * @throws MpiException as of {@link #put}
     */
    public A loadAll(int rank, long at, int count) {
        if (count < 0) {
            throw new IllegalArgumentException("load " + count + " numbers");
        }
        @SuppressWarnings("unchecked")
        A zeroes = (A) elements.make(count);
        return fetchAndAccumulate(zeroes, rank, at, Operation.NOTHING);
    }

    /**
     * Writes an integer at a rank if what is there is {@code expected}, at once: what was there, which is {@code expected} where it
     * was written.
     *
     * @throws MpiException as of {@link #put}, or the window's numbers are no integers
     */
    public Number compareAndSwap(Number expected, Number value, int rank, long at) {
        UpcallMpiEpoch epoch = open.get();
        UpcallMpiCombining of = Operation.REPLACE.combining(elements);
        place(at);
        Object before = elements.make(1);
        try (Room wanted = Room.from(one(expected)); Room one = Room.from(one(value)); Room room = Room.into(before)) {
            MpiException.of(() -> epoch.compareAndSwap(wanted.segment(), one.segment(), room.segment(), rank, at, of));
            room.back(room.segment().byteSize());
        }
        return (Number) Array.get(before, 0);
    }
}
