package upcall.mpi;

import java.nio.Buffer;
import java.util.Objects;
import upcall.bindings.MemorySegment;
import upcall.bindings.UpcallMpiCollective;
import upcall.bindings.UpcallMpiCommunicator;

/**
 * What is made ready once and started again and again. Calls of all ranks are made ready on all of them, in the same order: MPICH
 * from 4 on has them, and Open MPI as an extension; others say {@link MpiError#UNSUPPORTED}. What they take is that of the forms
 * with {@code start}.
 */
abstract class CommunicatorPersistent extends CommunicatorBegun {
    CommunicatorPersistent(UpcallMpiCommunicator comm) {
        super(comm);
    }

    /** Makes a barrier ready. */
    public PersistentRequest barrierInit() {
        return init(new Call(UpcallMpiCollective.BARRIER, 0), NONE, NONE);
    }

    /** Makes a broadcast ready: the elements are read at the root, and filled elsewhere. */
    public PersistentRequest broadcastInit(Object values, int root) {
        return init(new Call(UpcallMpiCollective.BROADCAST, root), NONE, values);
    }

    /** Makes a gather ready; {@code into} counts at the root. */
    public PersistentRequest gatherInit(Object values, Object into, int root) {
        return init(new Call(UpcallMpiCollective.GATHER, root), values, atRoot(into, root));
    }

    /** Makes a gather for all ranks ready. */
    public PersistentRequest allGatherInit(Object values, Object into) {
        return init(new Call(UpcallMpiCollective.ALL_GATHER, 0), values, into);
    }

    /** Makes a scatter ready; {@code values} count at the root. */
    public PersistentRequest scatterInit(Object values, Object into, int root) {
        return init(new Call(UpcallMpiCollective.SCATTER, root), atRoot(values, root), into);
    }

    /** Makes an exchange ready. */
    public PersistentRequest allToAllInit(Object values, Object into) {
        return init(new Call(UpcallMpiCollective.ALL_TO_ALL, 0), values, into);
    }

    /** Makes a gather in parts ready: {@code counts[r]} elements of rank {@code r}; {@code into} counts at the root. */
    public PersistentRequest gatherPartsInit(Object values, int[] counts, Object into, int root) {
        return init(new Call(UpcallMpiCollective.GATHER_PARTS, root, counts), values, atRoot(into, root));
    }

    /** Makes a gather in parts for all ranks ready. */
    public PersistentRequest allGatherPartsInit(Object values, int[] counts, Object into) {
        return init(new Call(UpcallMpiCollective.ALL_GATHER_PARTS, 0, counts), values, into);
    }

    /** Makes a scatter in parts ready: {@code counts[r]} elements for rank {@code r}; {@code values} count at the root. */
    public PersistentRequest scatterPartsInit(Object values, int[] counts, Object into, int root) {
        return init(new Call(UpcallMpiCollective.SCATTER_PARTS, root, counts), atRoot(values, root), into);
    }

    /** Makes an exchange in parts ready. */
    public PersistentRequest allToAllPartsInit(Object values, int[] counts, Object into, int[] intoCounts) {
        return init(new Call(UpcallMpiCollective.ALL_TO_ALL_PARTS, 0, counts, intoCounts, null), values, into);
    }

    /** Makes a reduction ready; {@code into} counts at the root. */
    public PersistentRequest reduceInit(Object values, Object into, Operation<?> operation, int root) {
        return init(new Call(UpcallMpiCollective.REDUCE, root, operation), values, atRoot(into, root));
    }

    /** Makes a reduction for all ranks ready. */
    public PersistentRequest allReduceInit(Object values, Object into, Operation<?> operation) {
        return init(new Call(UpcallMpiCollective.ALL_REDUCE, 0, operation), values, into);
    }

    /** Makes a reduction in parts ready. */
    public PersistentRequest reduceScatterInit(Object values, int[] counts, Object into, Operation<?> operation) {
        return init(new Call(UpcallMpiCollective.REDUCE_SCATTER, 0, counts, new int[0], operation), values, into);
    }

    /** Makes a scan ready. */
    public PersistentRequest scanInit(Object values, Object into, Operation<?> operation) {
        return init(new Call(UpcallMpiCollective.SCAN, 0, operation), values, into);
    }

    /** Makes an exclusive scan ready; at rank 0 what comes says nothing. */
    public PersistentRequest exclusiveScanInit(Object values, Object into, Operation<?> operation) {
        return init(new Call(UpcallMpiCollective.EXCLUSIVE_SCAN, 0, operation), values, into);
    }

    /**
     * Makes a message of so many partitions ready, of as many bytes each. The receiver may divide it otherwise.
     *
     * @param values a direct buffer, between its position and its limit, whose partitions are written and sent in place
     * @throws MpiException there is no such rank or tag, the bytes cannot be shared evenly, or the MPI does not have it ({@link
     *     MpiError#UNSUPPORTED}: Open MPI before 5)
     */
    public PartitionedSend partitionedSendInit(Buffer values, int partitions, int to, int tag) {
        Lent data = Lent.from(direct(values));
        MemorySegment memory = data.segment();
        return new PartitionedSend(MpiException.of(() ->
                comm.partitionedSendInitLent(memory, data.bytes(), partitions, to, tag, data.keep()::run)));
    }

    /**
     * Makes the receive of such a message ready, whose partitions are as the receiver likes.
     *
     * @param values a direct buffer, between its position and its limit, whose partitions are read in place
     * @throws MpiException as {@link #partitionedSendInit}
     */
    public PartitionedReceive partitionedReceiveInit(Buffer values, int partitions, int from, int tag) {
        Lent into = Lent.into(direct(values));
        MemorySegment memory = into.segment();
        return new PartitionedReceive(MpiException.of(() ->
                comm.partitionedReceiveInitLent(memory, into.bytes(), partitions, from, tag, into.keep()::run)));
    }

    private static Buffer direct(Buffer values) {
        if (!Elements.isDirect(Objects.requireNonNull(values, "values"))) {
            throw new IllegalArgumentException("make a message in partitions ready: give a direct buffer in this machine's order, whose parts are used"
                    + " in place");
        }
        return values;
    }
}
