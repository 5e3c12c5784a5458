package upcall.mpi;

import upcall.bindings.UpcallMpiPartitions;

/** A message in partitions that is sent: each is written, and then said to be ready. */
public final class PartitionedSend extends Partitioned {
    PartitionedSend(UpcallMpiPartitions partitions) {
        super(partitions);
    }

    /**
     * Sends a partition, which is not to be changed until the round has ended.
     *
     * @throws MpiException no round was started, there is no such partition, or it was sent in this round
     */
    public void ready(int partition) {
        MpiException.of(() -> partitions.ready(partition));
    }
}
