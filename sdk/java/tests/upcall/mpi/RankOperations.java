package upcall.mpi;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;

/** Numbers with places, sums with the same bits, handlers as operations, types that are checked, fields. */
final class RankOperations {
    private RankOperations() {}

    static void endsOfNumbersHavePlaces(Communicator world, Random stream) {
        for (int kind = 0; kind < 6; kind++) {
            int length = stream.nextInt(20);
            Object[] all = Ranks.arrays(stream, kind, world.size(), length);
            int[] least = new int[length];
            int[] most = new int[length];
            for (int index = 0; index < length; index++) {
                for (int rank = 1; rank < world.size(); rank++) {
                    double value = number(all[rank], index);
                    least[index] = value < number(all[least[index]], index) ? rank : least[index];
                    most[index] = value > number(all[most[index]], index) ? rank : most[index];
                }
            }
            int[] mine = new int[length];
            Arrays.fill(mine, world.rank());
            Placed<Object> given = new Placed<>(all[world.rank()], mine);
            Placed<Object> found = world.allReduce(given, Operation.MIN_WITH_PLACE);
            equal(Arrays.toString(least), Arrays.toString(found.places()), "the places of the least");
            for (int index = 0; index < length; index++) {
                equal(number(all[least[index]], index), number(found.values(), index), "the least");
            }
            found = world.allReduceChecked(given, Operation.MAX_WITH_PLACE);
            equal(Arrays.toString(most), Arrays.toString(found.places()), "the places of the largest");
            int root = stream.nextInt(world.size());
            equal(world.rank() == root, world.reduce(given, Operation.MAX_WITH_PLACE, root).isPresent(), "at the root");
        }
        Placed<Double> one = world.allReduce(new Placed<>(world.rank() == 0 ? 1.5 : Double.NaN, world.rank()), Operation.MAX_WITH_PLACE);
        equal("[1.5] at [0]", one.toString(), "a number before a NaN");
        equal(0, one.place(), "its place");
        thrown(IllegalArgumentException.class, () -> new Placed<>(new double[2], new int[3]));
        thrown(IllegalArgumentException.class, () -> new Placed<>("text", 1));
        equal(MpiError.USAGE, thrown(MpiException.class, () -> world.allReduce(new double[2], unchecked(Operation.MIN_WITH_PLACE)))
                .error(), "no places");
        equal(MpiError.USAGE, thrown(MpiException.class, () -> world.allReduce(one, Operation.SUM)).error(), "a sum of places");
    }

    @SuppressWarnings("unchecked")
    private static Operation<Object> unchecked(Operation<?> operation) {
        return (Operation<Object>) operation;
    }

    private static double number(Object values, int index) {
        return ((Number) java.lang.reflect.Array.get(values, index)).doubleValue();
    }

    static void sumsHaveTheSameBits(Communicator world, Random stream) {
        for (int round = 0; round < 5; round++) {
            int length = stream.nextInt(100);
            int root = stream.nextInt(world.size());
            double[][] all = new double[world.size()][length];
            for (double[] each : all) {
                for (int index = 0; index < length; index++) {
                    each[index] = Math.scalb(stream.nextDouble() - 0.5, stream.nextInt(200) - 100);
                }
            }
            double[] wanted = new double[length];
            BigDecimal whole = BigDecimal.ZERO;
            BigDecimal own = BigDecimal.ZERO;
            for (int index = 0; index < length; index++) {
                BigDecimal sum = BigDecimal.ZERO;
                for (double[] each : all) {
                    sum = sum.add(new BigDecimal(each[index]));
                }
                wanted[index] = sum.doubleValue();
                whole = whole.add(sum);
                own = own.add(new BigDecimal(all[world.rank()][index]));
            }
            double[] mine = all[world.rank()];
            equal(Arrays.toString(wanted), Arrays.toString(world.allReduceReproducible(mine)), "each sum");
            double[] reduced = world.reduceReproducible(mine, root);
            equal(world.rank() == root ? Arrays.toString(wanted) : "null", Arrays.toString(reduced), "at the root");
            equal(whole.doubleValue(), world.sumReproducible(mine), "the whole sum");
            try (ExactSum sum = ExactSum.ofDoubles(); ExactSum half = ExactSum.ofDoubles()) {
                for (double number : Arrays.copyOf(mine, length / 2)) {
                    half.add(number);
                }
                sum.addAll(Arrays.copyOfRange(mine, length / 2, length));
                sum.merge(half);
                equal(own.doubleValue(), sum.value(), "this rank's");
                world.allReduceExact(sum);
                equal(whole.doubleValue(), sum.value(), "that of all");
                equal(MpiError.USAGE, thrown(MpiException.class, () -> sum.merge(sum)).error(), "with itself");
                equal(MpiError.USAGE, thrown(MpiException.class, () -> sum.addAll(new float[1])).error(), "floats");
                try (ExactSum floats = ExactSum.ofFloats()) {
                    equal(MpiError.USAGE, thrown(MpiException.class, () -> sum.merge(floats)).error(), "of floats");
                    floats.addAll(new float[] {1e30f, 1, -1e30f});
                    equal(1.0, floats.value(), "a sum of floats");
                }
            }
        }
        float[] floats = {0.1f, 1e10f};
        equal((float) new BigDecimal(0.1f).multiply(new BigDecimal(world.size())).doubleValue(),
                world.allReduceReproducible(floats)[0], "floats");
        equal(new BigDecimal(0.1f).add(new BigDecimal(1e10f)).multiply(new BigDecimal(world.size())).floatValue(),
                world.sumReproducible(floats), "their sum");
        if (world.size() > 1) {
            double[] uneven = new double[world.rank() == 0 ? 2 : 3];
            equal(MpiError.USAGE, thrown(MpiException.class, () -> world.allReduceReproducible(uneven)).error(), "uneven");
        }
        equal(MpiError.USAGE, thrown(MpiException.class, () -> world.allReduceReproducible(new int[1])).error(), "integers");
        ExactSum closed = ExactSum.ofDoubles();
        closed.close();
        Ranks.closed(() -> closed.add(1));
        Ranks.closed(() -> world.allReduceExact(closed));
    }

    static void handlersOfAnyLanguageCombine(Communicator world, Random stream) throws Exception {
        if (world.size() == 1) {
            return;
        }
        Path tests = Path.of(RankOperations.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getParent();
        String python = tests.resolve("../../crates/cli/tests/handlers/combines.py").toString();
        handled(world, "native", tests.resolve("handlers").toString(), "failure: after ");
        handled(world, "python", python, "ArithmeticError: after ");
        // One of this program's own language runs in its machine.
        Operation<Object> least = Operation.ofHandler("java", tests.resolve("upcall-tests.jar").toString(), "upcall.tests.Least$Longs");
        long[] smallest = world.allReduce(new long[] {5 + world.rank(), 7}, least);
        equal("[5, 7]", Arrays.toString(smallest), "by a handler in Java");
        refused(world, MpiError.USAGE, "there is no guest pyton (`python`?)", Operation.ofHandler("pyton", python, "Sums"));
        refused(world, MpiError.OPERATION, "handler Nobody", Operation.ofHandler("python", python, "Nobody"));
        refused(world, MpiError.OPERATION, "nothing.py", Operation.ofHandler("python", "nothing.py", "Sums"));
        MpiException other = thrown(MpiException.class,
                () -> world.allReduce(new float[1], Operation.ofHandler("python", python, "Sums")));
        equal(MpiError.TYPE, other.error(), other.getMessage());
    }

    private static void handled(Communicator world, String guest, String file, String thrown) {
        Operation<Object> sums = Operation.ofHandler(guest, file, "Sums", Map.of("a", "b"), false);
        for (int length : new int[] {1, 100, 10_000}) {
            double[] mine = new double[length];
            Arrays.setAll(mine, index -> index + world.rank());
            double[] found = world.allReduce(mine, sums);
            for (int index = 0; index < length; index++) {
                equal(index * (double) world.size() + world.size() * (world.size() - 1) / 2.0, found[index], "a sum");
            }
        }
        double last = world.rank() == world.size() - 1 ? Double.NaN : 1;
        MpiException failed = thrown(MpiException.class, () -> world.allReduceChecked(last, sums));
        equal(MpiError.OPERATION, failed.error(), failed.getMessage());
        boolean combined = failed.getMessage().contains(thrown);
        equal(true, combined || failed.getMessage().contains("failed on rank "), failed.getMessage());
        equal(1, world.allReduce(combined ? 1 : 0, Operation.MAX), "somebody has combined it");
        equal(2.0 * world.size(), world.allReduce(2.0, sums), "together again");
    }

    private static void refused(Communicator world, MpiError error, String why, Operation<Object> handler) {
        MpiException refused = thrown(MpiException.class, () -> world.allReduce(new double[1], handler));
        equal(error, refused.error(), refused.getMessage());
        equal(true, refused.getMessage().contains(why), refused.getMessage());
    }

    private static final ElementType PAIR =
            ElementType.named("Pair", 16).field("sensor", "u32", 0, 4).field("value", "f64", 8, 8);
    private static final ElementType OTHER =
            ElementType.named("Pair", 16).field("value", "f64", 0, 8).field("sensor", "u32", 8, 4);

    private static ByteBuffer pairs(int count, int whose) {
        ByteBuffer pairs = ByteBuffer.allocateDirect(16 * count).order(ByteOrder.nativeOrder());
        for (int index = 0; index < count; index++) {
            pairs.putInt(16 * index, index).putDouble(16 * index + 8, whose * 0.5);
        }
        return pairs;
    }

    static void checkedMessagesArriveAsWhatTheyAre(Communicator world, Random stream) {
        for (boolean on : new boolean[] {true, false}) {
            try (Checked checked = world.checked(on)) {
                equal(on, checked.isOn(), "whether it is on");
                int next = (world.rank() + 1) % world.size();
                int before = (world.rank() + world.size() - 1) % world.size();
                long[] into = new long[50];
                int[] mine = {world.rank(), 7};
                int[] ints = new int[9];
                Status status = checked.sendReceiveInto(mine, next, 1, ints, before, 1);
                equal(2, status.count(int[].class), "two ints");
                equal(before, ints[0], "theirs");
                if (world.rank() == 0) {
                    for (int rank = 1; rank < world.size(); rank++) {
                        checked.send(1.5f * rank, rank, 9);
                        checked.send(new long[] {rank, -rank}, rank, 9);
                        checked.send(pairs(3, rank), PAIR, rank, 9);
                        checked.send(pairs(2, rank), PAIR, rank, 9);
                    }
                } else {
                    equal(1.5f * world.rank(), checked.receive(float.class, 0, Communicator.ANY_TAG), "a float");
                    status = checked.receiveInto(into, Communicator.ANY_SOURCE, 9);
                    equal(2, status.count(long[].class), "two longs");
                    equal((long) -world.rank(), into[1], "a long");
                    equal(pairs(3, world.rank()), checked.receive(PAIR, 0, 9), "structs");
                    ByteBuffer room = ByteBuffer.allocateDirect(48);
                    equal(32L, checked.receiveInto(room, PAIR, 0, 9).bytes(), "two structs");
                    equal(pairs(2, world.rank()), room.limit(32), "in place");
                }
                equal(2.0 * world.size(), checked.together(double.class).allReduce(2.0, Operation.SUM), "together");
            }
        }
    }

    static void otherTypesAreToldApart(Communicator world, Random stream) {
        Checked checked = world.checked(true);
        if (world.size() > 1) {
            MpiException mixed = thrown(MpiException.class, () -> checked.together(world.rank() == 0 ? int.class : long.class));
            equal(MpiError.TYPE, mixed.error(), mixed.getMessage());
            if (world.rank() == 1) {
                checked.send(new double[2], 0, 3);
                checked.send(pairs(1, 1), PAIR, 0, 4);
                checked.send(new double[2], 0, 5);
            } else if (world.rank() == 0) {
                MpiException told = thrown(MpiException.class, () -> checked.receive(float.class, 1, 3));
                equal(MpiError.TYPE, told.error(), told.getMessage());
                equal("receive from rank 1 with tag 3: it sent f64 of 8 bytes, and this rank receives f32 of 4 bytes",
                        told.getMessage(), "both types");
                told = thrown(MpiException.class, () -> checked.receive(OTHER, 1, 4));
                equal(true, told.getMessage().contains("it sent Pair of 16 bytes with other fields"), told.getMessage());
                told = thrown(MpiException.class, () -> checked.receiveInto(new double[1], 1, 5));
                equal(MpiError.TRUNCATED, told.error(), told.getMessage());
            }
        }
        equal(MpiError.RANK, thrown(MpiException.class, () -> checked.send(1, world.size(), 0)).error(), "no such rank");
        thrown(IllegalArgumentException.class, () -> checked.send("text", 0, 0));
        thrown(IllegalArgumentException.class, () -> ElementType.named("Nothing", 0));
        checked.close();
        Ranks.closed(() -> checked.send(1, 0, 0));
    }

    static void structsTravelFieldByField(Communicator world, Random stream) {
        try (Datatype pair = new Datatype(world, PAIR)) {
            equal(16, pair.extent(), "its bytes");
            if (world.rank() == 1) {
                world.sendTyped(pairs(3, 1), pair, 0, 2);
                world.sendTyped(pairs(3, 1), pair, 0, 3);
            } else if (world.rank() == 0 && world.size() > 1) {
                equal(pairs(3, 1), world.receiveTyped(pair, 1, 2), "structs");
                ByteBuffer room = ByteBuffer.allocateDirect(64);
                equal(3, world.receiveTypedInto(room, pair, 1, 3), "how many");
                equal(pairs(3, 1), room.limit(48), "in place");
            }
            ByteBuffer all = world.rank() == 0 ? pairs(4, 9) : pairs(4, 0);
            world.broadcastTyped(all, pair, 0);
            equal(pairs(4, 9), all, "those of rank 0");
            equal(MpiError.USAGE, thrown(MpiException.class, () -> world.sendTyped(ByteBuffer.allocate(7), pair, 0, 0)).error(), "a part");
            equal(MpiError.USAGE,
                    thrown(MpiException.class, () -> world.receiveTypedInto(ByteBuffer.allocate(16), pair, 0, 0)).error(), "on the heap");
        }
        ElementType overlaps = ElementType.named("Union", 4).field("a", "i32", 0, 4).field("b", "i16", 2, 2);
        MpiException refused = thrown(MpiException.class, () -> new Datatype(world, overlaps));
        equal(true, refused.getMessage().contains("overlap"), refused.getMessage());
        ElementType outside = ElementType.named("Short", 4).field("a", "f64", 0, 8);
        equal(MpiError.USAGE, thrown(MpiException.class, () -> new Datatype(world, outside)).error(), "outside");
    }
}
