package upcall.mpi;

import upcall.bindings.UpcallMpiPartitions;

/**
 * A message in partitions, started again and again, over a direct buffer that is kept until MPI needs it no more. Each partition is
 * any thread's, as far as the thread level goes.
 */
public abstract sealed class Partitioned implements AutoCloseable permits PartitionedSend, PartitionedReceive {
    final UpcallMpiPartitions partitions;

    Partitioned(UpcallMpiPartitions partitions) {
        this.partitions = partitions;
    }

    /** Whether a round is under way. */
    public final boolean isActive() {
        return partitions.isActive();
    }

    /**
     * Starts a round.
     *
     * @throws MpiException one is under way, or MPI refuses
     */
    public final void start() {
        MpiException.of(partitions::start);
    }

    /**
     * Waits until the round has ended. Of a send, partitions that are not ready go as they are.
     *
     * @throws MpiException none was started, or it has failed
     */
    public final void waitFor() {
        MpiException.of(partitions::wait_);
    }

    /** Gives it up, where a round is under way: what was not ready goes as it is. */
    @Override
    public final void close() {
        partitions.close();
    }
}
