package upcall.mpi;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import upcall.bindings.Arena;
import upcall.bindings.MemorySegment;
import upcall.bindings.UpcallMpiWindow;

/**
 * Memory of each rank's of a communicator, which all of them read and write: so many numbers at each, from 0 on. What is done lies
 * in an epoch.
 *
 * <pre>{@code
 * try (Window<long[]> window = Window.allocate(world, long[].class, 10)) {
 *     try (Epoch<long[]> epoch = window.fence()) {
 *         epoch.put(new long[] {world.rank()}, next, 0);
 *     }
 *     try (PassiveEpoch<long[]> epoch = window.lockAll()) {
 *         long ticket = epoch.fetchAndOp(1, 0, 9, Operation.SUM).longValue();
 *     }
 * }
 * }</pre>
 *
 * <p>Within one epoch, what is put and what is fetched or combined must not overlap, but for what is accumulated with one operation.
 * An epoch is the whole process's; which threads may call is as of the communicator.
 *
 * <p>Closing it is collective: all ranks do, in one order. One that is forgotten stays until MPI is finalized, and so does a buffer
 * that it was made over.
 *
 * @param <A> the class of arrays of its numbers, as {@code double[]}
 */
public final class Window<A> extends WindowCalls<A> {
    private Window(UpcallMpiWindow window, Elements elements, ByteBuffer over) {
        super(window, elements, over);
    }

    /**
     * One over memory of MPI's, which is faster for others to reach: so many numbers here, which are zero. Collective; each rank has
     * its own number of them.
     *
     * @param array what the numbers are, as {@code double[].class}
     * @throws MpiException the ranks' numbers differ in size, there is no memory, another rank's count is negative, or MPI refuses
     * @throws IllegalArgumentException the count is negative
     */
    public static <A> Window<A> allocate(Communicator world, Class<A> array, long count) {
        Elements elements = elements(array);
        return new Window<>(made(count, () -> world.comm.window(count, elements.size())), elements, null);
    }

    /**
     * One over a direct buffer between its position and its limit, which is the window's until that is closed, and has its elements
     * then. Collective; each rank has its own.
     *
     * <p>Where MPI does not take it where it lies, as Open MPI 4 does among the ranks of one machine, it is copied, and back in the
     * end: read and write it by {@link #local} meanwhile.
     *
     * @param array what the numbers are, as {@code double[].class}
     * @throws MpiException the ranks' numbers differ in size, it is no whole number of them, or MPI refuses
     */
    public static <A> Window<A> create(Communicator world, Class<A> array, ByteBuffer buffer) {
        Elements elements = elements(array);
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException("make a window over a buffer: it is not direct, as of ByteBuffer.allocateDirect");
        }
        if (buffer.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        MemorySegment memory = MemorySegment.ofBuffer(buffer.slice());
        return new Window<>(
                MpiException.of(() -> world.comm.windowOver(
                        memory, memory.byteSize(), elements.size(), () -> Reference.reachabilityFence(buffer))),
                elements,
                buffer.slice());
    }

    /**
     * An epoch of all ranks: each may access each other's memory until it is closed, and then all that was begun by any rank is
     * done. Collective, at both ends.
     *
     * @throws MpiException another epoch is open, or MPI refuses
     */
    public Epoch<A> fence() {
        return new Epoch<>(this, call(window::fence));
    }

    /**
     * An epoch with some ranks, which {@link #expose} their memory to this one meanwhile: it may wait for that.
     *
     * @throws MpiException there is no such rank, another epoch is open, or MPI refuses
     */
    public Epoch<A> access(int... ranks) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment some = numbers(arena, ranks);
            return new Epoch<>(this, call(() -> window.access(some)));
        }
    }

    /**
     * Lets some ranks {@link #access} this rank's memory, each once, until it is waited for.
     *
     * @throws MpiException there is no such rank, this rank's memory is locked or exposed already, or MPI refuses
     */
    public Exposure expose(int... ranks) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment some = numbers(arena, ranks);
            return new Exposure(this, call(() -> window.expose(some)));
        }
    }

    /**
     * Writes numbers at a rank, in an epoch of its own, and returns when they are there.
     *
     * @throws MpiException there is no such rank or place, the rank is locked already, or MPI refuses
     */
    public void put(A values, int rank, long at) {
        try (PassiveEpoch<A> epoch = lock(Lock.SHARED, rank)) {
            epoch.put(values, rank, at);
        }
    }

    /**
     * Reads numbers of a rank's, in an epoch of its own.
     *
     * @throws MpiException there is no such rank or place, the rank is locked already, or MPI refuses
     */
    public A get(int rank, long at, int count) {
        try (PassiveEpoch<A> epoch = lock(Lock.SHARED, rank)) {
            return epoch.fetch(rank, at, count);
        }
    }

    private static MemorySegment numbers(Arena arena, int[] ranks) {
        MemorySegment segment = Room.allocate(arena, 4L * ranks.length);
        Elements.INTS.put(ranks, Room.view(segment));
        return segment;
    }
}
