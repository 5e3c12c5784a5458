package upcall.mpi;

import upcall.bindings.UpcallMpiPartitions;

/** A message in partitions that is received: each may be read when it has arrived. */
public final class PartitionedReceive extends Partitioned {
    PartitionedReceive(UpcallMpiPartitions partitions) {
        super(partitions);
    }

    /**
     * Whether a partition has arrived, and may be read.
     *
     * @throws MpiException no round was started, or there is no such partition
     */
    public boolean hasArrived(int partition) {
        return MpiException.of(() -> partitions.hasArrived(partition));
    }
}
