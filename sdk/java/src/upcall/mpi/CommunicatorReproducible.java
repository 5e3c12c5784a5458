package upcall.mpi;

import upcall.bindings.UpcallMpiCommunicator;

/** Sums of floating-point numbers that have the same bits whatever the number of ranks. */
abstract class CommunicatorReproducible extends CommunicatorProcesses {
    CommunicatorReproducible(UpcallMpiCommunicator comm) {
        super(comm);
    }

    /**
     * Sums the elements of all ranks, of which all have as many, element by element, without rounding but that of each result: the
     * same bits whatever the number of ranks, which {@link Operation#SUM} does not promise. It takes longer than that: of a
     * thousand elements and more 10 to 35 times. Where each rank has many numbers for one sum, {@link #sumReproducible} costs next
     * to nothing.
     *
     * @param values a {@code double[]} or a {@code float[]}
     * @throws MpiException the ranks have different numbers of elements, which all of them are told, or MPI refuses
     */
    @SuppressWarnings("unchecked")
    public <A> A allReduceReproducible(A values) {
        int real = ExactSum.real(values);
        try (Room data = Room.from(values); Room into = Room.of(Room.bytes(values))) {
            MpiException.of(() -> comm.allReduceReproducible(data.segment(), into.segment(), real));
            return (A) Values.read(into.segment(), values.getClass(), null);
        }
    }

    /** As {@link #allReduceReproducible}, for one rank; null on the others. */
    @SuppressWarnings("unchecked")
    public <A> A reduceReproducible(A values, int root) {
        int real = ExactSum.real(values);
        boolean isRoot = rank() == root;
        try (Room data = Room.from(values); Room into = Room.of(isRoot ? Room.bytes(values) : 0)) {
            MpiException.of(() -> comm.reduceReproducible(data.segment(), into.segment(), real, root));
            return isRoot ? (A) Values.read(into.segment(), values.getClass(), null) : null;
        }
    }

    /**
     * The sum of all elements of all ranks, which may have different numbers of them: the same bits whatever the number of ranks,
     * however the elements are cut among them, and in whichever order they are.
     *
     * @throws MpiException MPI refuses
     */
    public double sumReproducible(double[] values) {
        return sum(values);
    }

    /** The same of numbers of 4 bytes: the one of them that is nearest. */
    public float sumReproducible(float[] values) {
        return (float) sum(values);
    }

    private double sum(Object values) {
        try (Room data = Room.from(values)) {
            return MpiException.of(() -> comm.sumReproducible(data.segment(), ExactSum.real(values)));
        }
    }

    /** Adds up the sums of all ranks: afterwards each has that of all. Collective. */
    public void allReduceExact(ExactSum sum) {
        sum.allReduce(comm);
    }
}
