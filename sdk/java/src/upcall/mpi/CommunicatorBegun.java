package upcall.mpi;

import java.util.Objects;
import upcall.bindings.Arena;
import upcall.bindings.MemorySegment;
import upcall.bindings.UpcallMpiCollective;
import upcall.bindings.UpcallMpiCommunicator;
import upcall.bindings.UpcallMpiRequest;

/**
 * Calls of all ranks that go on while the program does something else. All ranks begin the same calls, in the same order. What is
 * given and what comes are arrays of numbers, or buffers of them or of bytes, direct ones in place: until the request has ended
 * what is sent is not to be changed, and what comes not to be used. Sizes that do not fit each other are an {@link MpiException} of
 * the rank that gives them, while the others wait for it.
 */
abstract class CommunicatorBegun extends CommunicatorReductions {
    CommunicatorBegun(UpcallMpiCommunicator comm) {
        super(comm);
    }

    /** What all ranks do together, besides memory. */
    record Call(int what, int root, int[] counts, int[] intoCounts, Operation<?> operation) {
        Call(int what, int root) {
            this(what, root, new int[0], new int[0], null);
        }

        Call(int what, int root, int[] counts) {
            this(what, root, counts, new int[0], null);
        }

        Call(int what, int root, Operation<?> operation) {
            this(what, root, new int[0], new int[0], operation);
        }
    }

    /** Begins to wait for all ranks: it ends when all have begun it. */
    public Request startBarrier() {
        return begin(new Call(UpcallMpiCollective.BARRIER, 0), NONE, NONE);
    }

    /** Begins to give all ranks the elements of one, of which all have as many: they are filled, but at the root. */
    public Request startBroadcast(Object values, int root) {
        return begin(new Call(UpcallMpiCollective.BROADCAST, root), NONE, values);
    }

    /** Begins to give one rank the elements of all, side by side; {@code into} counts at the root. */
    public Request startGather(Object values, Object into, int root) {
        return begin(new Call(UpcallMpiCollective.GATHER, root), values, atRoot(into, root));
    }

    /** Begins to give all ranks the elements of all, side by side. */
    public Request startAllGather(Object values, Object into) {
        return begin(new Call(UpcallMpiCollective.ALL_GATHER, 0), values, into);
    }

    /** Begins to give each rank its part, as large as {@code into}; {@code values} count at the root. */
    public Request startScatter(Object values, Object into, int root) {
        return begin(new Call(UpcallMpiCollective.SCATTER, root), atRoot(values, root), into);
    }

    /** Begins an exchange: each rank has a part for each other, all of them as large. */
    public Request startAllToAll(Object values, Object into) {
        return begin(new Call(UpcallMpiCollective.ALL_TO_ALL, 0), values, into);
    }

    /** As {@link #startGather}: {@code counts[r]} elements of rank {@code r}, the same counts on all ranks. */
    public Request startGatherParts(Object values, int[] counts, Object into, int root) {
        return begin(new Call(UpcallMpiCollective.GATHER_PARTS, root, counts), values, atRoot(into, root));
    }

    /** As {@link #startAllGather}: {@code counts[r]} elements of rank {@code r}, the same counts on all ranks. */
    public Request startAllGatherParts(Object values, int[] counts, Object into) {
        return begin(new Call(UpcallMpiCollective.ALL_GATHER_PARTS, 0, counts), values, into);
    }

    /** As {@link #startScatter}: {@code counts[r]} elements for rank {@code r}, the same counts on all ranks. */
    public Request startScatterParts(Object values, int[] counts, Object into, int root) {
        return begin(new Call(UpcallMpiCollective.SCATTER_PARTS, root, counts), atRoot(values, root), into);
    }

    /** As {@link #startAllToAll}: {@code counts[r]} elements for rank {@code r}, which has {@code intoCounts[r]} for this one. */
    public Request startAllToAllParts(Object values, int[] counts, Object into, int[] intoCounts) {
        return begin(new Call(UpcallMpiCollective.ALL_TO_ALL_PARTS, 0, counts, intoCounts, null), values, into);
    }

    /** Begins to combine the elements of all ranks for one of them; {@code into} counts at the root. */
    public Request startReduce(Object values, Object into, Operation<?> operation, int root) {
        return begin(new Call(UpcallMpiCollective.REDUCE, root, operation), values, atRoot(into, root));
    }

    /** Begins to combine the elements of all ranks for all of them. */
    public Request startAllReduce(Object values, Object into, Operation<?> operation) {
        return begin(new Call(UpcallMpiCollective.ALL_REDUCE, 0, operation), values, into);
    }

    /** Begins to combine the elements of all ranks and give each its part: {@code counts[r]} of them for rank {@code r}. */
    public Request startReduceScatter(Object values, int[] counts, Object into, Operation<?> operation) {
        return begin(new Call(UpcallMpiCollective.REDUCE_SCATTER, 0, counts, new int[0], operation), values, into);
    }

    /** Begins to combine the elements of the ranks up to this one, itself included. */
    public Request startScan(Object values, Object into, Operation<?> operation) {
        return begin(new Call(UpcallMpiCollective.SCAN, 0, operation), values, into);
    }

    /** Begins to combine the elements of the ranks below this one; at rank 0 what comes says nothing. */
    public Request startExclusiveScan(Object values, Object into, Operation<?> operation) {
        return begin(new Call(UpcallMpiCollective.EXCLUSIVE_SCAN, 0, operation), values, into);
    }

    /** In place of memory: this rank gives or gets none. */
    static final Object NONE = new Object();

    final Object atRoot(Object values, int root) {
        return rank() == root ? values : NONE;
    }

    private Request begin(Call call, Object values, Object into) {
        boolean inPlace = call.what() == UpcallMpiCollective.BROADCAST;
        Lent data = lent(values, "values", false);
        Lent room = lent(into, inPlace ? "values" : "into", !(inPlace && rank() == call.root()));
        (inPlace ? room : data).out();
        try (Operation.Running running = running(call, values)) {
            UpcallMpiRequest request = lend(call, data, room, values != NONE ? values : into, running, false);
            return new CollectiveRequest(request, room, running);
        }
    }

    /** Makes a call ready. */
    final PersistentRequest init(Call call, Object values, Object into) {
        boolean inPlace = call.what() == UpcallMpiCollective.BROADCAST;
        Lent data = lent(values, "values", false);
        Lent room = lent(into, inPlace ? "values" : "into", !(inPlace && rank() == call.root()));
        try (Operation.Running running = running(call, values)) {
            UpcallMpiRequest request = lend(call, data, room, values != NONE ? values : into, running, true);
            return new PersistentRequest(request, inPlace ? room : data, room, false, running);
        }
    }

    private static Lent lent(Object values, String name, boolean filled) {
        if (values == NONE) {
            return Lent.NOTHING;
        }
        Objects.requireNonNull(values, name);
        return filled ? Lent.into(values) : Lent.from(values);
    }

    /** The operation of a call, which the library keeps beyond what this closes. */
    private static Operation.Running running(Call call, Object values) {
        if (call.operation() == null) {
            return null;
        }
        if (call.operation().objects() != null) {
            throw new MpiException(MpiError.USAGE, "begin a reduction by a function on objects: give one on numbers, as"
                    + " Operation.doubles or Operation.arrays, or use a call that waits");
        }
        return call.operation().on(elements(values));
    }

    private UpcallMpiRequest lend(
            Call call, Lent data, Lent into, Object like, Operation.Running running, boolean again) {
        Elements elements = Elements.of(like.getClass());
        int size = elements == null ? 1 : elements.size();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment counts = countsOf(arena, checked(call.counts()), size);
            MemorySegment others = countsOf(arena, checked(call.intoCounts()), size);
            Runnable keep = Lent.keep(data, into);
            var by = running == null ? null : running.operation();
            return MpiException.of(() -> again
                    ? comm.collectiveInitLent(call.what(), data.segment(), data.bytes(), into.segment(), into.bytes(),
                            call.root(), size, counts, others, by, keep::run)
                    : comm.startCollectiveLent(call.what(), data.segment(), data.bytes(), into.segment(), into.bytes(),
                            call.root(), size, counts, others, by, keep::run));
        }
    }

    private static int[] checked(int[] counts) {
        for (int count : counts) {
            if (count < 0) {
                throw new MpiException(MpiError.USAGE, "begin a call of all ranks: a count is " + count + "; they are from 0 on");
            }
        }
        return counts;
    }
}
