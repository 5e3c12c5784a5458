package upcall.mpi;

import upcall.bindings.UpcallMpiWindow;

/**
 * A window among the ranks of one machine, whose memory each of them reaches in place: by {@link #memoryOf} one rank alone, and by
 * {@link #together} all ranks, to read.
 *
 * <pre>{@code
 * try (SharedWindow<double[]> table = SharedWindow.allocate(world, double[].class, 1000)) {
 *     try (LocalMemory mine = table.local()) {
 *         mine.doubles().put(0, 1.0);
 *     }
 *     try (Neighbors all = table.together()) {
 *         double first = all.of(0).asDoubleBuffer().get(0);
 *     }
 * }
 * }</pre>
 *
 * <p>It has the epochs of locks, not those of fences. It is closed as {@link Window}.
 *
 * @param <A> the class of arrays of its numbers, as {@code double[]}
 */
public final class SharedWindow<A> extends WindowCalls<A> {
    private SharedWindow(UpcallMpiWindow window, Elements elements) {
        super(window, elements, null);
    }

    /**
     * Allocates memory among those ranks that run on this machine, which it numbers anew: so many numbers here, which are zero.
     * Collective; each rank has its own number of them.
     *
     * @param array what the numbers are, as {@code double[].class}
     * @throws MpiException the ranks' numbers differ in size, there is no memory, another rank's count is negative, or MPI refuses
     * @throws IllegalArgumentException the count is negative
     */
    public static <A> SharedWindow<A> allocate(Communicator world, Class<A> array, long count) {
        Elements elements = elements(array);
        return new SharedWindow<>(made(count, () -> world.comm.sharedWindow(count, elements.size())), elements);
    }

    /**
     * A rank's memory, in place, when nobody else has locked it: it is locked until it is closed.
     *
     * @throws MpiException there is no such rank, it is locked by this rank already, another epoch is open, or MPI refuses
     */
    public LocalMemory memoryOf(int rank) {
        return inPlace(rank);
    }

    /**
     * The memory of all ranks, to read. Collective: it begins when all ranks have called this, and closing it returns when all have.
     *
     * @throws MpiException another epoch is open, or MPI refuses
     */
    public Neighbors together() {
        return new Neighbors(this, call(window::together));
    }
}
