package upcall.mpi;

import java.lang.ref.Reference;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import upcall.bindings.Arena;
import upcall.bindings.MemorySegment;
import upcall.bindings.NativeBuffer;
import upcall.bindings.UpcallMpiCommunicator;

/**
 * Two groups of processes that have none in common. Every rank that is sent to or received from, and every {@link Root}, is one
 * of the other group; what all do together goes from one group to the other, or both ways. Values are those that {@link #send}
 * takes; forms with {@code Into} move arrays of numbers or buffers of a size that all ranks know.
 *
 * <p>It is made of two communicators ({@link Communicator#intercommunicator}), by starting processes ({@link Communicator#spawn}),
 * or by a {@link Port}, and freed as a communicator is.
 */
public final class Intercommunicator extends CommunicatorModes implements AutoCloseable {
    Intercommunicator(UpcallMpiCommunicator comm, Serializer serializer) {
        super(comm);
        serializer(serializer);
    }

    /** This process's rank in its own group, from 0 on: what the other group knows it by. */
    public int rank() {
        return MpiException.of(comm::rank);
    }

    /** How many processes this group has. */
    public int size() {
        return MpiException.of(comm::size);
    }

    /** How many processes the other group has. */
    public int remoteSize() {
        return MpiException.of(comm::remoteSize);
    }

    /** This group's processes. */
    public Group group() {
        return new Group(MpiException.of(comm::group));
    }

    /** The other group's processes. */
    public Group remoteGroup() {
        return new Group(MpiException.of(comm::remoteGroup));
    }

    /** How alike this one and another are: a duplicate is congruent. */
    public Comparison compare(Intercommunicator other) {
        return Comparison.of(MpiException.of(() -> comm.compare(other.comm)));
    }

    /** Its name, as debuggers and profilers show it; empty where it has none. */
    public String name() {
        return MpiException.of(comm::name);
    }

    /** Names it, on this process. */
    public void setName(String name) {
        MpiException.of(() -> comm.setName(name));
    }

    /** The same groups, whose messages never meet those of this one. Collective over both. */
    public Intercommunicator duplicate() {
        return new Intercommunicator(MpiException.of(comm::duplicate), serializer());
    }

    /**
     * All processes of both groups in one communicator: first those of the group that says that it is not {@code high}. Where
     * both say the same, MPI chooses. Collective over both.
     */
    public Communicator merge(boolean high) {
        return new Communicator(MpiException.of(() -> comm.merge(high)), serializer());
    }

    /**
     * Ends it when all messages have arrived, after which neither group waits for the other where it finalizes MPI. No other
     * thread may be in a call on it. Collective over both.
     *
     * @throws MpiException it was disconnected before, or MPI refuses
     */
    public void disconnect() {
        MpiException.of(comm::disconnect);
    }

    /** Waits until all ranks of both groups have called it. */
    public void barrier() {
        MpiException.of(comm::barrier);
    }

    /**
     * Gives all ranks of the other group the root's value; nothing comes in the root's own group.
     *
     * @param value what the root gives; the others' is not looked at
     * @throws MpiException there is no such rank, the value has no form, or MPI refuses
     */
    public <T> Optional<T> broadcast(Class<T> type, T value, Root root) {
        CommunicatorCollectives.Written written = written(value, root.isHere());
        try (Room room = Room.from(written.bytes)) {
            boolean valid = written.failure == null;
            return got(MpiException.of(() -> comm.interBroadcastAny(room.segment(), valid, root.number())), type, root);
        } catch (MpiException failed) {
            throw written.failure == null ? failed : written.failure;
        } finally {
            Reference.reachabilityFence(value);
        }
    }

    /** Gives all ranks of the other group the root's elements, of which all have as many. */
    public void broadcastInto(Object values, Root root) {
        try (Room room = root.isRemote() ? Room.into(values) : Room.from(root.isHere() ? values : new byte[0])) {
            MpiException.of(() -> comm.interBroadcast(room.segment(), root.number()));
            if (root.isRemote()) {
                room.back(room.segment().byteSize());
            }
        } finally {
            Reference.reachabilityFence(values);
        }
    }

    /**
     * Gives the root the values of the other group's ranks, in their order.
     *
     * @param value what a rank of the other group gives; in the root's group it is not looked at
     */
    public <T> Optional<List<T>> gather(Class<T> type, T value, Root root) {
        CommunicatorCollectives.Written written = written(value, root.isRemote());
        try (Room room = Room.from(written.bytes); Arena arena = Arena.ofConfined()) {
            MemorySegment counts = Room.allocate(arena, root.isHere() ? 8L * remoteSize() : 0);
            NativeBuffer buffer = MpiException.of(() -> comm.interGatherParts(room.segment(), counts, root.number()));
            if (written.failure != null) {
                buffer.close();
                throw written.failure;
            }
            if (root.isHere()) {
                return Optional.of(CommunicatorCollectives.split(buffer, counts, type, serializer()));
            }
            buffer.close();
            return Optional.empty();
        } finally {
            Reference.reachabilityFence(value);
        }
    }

    /** Gives the root the elements of the other group's ranks, of which all have as many. What does not count may be null. */
    public void gatherInto(Object values, Object into, Root root) {
        moved(root.isRemote() ? values : new byte[0], root.isHere() ? into : new byte[0],
                (data, room) -> comm.interGather(data, room, root.number()));
    }

    /**
     * Gives each rank of the other group one of the root's values; nothing comes in the root's own group.
     *
     * @param values as many as the other group has ranks, at the root; the others' are not looked at, and may be null
     */
    public <T> Optional<T> scatter(Class<T> type, List<? extends T> values, Root root) {
        CommunicatorCollectives.Parts parts = new CommunicatorCollectives.Parts(
                root.isHere() ? values : List.of(), serializer());
        try (Room room = Room.from(parts.bytes); Arena arena = Arena.ofConfined()) {
            MemorySegment counts = CommunicatorCollectives.counts(arena, parts.failure == null ? parts.counts : new long[0]);
            return got(MpiException.of(() -> comm.interScatterParts(room.segment(), counts, root.number())), type, root);
        } catch (MpiException failed) {
            throw parts.failure == null ? failed : parts.failure;
        }
    }

    /** Gives each rank of the other group its part of what the root has, as large as {@code into} there. */
    public void scatterInto(Object values, Object into, Root root) {
        moved(root.isHere() ? values : new byte[0], root.isRemote() ? into : new byte[0],
                (data, room) -> comm.interScatterInto(data, room, root.number()));
    }

    /** Gives each group the values of all ranks of the other, in their order. */
    public <T> List<T> allGather(Class<T> type, T value) {
        CommunicatorCollectives.Written written = written(value, true);
        try (Room room = Room.from(written.bytes); Arena arena = Arena.ofConfined()) {
            MemorySegment counts = Room.allocate(arena, 8L * remoteSize());
            NativeBuffer buffer = MpiException.of(() -> comm.interAllGatherParts(room.segment(), counts));
            if (written.failure != null) {
                buffer.close();
                throw written.failure;
            }
            return CommunicatorCollectives.split(buffer, counts, type, serializer());
        } finally {
            Reference.reachabilityFence(value);
        }
    }

    /** Gives each group the elements of all ranks of the other, of which all of a group have as many. */
    public void allGatherInto(Object values, Object into) {
        moved(values, into, comm::interAllGather);
    }

    /** Each rank has a value for each of the other group: what comes is what those had for this one. */
    public <T> List<T> allToAll(Class<T> type, List<? extends T> values) {
        CommunicatorCollectives.Parts parts = new CommunicatorCollectives.Parts(values, serializer());
        try (Room room = Room.from(parts.bytes); Arena arena = Arena.ofConfined()) {
            // Where one has no form there are no counts, which all ranks are told.
            MemorySegment counts = CommunicatorCollectives.counts(arena, parts.failure == null ? parts.counts : new long[0]);
            MemorySegment received = Room.allocate(arena, 8L * remoteSize());
            NativeBuffer buffer = MpiException.of(() -> comm.interAllToAllParts(room.segment(), counts, received));
            return CommunicatorCollectives.split(buffer, received, type, serializer());
        } catch (MpiException failed) {
            throw parts.failure == null ? failed : parts.failure;
        }
    }

    /** Each rank has a part for each of the other group, all of them as large. */
    public void allToAllInto(Object values, Object into) {
        Elements elements = values == null ? null : Elements.of(values.getClass());
        int size = elements == null ? 1 : elements.size();
        moved(values, into, (data, room) -> comm.interAllToAll(data, room, size));
    }

    /** Combines the values of the other group's ranks, in their order, for the root. */
    public <T> Optional<T> reduce(Class<T> type, T value, BinaryOperator<T> combine, Root root) {
        return gather(type, value, root).map(all -> CommunicatorReductions.folded(all, Operation.objects(combine)));
    }

    /**
     * Combines the elements of the other group's ranks, of which all have as many, for the root.
     *
     * @param values an array of numbers in the other group; not looked at in the root's
     * @param into an array as large at the root; not looked at elsewhere
     */
    public void reduceInto(Object values, Object into, Operation<?> operation, Root root) {
        // Who is beside the root takes no part, whatever the operation is.
        Operation<?> by = root.equals(Root.BESIDE) ? Operation.SUM : operation;
        Object own = root.isRemote() ? values : root.isHere() ? into : new byte[0];
        try (Room data = Room.from(root.isRemote() ? values : new byte[0]);
                Room room = Room.into(root.isHere() ? into : new byte[0]);
                Operation.Running running = by.on(CommunicatorReductions.elements(own))) {
            CommunicatorReductions.run(
                    running, () -> comm.interReduce(data.segment(), room.segment(), running.operation(), root.number()));
            room.back(room.segment().byteSize());
        }
    }

    /** Combines the values of each group, a number or an array of numbers, for all ranks of the other. All have as many. */
    public <T> T allReduce(T value, Operation<? super T> operation) {
        return CommunicatorReductions.reduced(value, operation, comm::interAllReduce);
    }

    /** Combines the values of each group, in the order of its ranks, for all ranks of the other. */
    public <T> T allReduce(Class<T> type, T value, BinaryOperator<T> combine) {
        return CommunicatorReductions.folded(allGather(type, value), Operation.objects(combine));
    }

    @Override
    public void close() {
        comm.close();
    }

    private CommunicatorCollectives.Written written(Object value, boolean counts) {
        return counts ? new CommunicatorCollectives.Written(value, serializer()) : new CommunicatorCollectives.Written();
    }

    /** What has come, in the other group. */
    private <T> Optional<T> got(NativeBuffer buffer, Class<T> type, Root root) {
        if (root.isRemote()) {
            return Optional.of(Values.take(buffer, type, serializer()));
        }
        buffer.close();
        return Optional.empty();
    }

    private static void moved(Object values, Object into, CommunicatorCollectives.Move move) {
        try (Room sent = Room.from(values); Room room = Room.into(into)) {
            MpiException.of(() -> move.run(sent.segment(), room.segment()));
            room.back(room.segment().byteSize());
        } finally {
            Reference.reachabilityFence(values);
            Reference.reachabilityFence(into);
        }
    }
}
