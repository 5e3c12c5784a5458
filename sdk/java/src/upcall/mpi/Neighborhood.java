package upcall.mpi;

import java.lang.ref.Reference;
import java.util.List;
import upcall.bindings.Arena;
import upcall.bindings.MemorySegment;
import upcall.bindings.NativeBuffer;
import upcall.bindings.UpcallMpiCommunicator;

/**
 * A communicator whose ranks have neighbors: those that a rank receives from, and those that it sends to. What is called here, all
 * ranks call in the same order.
 */
public abstract sealed class Neighborhood extends Communicator permits Cartesian, Graph {
    private final int[] sources;
    private final int[] targets;

    Neighborhood(UpcallMpiCommunicator comm, Serializer serializer) {
        super(comm, serializer);
        sources = Values.ints(MpiException.of(comm::neighborSources));
        targets = Values.ints(MpiException.of(comm::neighborTargets));
    }

    /**
     * The ranks that this one receives from, in the order in which their parts arrive; -1 where nobody is, as beyond the border of a
     * grid.
     */
    public final int[] sources() {
        return sources.clone();
    }

    /** The ranks that this one sends to, in the order of their parts; -1 where nobody is. */
    public final int[] targets() {
        return targets.clone();
    }

    /**
     * Gives a value to each target, and gets that of each source: null where a source is nobody. Arrays and objects may have other
     * sizes on each rank.
     */
    public final <T> List<T> neighborAllGather(T value) {
        Written written = new Written(value, serializer());
        try (Room room = Room.from(written.bytes); Arena arena = Arena.ofConfined()) {
            MemorySegment counts = Room.allocate(arena, 8L * sources.length);
            NativeBuffer buffer = MpiException.of(() -> comm.neighborAllGatherParts(room.segment(), counts));
            if (written.failure != null) {
                buffer.close();
                throw written.failure;
            }
            return split(buffer, counts, Values.typeOf(value), serializer(), source -> sources[source] >= 0);
        } finally {
            Reference.reachabilityFence(value);
        }
    }

    /**
     * Gives elements to each target, and gets those of each source, of which all have as many.
     *
     * @param into room for those of all sources; that of a source that is nobody stays as it is
     */
    public final void neighborAllGatherInto(Object values, Object into) {
        kept(values, into, comm::neighborAllGather);
    }

    /**
     * Gives each target a value of its own, and gets one of each source: null where a source is nobody. They may have any sizes.
     *
     * @param type their class, as of {@link #receive}
     */
    public final <T> List<T> neighborAllToAll(Class<T> type, List<? extends T> values) {
        Parts parts = new Parts(values, serializer());
        // The others wait for this rank's parts.
        boolean wrong = parts.failure != null || parts.counts.length != targets.length;
        try (Room room = Room.from(wrong ? new byte[0] : parts.bytes); Arena arena = Arena.ofConfined()) {
            MemorySegment counts = counts(arena, wrong ? new long[targets.length] : parts.counts);
            MemorySegment received = Room.allocate(arena, 8L * sources.length);
            NativeBuffer buffer = MpiException.of(() -> comm.neighborAllToAllParts(room.segment(), counts, received));
            if (wrong) {
                buffer.close();
                throw parts.failure != null ? parts.failure : new MpiException(MpiError.USAGE, "exchange values with neighbors: "
                        + "there are " + values.size() + ", and " + targets.length + " targets");
            }
            return split(buffer, received, type, serializer(), source -> sources[source] >= 0);
        }
    }

    /**
     * Gives each target its part of some elements, all of them as large, and gets as many of each source.
     *
     * @param into room for those of all sources; that of a source that is nobody stays as it is
     */
    public final void neighborAllToAllInto(Object values, Object into) {
        long each = targets.length > 0 ? Room.bytes(values) / targets.length
                : sources.length > 0 ? Room.bytes(into) / sources.length : 0;
        kept(values, into, (data, room) -> comm.neighborAllToAll(data, room, each));
    }

    /** Calls what reads some memory and fills parts of some, of which the others stay as they are. */
    private static void kept(Object values, Object into, Move move) {
        // Refuses what cannot be filled.
        Room.into(into).close();
        try (Room sent = Room.from(values); Room room = Room.from(into)) {
            MpiException.of(() -> move.run(sent.segment(), room.segment()));
            room.back(room.segment().byteSize());
        } finally {
            Reference.reachabilityFence(values);
            Reference.reachabilityFence(into);
        }
    }
}
