package upcall.mpi;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import upcall.Check.Call;

/** Memory of ranks that others read and write, against a plain model, and buffers on huge pages. */
final class RankWindows {
    private RankWindows() {}

    private static int next(Communicator world) {
        return (world.rank() + 1) % world.size();
    }

    private static int before(Communicator world) {
        return (world.rank() + world.size() - 1) % world.size();
    }

    static void buffersGoWhereDirectBuffersGo(Communicator world, Random stream) throws Exception {
        int count = 70_000;
        try (MpiBuffer sent = MpiBuffer.allocate(8L * count); MpiBuffer received = MpiBuffer.allocate(8L * count)) {
            DoubleBuffer numbers = sent.doubles();
            equal(count, numbers.capacity(), "numbers");
            for (int index = 0; index < count; index++) {
                equal(0.0, received.doubles().get(index), "zero at first");
                numbers.put(index, world.rank() * 7 + index);
                if (index > 9) {
                    index += stream.nextInt(1000);
                }
            }
            numbers.put(count - 1, world.rank() + 0.5);
            Request receiving = world.startReceiveInto(received.bytes(), before(world), 1);
            Request sending = world.startSend(sent.bytes(), next(world), 1);
            equal(8L * count, receiving.waitFor().bytes(), "bytes");
            sending.waitFor();
            equal(before(world) + 0.5, received.doubles().get(count - 1), "the last");
            equal(before(world) * 7 + 5.0, received.doubles().get(5), "the sixth");
        }
        // Where the system gives any.
        String given = Files.readString(Path.of("/sys/kernel/mm/transparent_hugepage/enabled"));
        boolean found = false;
        // Where memory is in small pieces at the moment, some are given none.
        for (int left = given.contains("[never]") ? 1 : 100; left > 0 && !found; left--) {
            try (MpiBuffer huge = MpiBuffer.allocate(4 << 20)) {
                equal(false, huge.hasHugePages(), "nothing was written yet");
                ByteBuffer bytes = huge.bytes();
                while (bytes.hasRemaining()) {
                    bytes.put((byte) 1);
                }
                found = huge.hasHugePages();
            }
            Thread.sleep(found ? 0 : 50);
        }
        equal(!given.contains("[never]"), found, given);
        MpiBuffer closed = MpiBuffer.allocate(64);
        LongBuffer stale = closed.longs().put(0, 9);
        closed.close();
        closed.close();
        Ranks.closed(closed::bytes);
        Ranks.closed(closed::hasHugePages);
        equal(0L, stale.get(0), "nobody's");
        thrown(IllegalArgumentException.class, () -> MpiBuffer.allocate(-1));
        equal(0, MpiBuffer.allocate(0).bytes().remaining(), "nothing");
        // What is forgotten is not freed.
        LongBuffer kept = MpiBuffer.allocate(1 << 21).longs().put(3, 7);
        System.gc();
        equal(7L, kept.get(3), "kept");
    }

    static void randomPutsGetsAndSumsAreThoseOfAModel(Communicator world, Random stream) {
        for (int kind = 0; kind < 6; kind++) {
            modelled(world, stream, kind, Elements.values()[kind].array());
        }
    }

    private static <A> void modelled(Communicator world, Random stream, int kind, Class<A> type) {
        int[] lengths = new int[world.size()];
        double[][] all = new double[lengths.length][];
        for (int rank = 0; rank < lengths.length; rank++) {
            lengths[rank] = 6 + stream.nextInt(40);
            all[rank] = new double[lengths[rank]];
        }
        Window<A> window = Window.allocate(world, type, lengths[world.rank()]);
        for (int rank = 0; rank < lengths.length; rank++) {
            equal((long) lengths[rank], window.length(rank), "a length");
        }
        for (int round = 0; round < 4; round++) {
            boolean sums = round == 3;
            try (Epoch<A> fence = round == 0 ? window.fence() : null) {
                for (int rank = 0; rank < lengths.length; rank++) {
                    int to = stream.nextInt(lengths.length);
                    // Each rank has its own part, as what overlaps has no order.
                    int room = lengths[to] / lengths.length;
                    int count = 1 + stream.nextInt(room);
                    int at = room * rank + stream.nextInt(room - count + 1);
                    A values = type.cast(Ranks.array(stream, kind, count));
                    for (int index = 0; index < count; index++) {
                        double value = ((Number) Array.get(values, index)).doubleValue();
                        all[to][at + index] = sums ? all[to][at + index] + value : value;
                    }
                    if (rank != world.rank()) {
                        continue;
                    }
                    if (fence != null) {
                        fence.put(values, to, at);
                    } else if (sums) {
                        try (PassiveEpoch<A> epoch = window.lockAll()) {
                            epoch.accumulate(values, to, at, Operation.SUM);
                        }
                    } else if (round == 1) {
                        window.put(values, to, at);
                        Ranks.same(values, window.get(to, at, count), "put");
                    } else {
                        ByteBuffer direct = ByteBuffer.allocateDirect(count * Elements.values()[kind].size());
                        Elements.values()[kind].put(values, direct.duplicate().order(ByteOrder.nativeOrder()));
                        try (PassiveEpoch<A> epoch = window.lock(Lock.EXCLUSIVE, to)) {
                            epoch.put(direct, to, at);
                            epoch.flush(to);
                            Ranks.same(values, epoch.fetch(to, at, count), "fetched");
                        }
                    }
                }
            }
            world.barrier();
            int from = stream.nextInt(lengths.length);
            A into = type.cast(Elements.values()[kind].make(lengths[from]));
            try (Epoch<A> fence = window.fence()) {
                fence.get(into, from, 0);
            }
            equal(Arrays.stream(all[from]).boxed().toList(), Ranks.shown(into), type.getSimpleName() + " of rank " + from);
        }
        try (LocalMemory mine = window.local()) {
            Object found = Elements.values()[kind].make(lengths[world.rank()]);
            Elements.values()[kind].get(mine.bytes(), found, lengths[world.rank()]);
            equal(Arrays.stream(all[world.rank()]).boxed().toList(), Ranks.shown(found), "in place");
        }
        window.close();
    }

    static void accessesThatAreRequestsAreWaitedForEach(Communicator world, Random stream) {
        int ranks = world.size(), rank = world.rank(), next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
        int[][] values = new int[ranks][];
        for (int of = 0; of < ranks; of++) {
            values[of] = stream.ints(6, 0, 1000).toArray();
        }
        int[] whole = Arrays.stream(values).flatMapToInt(Arrays::stream).toArray();
        ByteBuffer direct = ByteBuffer.allocateDirect(24 * ranks).order(ByteOrder.nativeOrder());
        direct.asIntBuffer().put(values[rank]);
        try (Window<int[]> window = Window.allocate(world, int[].class, 6 * ranks)) {
            PassiveEpoch<int[]> epoch = window.lockAll();
            List<Request> puts = new ArrayList<>();
            for (int to = 0; to < ranks; to++) {
                Object from = to % 2 == 0 ? values[rank] : direct.duplicate().limit(24);
                puts.add(epoch.startPut(from, to, 6L * rank));
            }
            Request.waitAll(puts);
            epoch.flushAll();
            world.barrier();
            int[] into = new int[6 * ranks];
            List<Request> gets = new ArrayList<>(List.of(epoch.startGet(into, next, 0), epoch.startGet(direct, next, 0)));
            while (!gets.isEmpty()) {
                gets.remove(Request.waitAny(gets)).waitFor();
            }
            Ranks.same(whole, into, "an array");
            int[] came = new int[6 * ranks];
            direct.asIntBuffer().get(came);
            Ranks.same(whole, came, "a direct buffer");
            world.barrier();
            // Those are waited for by the epoch's end.
            epoch.startAccumulate(values[rank], next, 6L * rank, Operation.SUM);
            Request forgotten = epoch.startGet(new int[1], next, 0);
            forgotten.close();
            equal(MpiError.RANK, thrown(MpiException.class, () -> epoch.startPut(into, ranks, 0)).error(), "no rank");
            equal(MpiError.RANGE, thrown(MpiException.class, () -> epoch.startGet(into, next, 1)).error(), "no place");
            thrown(IllegalArgumentException.class, () -> epoch.startPut(ByteBuffer.allocate(4), next, 0));
            thrown(MpiException.class, () -> epoch.startPut(new long[1], next, 0));
            epoch.close();
            equal(true, puts.get(0).test().isPresent(), "ended");
            equal(MpiError.SYNCHRONIZATION, thrown(MpiException.class, () -> epoch.startPut(into, next, 0)).error(), "after its end");
            world.barrier();
            int[] sums = window.get(rank, 6L * before, 6);
            Ranks.same(Arrays.stream(values[before]).map(value -> 2 * value).toArray(), sums, "sums");
        }
    }

    static void numbersAreFetchedAndCombinedAtOnce(Communicator world, Random stream) {
        int rounds = 15;
        long mine = 0;
        try (Window<long[]> window = Window.allocate(world, long[].class, world.rank() == 0 ? 3 : 0)) {
            try (PassiveEpoch<long[]> epoch = window.lockAll()) {
                for (int round = 0; round < rounds; round++) {
                    mine += epoch.fetchAndOp(1.0, 0, 0, Operation.SUM).longValue();
                    // A lock of one's own.
                    while (epoch.compareAndSwap(0, world.rank() + 1, 0, 1).longValue() != 0) {
                        Thread.yield();
                    }
                    equal(world.rank() + 1L, epoch.fetchAndOp(0, 0, 1, Operation.REPLACE), "ours");
                    equal(MpiError.RANGE, thrown(MpiException.class, () -> epoch.fetchAndOp(0.5, 0, 0, Operation.SUM)).error(), "a half");
                    equal(MpiError.RANK, thrown(MpiException.class, () -> epoch.flush(-1)).error(), "no rank");
                }
            }
            long all = (long) rounds * world.size();
            long[] sum = world.allReduce(new long[] {mine}, Operation.SUM);
            equal(all * (all - 1) / 2, sum[0], "each number once");
            long[] before = new long[2];
            long[] swapped = new long[1];
            try (Epoch<long[]> fence = window.fence()) {
                if (world.rank() == 0) {
                    fence.getAccumulate(new long[] {5, 7}, before, 0, 0, Operation.SUM);
                }
            }
            try (Epoch<long[]> fence = window.fence()) {
                if (world.rank() == world.size() - 1) {
                    fence.fetchAndOpInto(1, before, 0, 0, Operation.SUM);
                    fence.compareAndSwapInto(7, 70, swapped, 0, 1);
                }
            }
            if (world.rank() == world.size() - 1) {
                equal(all + 5, before[0], "before the last sum");
                equal(7L, swapped[0], "before the swap");
                try (PassiveEpoch<long[]> epoch = window.lock(Lock.SHARED, 0)) {
                    long[] was = epoch.fetchAndAccumulate(new long[] {1, 1, 1}, 0, 0, Operation.PRODUCT);
                    Ranks.same(new long[] {all + 6, 70, 0}, was, "all before");
                    equal(70L, epoch.load(0, 1), "loaded");
                    Ranks.same(new long[] {all + 6, 70, 0}, epoch.loadAll(0, 0, 3), "all loaded");
                }
            }
        }
    }

    static void someRanksAccessWhatOthersExpose(Communicator world, Random stream) {
        try (Window<int[]> window = Window.allocate(world, int[].class, 2)) {
            Exposure exposure = window.expose(before(world));
            try (Epoch<int[]> epoch = window.access(next(world))) {
                epoch.put(new int[] {world.rank(), -1}, next(world), 0);
                if (world.size() > 2) {
                    equal(MpiError.SYNCHRONIZATION,
                            thrown(MpiException.class, () -> epoch.put(new int[1], before(world), 0)).error(), "another rank");
                }
            }
            exposure.waitFor();
            exposure.close();
            equal(true, exposure.test(), "ended");
            try (LocalMemory mine = window.local()) {
                equal(before(world), mine.ints().get(0), "of the one before");
                equal(-1, mine.ints().get(1), "its second");
            }
        }
    }

    static void aWindowLiesOverMemoryOfTheProgram(Communicator world, Random stream) {
        try (MpiBuffer buffer = MpiBuffer.allocate(5 * 4)) {
            ByteBuffer direct = ByteBuffer.allocateDirect(24).order(ByteOrder.nativeOrder()).putInt(4, 5);
            Window<int[]> over = Window.create(world, int[].class, buffer.bytes());
            Window<int[]> also = Window.create(world, int[].class, direct);
            over.put(new int[] {world.rank() + 20}, next(world), 4);
            also.put(new int[] {world.rank() + 10}, next(world), 3);
            System.gc();
            world.barrier();
            over.close();
            also.close();
            equal(before(world) + 20, buffer.ints().get(4), "of huge pages");
            equal(before(world) + 10, direct.getInt(12), "direct");
            equal(5, direct.getInt(4), "as it was");
            thrown(IllegalArgumentException.class, () -> Window.create(world, int[].class, ByteBuffer.allocate(8)));
        }
    }

    static void ranksOfOneMachineReadEachOtherInPlace(Communicator world, Random stream) {
        try (SharedWindow<double[]> table = SharedWindow.allocate(world, double[].class, 4 + world.rank())) {
            try (LocalMemory mine = table.local()) {
                DoubleBuffer numbers = mine.doubles();
                while (numbers.hasRemaining()) {
                    numbers.put(world.rank() + 0.5);
                }
            }
            try (Neighbors all = table.together()) {
                for (int rank = 0; rank < table.size(); rank++) {
                    DoubleBuffer numbers = all.of(rank).asDoubleBuffer();
                    equal(4 + rank, numbers.remaining(), "how many");
                    equal(rank + 0.5, numbers.get(3 + rank), "the last");
                    equal(true, numbers.isReadOnly(), "to read");
                }
                equal(MpiError.RANK, thrown(MpiException.class, () -> all.of(table.size())).error(), "no such rank");
            }
            try (LocalMemory theirs = table.memoryOf(next(world))) {
                theirs.doubles().put(3, 100.0 * world.rank());
            }
            world.barrier();
            try (PassiveEpoch<double[]> epoch = table.lock(Lock.SHARED, before(world))) {
                int writer = (before(world) + world.size() - 1) % world.size();
                Ranks.same(new double[] {100.0 * writer}, epoch.fetch(before(world), 3, 1), "of the one before");
            }
        }
    }

    @SuppressWarnings("try")
    static void whatIsWrongWithAWindowIsAnException(Communicator world, Random stream) throws Exception {
        // What one rank's count has wrong is told to all.
        long count = world.rank() == 0 ? -1 : 1;
        for (Call make : List.<Call>of(
                () -> Window.allocate(world, int[].class, count), () -> SharedWindow.allocate(world, int[].class, count))) {
            if (count < 0) {
                equal("a window has no -1 elements", thrown(IllegalArgumentException.class, make).getMessage(), "a negative count");
            } else {
                equal(MpiError.COUNT, thrown(MpiException.class, make).error(), "another rank's negative count");
            }
        }
        Window<int[]> window = Window.allocate(world, int[].class, 3);
        int next = next(world);
        refused(MpiError.RANK, () -> window.length(world.size()));
        refused(MpiError.RANK, () -> window.lock(Lock.SHARED, -1));
        thrown(IllegalArgumentException.class, () -> Window.allocate(world, String.class, 3));
        PassiveEpoch<int[]> epoch = window.lock(Lock.SHARED, next);
        refused(MpiError.RANGE, () -> epoch.put(new int[2], next, 2));
        refused(MpiError.RANGE, () -> epoch.get(new int[4], next, 0));
        refused(MpiError.RANGE, () -> epoch.fetch(next, -1, 1));
        refused(MpiError.RANGE, () -> epoch.accumulate(new int[1], next, Long.MAX_VALUE, Operation.SUM));
        refused(MpiError.RANK, () -> epoch.put(new int[1], world.size(), 0));
        refused(MpiError.USAGE, () -> epoch.accumulate(new int[1], next, 0, Operation.ints((a, b) -> a + b)));
        refused(MpiError.TYPE, () -> epoch.put(ByteBuffer.allocateDirect(5), next, 0));
        // One at a time, and the window ends after it.
        refused(MpiError.SYNCHRONIZATION, window::fence);
        refused(MpiError.SYNCHRONIZATION, () -> window.lock(Lock.SHARED, next));
        refused(MpiError.SYNCHRONIZATION, window::close);
        // Where all threads may call, another one has ended it.
        MpiError elsewhere = refusedElsewhere(epoch::close);
        equal(true, elsewhere == null || elsewhere == MpiError.USAGE, "ended by another thread: " + elsewhere);
        epoch.close();
        epoch.close();
        refused(MpiError.SYNCHRONIZATION, () -> epoch.put(new int[1], next, 0));
        LocalMemory local = window.local();
        ByteBuffer stale = local.bytes();
        local.close();
        refused(MpiError.SYNCHRONIZATION, local::bytes);
        thrown(ArithmeticException.class, () -> {
            try (Epoch<int[]> fence = window.fence()) {
                throw new ArithmeticException("an exception within an epoch ends it");
            }
        });
        try (Window<double[]> numbers = Window.allocate(world, double[].class, 1); PassiveEpoch<double[]> some = numbers.lockAll()) {
            refused(MpiError.TYPE, () -> some.compareAndSwap(1, 2, 0, 0));
        }
        refused(MpiError.USAGE, () -> world.allReduce(new long[1], Operation.REPLACE));
        window.close();
        window.close();
        Ranks.closed(window::fence);
        // What was a window's memory is nobody's now.
        stale.put(0, (byte) 1);
        Window.allocate(world, int[].class, 1);
        System.gc();
    }

    private static MpiError refusedElsewhere(Runnable what) throws InterruptedException {
        MpiError[] refused = new MpiError[1];
        Thread thread = new Thread(() -> {
            try {
                what.run();
            } catch (MpiException failed) {
                refused[0] = failed.error();
            }
        });
        thread.start();
        thread.join();
        return refused[0];
    }

    private static void refused(MpiError error, Runnable what) {
        equal(error, thrown(MpiException.class, what::run).error(), "refused");
    }
}
