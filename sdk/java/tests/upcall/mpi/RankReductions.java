package upcall.mpi;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BinaryOperator;

/** Reductions against a fold in the order of the ranks. */
final class RankReductions {
    /** An operation of MPI's, and what it does. */
    private record Named(Operation<Object> operation, BinaryOperator<Double> model) {}

    private static final List<Named> NAMED = List.of(
            new Named(Operation.SUM, Double::sum),
            new Named(Operation.PRODUCT, (a, b) -> a * b),
            new Named(Operation.MIN, Math::min),
            new Named(Operation.MAX, Math::max));

    private static final List<Named> OF_INTEGERS = List.of(
            new Named(Operation.LOGICAL_AND, (a, b) -> a != 0 && b != 0 ? 1.0 : 0.0),
            new Named(Operation.LOGICAL_OR, (a, b) -> a != 0 || b != 0 ? 1.0 : 0.0),
            new Named(Operation.LOGICAL_XOR, (a, b) -> (a != 0) != (b != 0) ? 1.0 : 0.0),
            new Named(Operation.BIT_AND, (a, b) -> (double) (a.longValue() & b.longValue())),
            new Named(Operation.BIT_OR, (a, b) -> (double) (a.longValue() | b.longValue())),
            new Named(Operation.BIT_XOR, (a, b) -> (double) (a.longValue() ^ b.longValue())));

    private RankReductions() {}

    static void operationsOfMpiCombineNumbersOfEachKind(Communicator world, Random stream) {
        for (int round = 0; round < 6; round++) {
            for (int kind = 0; kind < 6; kind++) {
                Object[] all = Ranks.arrays(stream, kind, world.size(), stream.nextInt(12));
                int root = stream.nextInt(world.size());
                NAMED.forEach(named -> check(world, all, named.operation(), named.model(), root));
                if (kind < 4 && world.size() > 1) {
                    OF_INTEGERS.forEach(named -> check(world, all, named.operation(), named.model(), root));
                }
            }
        }
        equal((double) world.size(), world.allReduce(1.0, Operation.SUM), "a number");
        equal(Optional.ofNullable(world.rank() == 0 ? world.size() - 1 : null),
                world.reduce(world.rank(), Operation.MAX, 0), "an int");
        equal((long) world.rank() + 1, world.scan(1L, Operation.SUM), "a long");
    }

    static void functionsCombineElementsAndChunks(Communicator world, Random stream) {
        AtomicInteger calls = new AtomicInteger();
        for (int round = 0; round < 10; round++) {
            int length = stream.nextInt(3) == 0 ? 3000 : stream.nextInt(9);
            int root = stream.nextInt(world.size());
            check(world, Ranks.arrays(stream, 5, world.size(), 0), Operation.doubles(Math::max), Math::max, root);
            check(world, Ranks.arrays(stream, 5, world.size(), length), Operation.doubles(Math::max), Math::max, root);
            check(world, Ranks.arrays(stream, 3, world.size(), length), Operation.longs(Math::min),
                    (a, b) -> Math.min(a, b), root);
            check(world, Ranks.arrays(stream, 2, world.size(), length), Operation.ints(Integer::sum), Double::sum, root);
            check(world, Ranks.arrays(stream, 4, world.size(), length), Operation.arrays(float[].class, (from, into) -> {
                calls.incrementAndGet();
                for (int index = 0; index < into.length; index++) {
                    into[index] += from[index];
                }
            }), Double::sum, root);
            // Of two, the one of the lower rank: a function whose order matters.
            check(world, Ranks.arrays(stream, 1, world.size(), length),
                    Operation.arrays(short[].class, (from, into) -> System.arraycopy(from, 0, into, 0, into.length))
                            .notCommutative(),
                    (a, b) -> a, root);
        }
        calls.set(0);
        world.allReduce(new float[100], Operation.arrays(float[].class, (from, into) -> calls.incrementAndGet()));
        equal(true, calls.get() <= 2 * world.size(), "once per chunk, and not per element: " + calls);
        double[] two = world.allReduce(new double[] {1, 2}, Operation.doubles(Double::sum));
        equal(2.0 * world.size(), two[1], "two numbers");
        equal((double) world.size(), world.allReduce(1.0, Double::sum), "a function on single numbers");
    }

    static void objectsAreCombinedInTheOrderOfTheRanks(Communicator world, Random stream) {
        for (int round = 0; round < 10; round++) {
            List<String> texts = new ArrayList<>();
            for (int rank = 0; rank < world.size(); rank++) {
                texts.add(String.valueOf(Ranks.text(stream)));
            }
            int root = stream.nextInt(world.size());
            String mine = texts.get(world.rank());
            equal(String.join("", texts), world.allReduce(mine, String::concat), "all");
            equal(Optional.ofNullable(world.rank() == root ? String.join("", texts) : null),
                    world.reduce(mine, String::concat, root), "at the root");
            equal(String.join("", texts.subList(0, world.rank() + 1)), world.scan(mine, String::concat), "up to here");
            equal(Optional.ofNullable(world.rank() > 0 ? String.join("", texts.subList(0, world.rank())) : null),
                    world.exclusiveScan(mine, String::concat), "below");
        }
        equal(BigInteger.TWO.pow(world.size()), world.allReduce(BigInteger.TWO, BigInteger::multiply), "large numbers");
    }

    static void whatAFunctionThrowsIsTheCause(Communicator world, Random stream) {
        if (world.size() == 1) {
            return;
        }
        Operation<double[]> fails = Operation.doubles((a, b) -> {
            throw new IllegalStateException("too large");
        });
        // Who combines is MPI's affair: in the checked form all are told.
        MpiException failed = thrown(MpiException.class, () -> world.allReduceChecked(new double[] {1}, fails));
        equal(MpiError.OPERATION, failed.error(), failed.getMessage());
        boolean here = failed.getCause() instanceof IllegalStateException thrown && thrown.getMessage().equals("too large");
        int where = world.allReduce(here ? 1 : 0, Operation.SUM);
        equal(true, where > 0, "thrown on " + where + " ranks");
        equal(true, here || failed.getCause() == null, "the cause: " + failed.getCause());
        MpiException objects = thrown(MpiException.class, () -> world.allReduce("a", (a, b) -> {
            throw new IllegalStateException("no text");
        }));
        equal("no text", objects.getCause().getMessage(), "the cause");
        equal((double) world.size(), world.allReduce(1.0, Operation.SUM), "it goes on");
    }

    static void mpiIsNotFinalizedWithinAReduction(Communicator world, Random stream) {
        Operation<double[]> ends = Operation.arrays(double[].class, (from, into) -> Ranks.mpi.close());
        if (world.size() > 1) {
            // Of some ranks the function may not be called.
            MpiException failed = thrown(MpiException.class, () -> world.allReduceChecked(new double[] {1}, ends));
            equal(MpiError.OPERATION, failed.error(), failed.getMessage());
        }
        world.barrier();
    }

    static void whatCannotBeReducedIsSaid(Communicator world, Random stream) {
        equal(MpiError.USAGE, thrown(MpiException.class, () -> world.allReduce("text", Operation.SUM)).error(), "text");
        equal(MpiError.USAGE, thrown(
                MpiException.class, () -> world.allReduce((Object) new int[1], anyOf(Operation.doubles(Math::max)))).error(), "ints");
        thrown(MpiException.class, () -> world.allReduce(1.5, Operation.BIT_AND));
        thrown(IllegalArgumentException.class, () -> Operation.arrays(String.class, (from, into) -> {}));
        equal(MpiError.USAGE, thrown(
                MpiException.class, () -> world.reduceScatter(new int[3], new int[world.size()], Operation.SUM)).error(), "counts");
        world.barrier();
    }

    @SuppressWarnings("unchecked")
    private static Operation<Object> anyOf(Operation<?> operation) {
        return (Operation<Object>) operation;
    }

    /** All reductions with one operation. */
    private static void check(
            Communicator world, Object[] all, Operation<?> operation, BinaryOperator<Double> model, int root) {
        Operation<Object> by = anyOf(operation);
        int me = world.rank();
        Object mine = all[me];
        List<Double> whole = folded(all, all.length, model);
        equal(whole, shown(world.allReduce(mine, by)), "for all");
        equal(whole, shown(world.allReduceChecked(mine, by)), "for all, checked");
        equal(me == root ? whole : null, world.reduce(mine, by, root).map(RankReductions::shown).orElse(null), "for one");
        equal(folded(all, me + 1, model), shown(world.scan(mine, by)), "up to here");
        equal(me > 0 ? folded(all, me, model) : null,
                world.exclusiveScan(mine, by).map(RankReductions::shown).orElse(null), "below");
        int[] counts = new int[all.length];
        for (int index = 0; index < whole.size(); index++) {
            counts[index * 7 % counts.length]++;
        }
        int start = 0;
        for (int rank = 0; rank < me; rank++) {
            start += counts[rank];
        }
        equal(whole.subList(start, start + counts[me]), shown(world.reduceScatter(mine, counts, by)), "in parts");
        Object place = Elements.of(mine.getClass()).make(whole.size());
        System.arraycopy(mine, 0, place, 0, whole.size());
        world.allReduceInPlace(place, by);
        equal(whole, shown(place), "in place");
    }

    /** No negative zeros: which of two is smaller is nobody's promise. */
    private static List<Double> shown(Object array) {
        return Ranks.shown(array).stream().map(number -> number + 0.0).toList();
    }

    private static List<Double> folded(Object[] all, int count, BinaryOperator<Double> model) {
        List<Double> folded = shown(all[0]);
        for (int rank = 1; rank < count; rank++) {
            List<Double> next = shown(all[rank]);
            List<Double> both = new ArrayList<>();
            for (int index = 0; index < next.size(); index++) {
                both.add(model.apply(folded.get(index), next.get(index)) + 0.0);
            }
            folded = both;
        }
        return folded;
    }
}
