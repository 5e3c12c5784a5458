package upcall.mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BinaryOperator;
import upcall.bindings.Arena;
import upcall.bindings.MemorySegment;
import upcall.bindings.NativeException;
import upcall.bindings.UpcallMpiCommunicator;
import upcall.bindings.UpcallMpiOperation;

/**
 * Reductions: of numbers, of the elements of arrays, of which all ranks have as many, and of objects, which are combined in the
 * order of the ranks.
 */
abstract class CommunicatorReductions extends CommunicatorCollectives {
    CommunicatorReductions(UpcallMpiCommunicator comm) {
        super(comm);
    }

    /**
     * Combines the values of all ranks for one of them.
     *
     * @param value a number, an array of numbers, or with {@link Operation#objects} an object
     * @return what they make; nothing on other ranks
     * @throws MpiException the operation failed on this rank ({@link MpiError#OPERATION}), or MPI refuses
     */
    public <T> Optional<T> reduce(T value, Operation<? super T> operation, int root) {
        if (operation.objects() != null) {
            return gather(value, root).map(all -> folded(all, operation));
        }
        T reduced = reduced(value, operation, (data, into, by) -> comm.reduce(data, into, by, root));
        return rank() == root ? Optional.of(reduced) : Optional.empty();
    }

    /** Combines the values of all ranks for one of them, in the order of the ranks. */
    public <T> Optional<T> reduce(T value, BinaryOperator<T> combine, int root) {
        return reduce(value, Operation.objects(combine), root);
    }

    /**
     * Combines the values of all ranks for all of them.
     *
     * @throws MpiException the operation failed on this rank ({@link MpiError#OPERATION}), or MPI refuses
     */
    public <T> T allReduce(T value, Operation<? super T> operation) {
        if (operation.objects() != null) {
            return folded(allGather(value), operation);
        }
        return reduced(value, operation, comm::allReduce);
    }

    /** Combines the values of all ranks for all of them, in the order of the ranks. */
    public <T> T allReduce(T value, BinaryOperator<T> combine) {
        return allReduce(value, Operation.objects(combine));
    }

    /** As {@link #allReduce}; where the operation failed on one rank it is an error on all, for one small exchange more. */
    public <T> T allReduceChecked(T value, Operation<? super T> operation) {
        if (operation.objects() != null) {
            return folded(allGather(value), operation);
        }
        return reduced(value, operation, comm::allReduceChecked);
    }

    /**
     * Combines the elements of all ranks, of which all have as many, for all of them, in place.
     *
     * @param values an array of numbers, or a buffer of them between its position and its limit, as {@link MpiBuffer#doubles}; a
     *     direct one in this machine's order is not copied
     * @throws MpiException the operation failed on this rank ({@link MpiError#OPERATION}), or MPI refuses
     */
    public <T> void allReduceInPlace(T values, Operation<? super T> operation) {
        numbersWithout(operation);
        if (values instanceof Buffer buffer && buffer.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        try (Room room = Room.from(values); Operation.Running running = operation.on(elements(values))) {
            run(running, () -> comm.allReduceInPlace(room.segment(), running.operation()));
            room.back(room.segment().byteSize());
        }
    }

    /** Combines the elements of an array of all ranks and gives each its part: {@code counts[r]} of them for rank {@code r}. */
    public <T> T reduceScatter(T values, int[] counts, Operation<? super T> operation) {
        Elements elements = elements(values);
        numbersWithout(operation);
        int rank = rank();
        long sum = 0;
        boolean negative = false;
        for (int count : counts) {
            sum += count;
            negative |= count < 0;
        }
        if (counts.length != size() || negative || sum * elements.size() != Room.bytes(values)) {
            throw new MpiException(MpiError.USAGE, "reduce " + Room.bytes(values) / elements.size()
                    + " elements of each rank in parts: the " + counts.length + " counts are not those of the elements and of the "
                    + size() + " ranks");
        }
        try (Room data = Room.from(values);
                Room into = Room.of((long) counts[rank] * elements.size());
                Arena arena = Arena.ofConfined();
                Operation.Running running = operation.on(elements)) {
            MemorySegment each = countsOf(arena, counts, elements.size());
            run(running, () -> comm.reduceScatter(data.segment(), into.segment(), each, running.operation()));
            return result(into, values);
        }
    }

    /** Combines the values of the ranks up to this one, itself included. */
    public <T> T scan(T value, Operation<? super T> operation) {
        if (operation.objects() != null) {
            return folded(allGather(value).subList(0, rank() + 1), operation);
        }
        return reduced(value, operation, comm::scan);
    }

    /** Combines the values of the ranks up to this one, itself included, in their order. */
    public <T> T scan(T value, BinaryOperator<T> combine) {
        return scan(value, Operation.objects(combine));
    }

    /** Combines the values of the ranks below this one; nothing at rank 0. */
    public <T> Optional<T> exclusiveScan(T value, Operation<? super T> operation) {
        int rank = rank();
        if (operation.objects() != null) {
            List<T> all = allGather(value);
            return rank == 0 ? Optional.empty() : Optional.of(folded(all.subList(0, rank), operation));
        }
        T reduced = reduced(value, operation, comm::exclusiveScan);
        return rank == 0 ? Optional.empty() : Optional.of(reduced);
    }

    /** Combines the values of the ranks below this one, in their order; nothing at rank 0. */
    public <T> Optional<T> exclusiveScan(T value, BinaryOperator<T> combine) {
        return exclusiveScan(value, Operation.objects(combine));
    }

    /** One of the library's reductions. */
    interface Reduction {
        void run(MemorySegment data, MemorySegment into, UpcallMpiOperation by);
    }

    @SuppressWarnings("unchecked")
    static <T> T reduced(T value, Operation<? super T> operation, Reduction reduction) {
        if (value instanceof Placed<?> placed) {
            return (T) placed(placed, operation, reduction);
        }
        Elements elements = elements(value);
        numbersWithout(operation);
        try (Room data = Room.from(elements.asArray(value));
                Room into = Room.of(data.segment().byteSize());
                Operation.Running running = operation.on(elements)) {
            run(running, () -> reduction.run(data.segment(), into.segment(), running.operation()));
            return result(into, value);
        }
    }

    /** The same of numbers with places. */
    private static Placed<?> placed(Placed<?> values, Operation<?> operation, Reduction reduction) {
        Elements elements = elements(values.values());
        if (!operation.isWithPlace()) {
            throw new MpiException(MpiError.USAGE,
                    "reduce numbers with places: the operation is none on them; give MIN_WITH_PLACE or MAX_WITH_PLACE");
        }
        ByteBuffer pairs = values.pairs(elements);
        try (Room data = Room.from(pairs);
                Room into = Room.of(pairs.remaining());
                Operation.Running running = operation.on(elements)) {
            run(running, () -> reduction.run(data.segment(), into.segment(), running.operation()));
            return Placed.of(Room.view(into.segment()), elements, values.values().getClass().isArray());
        }
    }

    private static void numbersWithout(Operation<?> operation) {
        if (operation.isWithPlace()) {
            throw new MpiException(MpiError.USAGE, "reduce numbers by an operation on numbers with places: give them as a Placed");
        }
    }

    /** A value like another. */
    @SuppressWarnings("unchecked")
    static <T> T result(Room room, T like) {
        return (T) Values.read(room.segment(), Values.typeOf(like), null);
    }

    static Elements elements(Object value) {
        Elements elements = Elements.of(Objects.requireNonNull(value, "value").getClass());
        if (value instanceof ByteBuffer) {
            throw new MpiException(MpiError.USAGE, "reduce a ByteBuffer: it does not say which numbers it has; give a view of it, as"
                    + " order(ByteOrder.nativeOrder()).asDoubleBuffer()");
        }
        if (elements == null) {
            throw new MpiException(MpiError.USAGE, "reduce a " + value.getClass().getName()
                    + ": it is no number and no array of them; use a function on objects");
        }
        return elements;
    }

    /** Fails with what the function has thrown, if it has. */
    static void run(Operation.Running running, Runnable call) {
        try {
            call.run();
        } catch (NativeException failed) {
            throw MpiException.of(failed, running.thrown());
        } catch (IllegalStateException closed) {
            throw MpiException.closed(closed);
        }
    }

    /** Objects, combined in their order. */
    @SuppressWarnings("unchecked")
    static <T> T folded(List<T> values, Operation<? super T> operation) {
        BinaryOperator<Object> combine = (BinaryOperator<Object>) (BinaryOperator<?>) operation.objects();
        Object result = values.get(0);
        for (Object value : values.subList(1, values.size())) {
            try {
                result = combine.apply(result, value);
            } catch (Exception failed) {
                throw new MpiException(MpiError.OPERATION, "combine objects: the operation failed: " + failed, failed);
            }
        }
        return (T) result;
    }
}
