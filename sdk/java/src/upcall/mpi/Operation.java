package upcall.mpi;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import upcall.bindings.MemorySegment;
import upcall.bindings.UpcallMpiCombining;
import upcall.bindings.UpcallMpiOperation;

/**
 * What a reduction does with two values: an operation of MPI's on numbers, or a function.
 *
 * <p>A function must be associative, and commutative unless {@link #notCommutative} says that it is not; where the order
 * matters, its first argument is what lower ranks have. Where it throws, the reduction ends all the same, with an {@link
 * MpiException} on this rank whose cause is what was thrown; what has been combined is of no use then, on any rank. It must not
 * call MPI. There may be 64 reductions by functions at once. Operations may be kept and shared by threads.
 *
 * @param <T> what it combines: an array of numbers, or objects; {@code Object} stands for all numbers and arrays of them
 */
public final class Operation<T> {
    /** {@code a + b} */
    public static final Operation<Object> SUM = new Operation<>("Sum");

    /** {@code a * b} */
    public static final Operation<Object> PRODUCT = new Operation<>("Product");

    /** The smaller of two. */
    public static final Operation<Object> MIN = new Operation<>("Min");

    /** The larger of two. */
    public static final Operation<Object> MAX = new Operation<>("Max");

    /** 1 where both integers are not 0, else 0. */
    public static final Operation<Object> LOGICAL_AND = new Operation<>("LogicalAnd");

    /** 1 where one of two integers is not 0, else 0. */
    public static final Operation<Object> LOGICAL_OR = new Operation<>("LogicalOr");

    /** 1 where exactly one of two integers is not 0, else 0. */
    public static final Operation<Object> LOGICAL_XOR = new Operation<>("LogicalXor");

    /** {@code a & b} of integers. */
    public static final Operation<Object> BIT_AND = new Operation<>("BitAnd");

    /** {@code a | b} of integers. */
    public static final Operation<Object> BIT_OR = new Operation<>("BitOr");

    /** {@code a ^ b} of integers. */
    public static final Operation<Object> BIT_XOR = new Operation<>("BitXor");

    /** What is there is replaced: for windows alone. */
    public static final Operation<Object> REPLACE = new Operation<>("Replace");

    /** What is there stays. */
    static final Operation<Object> NOTHING = new Operation<>("Nothing");

    /**
     * The smallest value and where it is, of {@link Placed} numbers; of equal ones the lowest place, and a number before a NaN.
     */
    public static final Operation<Placed<?>> MIN_WITH_PLACE = new Operation<>("MinWithPlace");

    /** The largest value and where it is, as {@link #MIN_WITH_PLACE}. */
    public static final Operation<Placed<?>> MAX_WITH_PLACE = new Operation<>("MaxWithPlace");

    // One of these four.
    private final HandlerSource handler;
    private final String name;
    private final Chunks chunks;
    private final BinaryOperator<T> objects;

    private final boolean commutes;
    /** MPI's, by number; for good. */
    private final Map<String, UpcallMpiOperation> named = new ConcurrentHashMap<>();
    /** The same for windows. */
    private final Map<String, UpcallMpiCombining> combining = new ConcurrentHashMap<>();

    /** Combines the elements of one array into those of another, which it has in memory that is MPI's. */
    private record Chunks(Elements elements, BiConsumer<Object, Object> combine) {
        void call(MemorySegment from, MemorySegment into) {
            ByteBuffer room = Room.view(into);
            int count = elements.count(into.byteSize());
            Object lower = elements.make(count);
            Object higher = elements.make(count);
            elements.get(Room.view(from), lower, count);
            elements.get(room.duplicate().order(room.order()), higher, count);
            combine.accept(lower, higher);
            elements.put(higher, room);
        }
    }

    private Operation(String name) {
        this(null, name, null, null, true);
    }

    private Operation(HandlerSource handler, String name, Chunks chunks, BinaryOperator<T> objects, boolean commutes) {
        this.handler = handler;
        this.name = name;
        this.chunks = chunks;
        this.objects = objects;
        this.commutes = commutes;
    }

    /** A function on doubles, called for each two of them. */
    public static Operation<double[]> doubles(DoubleBinaryOperator combine) {
        return arrays(double[].class, (from, into) -> {
            for (int index = 0; index < into.length; index++) {
                into[index] = combine.applyAsDouble(from[index], into[index]);
            }
        });
    }

    /** A function on longs, called for each two of them. */
    public static Operation<long[]> longs(LongBinaryOperator combine) {
        return arrays(long[].class, (from, into) -> {
            for (int index = 0; index < into.length; index++) {
                into[index] = combine.applyAsLong(from[index], into[index]);
            }
        });
    }

    /** A function on ints, called for each two of them. */
    public static Operation<int[]> ints(IntBinaryOperator combine) {
        return arrays(int[].class, (from, into) -> {
            for (int index = 0; index < into.length; index++) {
                into[index] = combine.applyAsInt(from[index], into[index]);
            }
        });
    }

    /**
     * A function that combines the elements of its first array into those of its second, which is as long: it is called once
     * per chunk of what is reduced, with copies.
     *
     * @param type the class of an array of numbers, as {@code float[].class}
     */
    @SuppressWarnings("unchecked")
    public static <A> Operation<A> arrays(Class<A> type, BiConsumer<A, A> combine) {
        Elements elements = Elements.of(type);
        if (elements == null || !type.isArray()) {
            throw new IllegalArgumentException(type.getName() + " is no array of numbers: use Operation.objects");
        }
        return new Operation<>(null, null, new Chunks(elements, (BiConsumer<Object, Object>) (BiConsumer<?, ?>) combine), null, true);
    }

    /**
     * A handler that combines, in whichever language, named as a flow's file names it, on arrays of numbers. It is loaded when it is
     * first used on numbers of a kind, called once per chunk, and stays until the program ends. What it throws is the error of the
     * reduction; whether it commutes it says itself.
     *
     * @param guest its language: {@code native}, {@code csharp}, {@code java}, {@code python}, {@code node}, {@code wasm}; one in
     *     Python is called on the thread that has first used it, and nowhere else
     * @param file the file that has it, relative to the current folder
     * @param type its class, or the name that it is exported by
     */
    public static Operation<Object> ofHandler(String guest, String file, String type) {
        return ofHandler(guest, file, type, Map.of(), false);
    }

    /**
     * The same with settings, which it reads when it is opened.
     *
     * @param isolated whether it runs in a process of its own, as handlers in JavaScript do always
     */
    public static Operation<Object> ofHandler(
            String guest, String file, String type, Map<String, String> settings, boolean isolated) {
        return new Operation<>(new HandlerSource(guest, file, type, Map.copyOf(settings), isolated), null, null, null, true);
    }

    /** A function on objects, which all ranks that want the result get, and combine in the order of the ranks. */
    public static <T> Operation<T> objects(BinaryOperator<T> combine) {
        return new Operation<>(null, null, null, combine, false);
    }

    /** The same, and elements are combined in the order of the ranks. */
    public Operation<T> notCommutative() {
        return new Operation<>(handler, name, chunks, objects, false);
    }

    /** What a window combines by. */
    UpcallMpiCombining combining(Elements elements) {
        if (name == null) {
            throw new MpiException(MpiError.USAGE, "combine in a window: a function is run by nobody at the rank whose memory it is; "
                    + "use an operation of MPI's own, as Operation.SUM");
        }
        return combining.computeIfAbsent(
                elements.number(), number -> MpiException.of(() -> UpcallMpiCombining.named(name, number)));
    }

    /** The function on objects; null of all others. */
    BinaryOperator<T> objects() {
        return objects;
    }

    /** Whether it is for numbers with places. */
    boolean isWithPlace() {
        return name != null && name.endsWith("WithPlace");
    }

    /** MPI's operation for a reduction, and what its function throws in that. */
    Running on(Elements elements) {
        if (handler != null) {
            return new Running(named.computeIfAbsent(elements.number(), number -> handler.load(elements)));
        }
        if (name != null) {
            return new Running(
                    named.computeIfAbsent(elements.number(), number -> MpiException.of(() -> UpcallMpiOperation.named(name, number))));
        }
        if (chunks.elements() != elements) {
            throw new MpiException(MpiError.USAGE, "reduce a " + elements.array().getSimpleName() + ": the operation is one on "
                    + chunks.elements().array().getSimpleName());
        }
        return new Running(chunks, commutes);
    }

    /** An operation while a reduction uses it. */
    static final class Running implements AutoCloseable {
        private final UpcallMpiOperation operation;
        private final boolean made;
        private volatile Throwable thrown;

        private Running(UpcallMpiOperation operation) {
            this.operation = operation;
            made = false;
        }

        private Running(Chunks chunks, boolean commutes) {
            made = true;
            operation = MpiException.of(() -> new UpcallMpiOperation(chunks.elements().size(), commutes, (from, into) -> {
                try {
                    chunks.call(from, into);
                    return 0;
                } catch (Throwable failed) {
                    thrown = failed;
                    return 1;
                }
            }));
        }

        UpcallMpiOperation operation() {
            return operation;
        }

        Throwable thrown() {
            return thrown;
        }

        @Override
        public void close() {
            if (made) {
                operation.close();
            }
        }
    }
}
