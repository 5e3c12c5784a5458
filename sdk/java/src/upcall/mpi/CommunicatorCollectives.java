package upcall.mpi;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import upcall.bindings.Arena;
import upcall.bindings.MemorySegment;
import upcall.bindings.NativeBuffer;
import upcall.bindings.UpcallMpiCommunicator;
import upcall.bindings.ValueLayout;

/**
 * What all ranks of a communicator do together. Values are those that {@link Communicator#send} takes. Forms with {@code Into}
 * move arrays of numbers or buffers of a size that all ranks know; the others move values of any size, for one exchange more.
 */
abstract class CommunicatorCollectives extends CommunicatorModes {
    CommunicatorCollectives(UpcallMpiCommunicator comm) {
        super(comm);
    }

    /** This process's rank, from 0 on. */
    public final int rank() {
        return MpiException.of(comm::rank);
    }

    /** How many processes there are. */
    public final int size() {
        return MpiException.of(comm::size);
    }

    /** Waits until all ranks have called it. */
    public void barrier() {
        MpiException.of(comm::barrier);
    }

    /**
     * Gives all ranks the value of one.
     *
     * @param type its class, as of {@link #receive}
     * @param value what the root gives; the others' is not looked at
     * @throws MpiException there is no such rank, the value has no form (on all ranks), or MPI refuses
     */
    public <T> T broadcast(Class<T> type, T value, int root) {
        boolean gives = rank() == root;
        Written written = gives ? new Written(value, serializer()) : new Written();
        try (Room room = Room.from(written.bytes)) {
            NativeBuffer buffer = MpiException.of(() -> comm.broadcastAny(room.segment(), written.failure == null, root));
            if (gives) {
                buffer.close();
                return value;
            }
            return Values.take(buffer, type, serializer());
        } catch (MpiException failed) {
            throw written.failure == null ? failed : written.failure;
        } finally {
            Reference.reachabilityFence(value);
        }
    }

    /** Gives all ranks the elements of one, of which all have as many. */
    public void broadcastInto(Object values, int root) {
        try (Room room = rank() == root ? Room.from(values) : Room.into(values)) {
            MpiException.of(() -> comm.broadcast(room.segment(), root));
            if (rank() != root) {
                room.back(room.segment().byteSize());
            }
        } finally {
            Reference.reachabilityFence(values);
        }
    }

    /** Gives one rank the values of all, in the order of the ranks; arrays and objects may have other sizes on each. */
    public <T> Optional<List<T>> gather(T value, int root) {
        List<T> all = parts(value, root, rank() == root);
        return Optional.ofNullable(all);
    }

    /** Gives all ranks the values of all, in the order of the ranks; arrays and objects may have other sizes on each. */
    public <T> List<T> allGather(T value) {
        return parts(value, EVERYBODY, true);
    }

    /**
     * Gives one rank the elements of all, of which all have as many, side by side.
     *
     * @param into room for those of all ranks at the root; not looked at elsewhere, and may be null
     */
    public void gatherInto(Object values, Object into, int root) {
        moved(values, rank() == root ? into : new byte[0], (data, room) -> comm.gather(data, room, root));
    }

    /** Gives all ranks the elements of all, of which all have as many, side by side. */
    public void allGatherInto(Object values, Object into) {
        moved(values, into, comm::allGather);
    }

    /**
     * Gives each rank one of the values of one rank.
     *
     * @param type their class, as of {@link #receive}
     * @param values as many as there are ranks at the root; the others' are not looked at, and may be null
     * @throws MpiException there is another number of them, or one has no form (on all ranks)
     */
    public <T> T scatter(Class<T> type, List<? extends T> values, int root) {
        Parts parts = new Parts(rank() == root ? values : List.of(), serializer());
        try (Room room = Room.from(parts.bytes); Arena arena = Arena.ofConfined()) {
            MemorySegment counts = counts(arena, parts.failure == null ? parts.counts : new long[0]);
            return Values.take(MpiException.of(() -> comm.scatterParts(room.segment(), counts, root)), type, serializer());
        } catch (MpiException failed) {
            throw parts.failure == null ? failed : parts.failure;
        }
    }

    /**
     * Gives each rank its part of what one has, as large as {@code into} on all ranks.
     *
     * @param values those of all ranks at the root; not looked at elsewhere, and may be null
     */
    public void scatterInto(Object values, Object into, int root) {
        moved(rank() == root ? values : new byte[0], into, (data, room) -> comm.scatterInto(data, room, root));
    }

    /**
     * Each rank has a value for each other: what comes back is what all had for this one. Arrays and objects may have any sizes.
     *
     * @param type their class, as of {@link #receive}
     */
    public <T> List<T> allToAll(Class<T> type, List<? extends T> values) {
        Parts parts = new Parts(values, serializer());
        int ranks = size();
        // The others wait for this rank's parts.
        boolean wrong = parts.failure != null || parts.counts.length != ranks;
        try (Room room = Room.from(wrong ? new byte[0] : parts.bytes); Arena arena = Arena.ofConfined()) {
            MemorySegment counts = counts(arena, wrong ? new long[ranks] : parts.counts);
            MemorySegment received = Room.allocate(arena, 8L * ranks);
            NativeBuffer buffer = MpiException.of(() -> comm.allToAllParts(room.segment(), counts, received));
            if (wrong) {
                buffer.close();
                throw parts.failure != null ? parts.failure : new MpiException(MpiError.USAGE, "exchange values with all ranks: "
                        + "there are " + values.size() + ", and " + ranks + " ranks");
            }
            return split(buffer, received, type, serializer());
        }
    }

    /** Each rank has a part for each other, all of them as large, side by side. */
    public void allToAllInto(Object values, Object into) {
        Elements elements = values == null ? null : Elements.of(values.getClass());
        int size = elements == null ? 1 : elements.size();
        moved(values, into, (data, room) -> comm.allToAll(data, room, size));
    }

    /** In place of a root: all ranks get what there is. */
    static final int EVERYBODY = -1;

    /** Calls what reads some memory and fills some. */
    interface Move {
        void run(MemorySegment data, MemorySegment into);
    }

    final void moved(Object values, Object into, Move move) {
        try (Room sent = Room.from(values); Room room = Room.into(into)) {
            MpiException.of(() -> move.run(sent.segment(), room.segment()));
            room.back(room.segment().byteSize());
        } finally {
            Reference.reachabilityFence(values);
            Reference.reachabilityFence(into);
        }
    }

    /** The values of all ranks; null where this one gets none. */
    private <T> List<T> parts(T value, int root, boolean gets) {
        Written written = new Written(value, serializer());
        try (Room room = Room.from(written.bytes); Arena arena = Arena.ofConfined()) {
            MemorySegment counts = Room.allocate(arena, 8L * size());
            // Where this rank has none all are told.
            boolean valid = written.failure == null;
            NativeBuffer buffer = MpiException.of(() -> root == EVERYBODY
                    ? comm.allGatherValues(room.segment(), valid, counts)
                    : comm.gatherValues(room.segment(), valid, counts, root));
            if (!gets) {
                buffer.close();
                return null;
            }
            return split(buffer, counts, Values.typeOf(value), serializer());
        } catch (MpiException failed) {
            throw written.failure == null ? failed : written.failure;
        } finally {
            Reference.reachabilityFence(value);
        }
    }

    /** The values that lie side by side. */
    static <T> List<T> split(NativeBuffer buffer, MemorySegment counts, Class<?> type, Serializer serializer) {
        return split(buffer, counts, type, serializer, rank -> true);
    }

    /** The same, where some parts may be nobody's: null. */
    @SuppressWarnings("unchecked")
    static <T> List<T> split(NativeBuffer buffer, MemorySegment counts, Class<?> type, Serializer serializer, IntPredicate gives) {
        try (buffer) {
            int ranks = (int) (counts.byteSize() / 8);
            List<T> values = new ArrayList<>(ranks);
            long at = 0;
            for (int rank = 0; rank < ranks; rank++) {
                long bytes = counts.get(ValueLayout.JAVA_LONG, 8L * rank);
                MemorySegment part = bytes == 0 ? MemorySegment.NULL : buffer.elements().asSlice(at, bytes);
                values.add(gives.test(rank) ? (T) Values.read(part, type, serializer) : null);
                at += bytes;
            }
            return values;
        }
    }

    static MemorySegment counts(Arena arena, long[] counts) {
        MemorySegment segment = Room.allocate(arena, 8L * counts.length);
        Elements.LONGS.put(counts, Room.view(segment));
        return segment;
    }

    static MemorySegment countsOf(Arena arena, int[] elements, int size) {
        long[] bytes = new long[elements.length];
        for (int index = 0; index < bytes.length; index++) {
            bytes[index] = (long) elements[index] * size;
        }
        return counts(arena, bytes);
    }

    /** A value as bytes, or why it has none: the others wait for this rank all the same. */
    static final class Written {
        Object bytes = new byte[0];
        MpiException failure;

        Written() {}

        Written(Object value, Serializer serializer) {
            try {
                bytes = Values.written(value, serializer);
            } catch (MpiException failed) {
                failure = failed;
            }
        }
    }

    /** Values side by side. */
    static final class Parts {
        byte[] bytes = {};
        long[] counts = {};
        RuntimeException failure;

        Parts(List<?> values, Serializer serializer) {
            if (values == null) {
                // The others wait for them.
                failure = new NullPointerException("values");
                return;
            }
            try {
                List<byte[]> each = new ArrayList<>();
                long total = 0;
                for (Object value : values) {
                    try (Room room = Room.from(Values.written(value, serializer))) {
                        byte[] part = new byte[Math.toIntExact(room.segment().byteSize())];
                        Room.view(room.segment()).get(part);
                        each.add(part);
                        total += part.length;
                    }
                }
                bytes = new byte[Math.toIntExact(total)];
                counts = new long[each.size()];
                int at = 0;
                for (int index = 0; index < counts.length; index++) {
                    byte[] part = each.get(index);
                    System.arraycopy(part, 0, bytes, at, part.length);
                    counts[index] = part.length;
                    at += part.length;
                }
            } catch (MpiException failed) {
                failure = failed;
            } catch (ArithmeticException large) {
                failure = new MpiException(MpiError.COUNT, "send values side by side: they have 2 GiB or more", large);
            }
        }
    }
}
