package upcall.mpi;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** What all ranks do together while the program works, once or in rounds. */
final class RankBegun {
    private RankBegun() {}

    private static int[] counts(Random stream, int ranks) {
        return IntStream.range(0, ranks).map(rank -> stream.nextInt(30)).toArray();
    }

    /** Arrays side by side. */
    private static Object joined(int kind, Object... parts) {
        int length = Arrays.stream(parts).mapToInt(Array::getLength).sum(), at = 0;
        Object all = Elements.values()[kind].make(length);
        for (Object part : parts) {
            System.arraycopy(part, 0, all, at, Array.getLength(part));
            at += Array.getLength(part);
        }
        return all;
    }

    private static Object part(int kind, Object array, int from, int count) {
        Object part = Elements.values()[kind].make(count);
        System.arraycopy(array, from, part, 0, count);
        return part;
    }

    private static int before(int[] counts, int rank) {
        return Arrays.stream(counts, 0, rank).sum();
    }

    static void begunCollectivesMoveWhatTheWaitingOnesDo(Communicator world, Random stream) {
        int ranks = world.size(), rank = world.rank();
        for (int round = 0; round < 12; round++) {
            int kind = stream.nextInt(6), root = stream.nextInt(ranks), count = stream.nextInt(40);
            Elements elements = Elements.values()[kind];
            Object[] all = Ranks.arrays(stream, kind, ranks, count);
            Object[] toAll = Ranks.arrays(stream, kind, ranks, count * ranks);
            int[] counts = counts(stream, ranks);
            Object[] varied = new Object[ranks];
            int[][] shares = new int[ranks][];
            Object[] shared = new Object[ranks];
            for (int of = 0; of < ranks; of++) {
                varied[of] = Ranks.array(stream, kind, counts[of]);
                shares[of] = counts(stream, ranks);
                shared[of] = Ranks.array(stream, kind, before(shares[of], ranks));
            }
            int[] into = IntStream.range(0, ranks).map(of -> shares[of][rank]).toArray();
            Object copy = rank == root ? part(kind, all[root], 0, count) : elements.make(count);
            Object gathered = elements.make(count * ranks), allGathered = elements.make(count * ranks);
            Object scattered = elements.make(count), exchanged = elements.make(count * ranks);
            Object parts = elements.make(before(counts, ranks)), allParts = elements.make(before(counts, ranks));
            Object own = elements.make(counts[rank]), come = elements.make(before(into, ranks));
            List<Request> requests = new ArrayList<>(List.of(
                    world.startBarrier(),
                    world.startBroadcast(copy, root),
                    world.startGather(all[rank], rank == root ? gathered : null, root),
                    world.startAllGather(all[rank], allGathered),
                    world.startScatter(rank == root ? joined(kind, all) : null, scattered, root),
                    world.startAllToAll(toAll[rank], exchanged),
                    world.startGatherParts(varied[rank], counts, rank == root ? parts : null, root),
                    world.startAllGatherParts(varied[rank], counts, allParts),
                    world.startScatterParts(rank == root ? joined(kind, varied) : null, counts, own, root),
                    world.startAllToAllParts(shared[rank], shares[rank], come, into)));
            Object room = elements.make(count);
            requests.add(world.startReceiveInto(room, (rank + ranks - 1) % ranks, 5));
            requests.add(world.startSend(all[rank], (rank + 1) % ranks, 5));
            List<Request> left = new ArrayList<>(requests);
            if (round % 3 == 0) {
                equal(12, Request.waitAll(left).size(), "all");
            } else if (round % 3 == 1) {
                while (Request.testAll(left).isEmpty()) {
                    Thread.yield();
                }
            }
            while (!left.isEmpty()) {
                List<Integer> ended = Request.waitSome(left);
                for (int index = ended.size() - 1; index >= 0; index--) {
                    left.remove((int) ended.get(index));
                }
            }
            Ranks.same(all[root], copy, "broadcast");
            Ranks.same(rank == root ? joined(kind, all) : elements.make(count * ranks), gathered, "gathered");
            Ranks.same(joined(kind, all), allGathered, "gathered by all");
            Ranks.same(all[rank], scattered, "scattered");
            Object[] exchange = new Object[ranks];
            Object[] sharing = new Object[ranks];
            for (int of = 0; of < ranks; of++) {
                exchange[of] = part(kind, toAll[of], count * rank, count);
                sharing[of] = part(kind, shared[of], before(shares[of], rank), shares[of][rank]);
            }
            Ranks.same(joined(kind, exchange), exchanged, "exchanged");
            Ranks.same(rank == root ? joined(kind, varied) : elements.make(before(counts, ranks)), parts, "gathered in parts");
            Ranks.same(joined(kind, varied), allParts, "gathered in parts by all");
            Ranks.same(varied[rank], own, "scattered in parts");
            Ranks.same(joined(kind, sharing), come, "exchanged in parts");
            Ranks.same(all[(rank + ranks - 1) % ranks], room, "received");
            requests.forEach(Request::close);
        }
        thrown(IllegalArgumentException.class, () -> Request.waitSome(List.of()));
    }

    static void begunReductionsCombineWhatTheWaitingOnesDo(Communicator world, Random stream) {
        int ranks = world.size(), rank = world.rank(), root = ranks - 1;
        for (int round = 0; round < 8; round++) {
            int count = stream.nextInt(50);
            int[] counts = counts(stream, ranks);
            Operation<?> operation = round % 2 == 0 ? Operation.SUM : Operation.doubles(Double::sum);
            double[] mine = values(rank, count), parts = values(rank, before(counts, ranks));
            double[] one = new double[count], all = new double[count], own = new double[counts[rank]];
            double[] scan = new double[count], exclusive = new double[count];
            List<Request> requests = List.of(
                    world.startReduce(mine, rank == root ? one : null, operation, root),
                    world.startAllReduce(mine, all, operation),
                    world.startReduceScatter(parts, counts, own, operation),
                    world.startScan(mine, scan, operation),
                    world.startExclusiveScan(mine, exclusive, operation));
            System.gc();
            Request.waitAll(requests);
            Ranks.same(rank == root ? sum(ranks, count, 0) : new double[count], one, "reduced");
            Ranks.same(sum(ranks, count, 0), all, "reduced for all");
            Ranks.same(Arrays.copyOfRange(sum(ranks, before(counts, ranks), 0), before(counts, rank),
                    before(counts, rank + 1)), own, "reduced in parts");
            Ranks.same(sum(rank + 1, count, 0), scan, "scanned");
            Ranks.same(sum(rank, count, 0), exclusive, "scanned before");
        }
        // Of the lowest rank, where the order counts.
        Operation<long[]> left = Operation.<long[]>arrays(long[].class, (from, into) ->
                System.arraycopy(from, 0, into, 0, from.length)).notCommutative();
        long[] first = new long[2];
        world.startAllReduce(new long[] {rank + 1, -rank}, first, left).waitFor();
        Ranks.same(new long[] {1, 0}, first, "in order");
    }

    private static double[] values(int rank, int count) {
        return IntStream.range(0, count).mapToDouble(index -> (rank + 1) * 0.5 + index % 7).toArray();
    }

    private static double[] sum(int ranks, int count, double more) {
        double[] sum = new double[count];
        for (int rank = 0; rank < ranks; rank++) {
            double[] values = values(rank, count);
            for (int index = 0; index < count; index++) {
                sum[index] += values[index] + more;
            }
        }
        return sum;
    }

    static void whatAnOperationThrowsComesOutOfTheWait(Communicator world, Random stream) {
        if (world.size() == 1) {
            return;
        }
        Operation<int[]> fails = Operation.ints((a, b) -> {
            throw new IllegalStateException("not these");
        });
        Request request = world.startAllReduce(new int[] {1, 2}, new int[2], fails);
        int threw = 0;
        try {
            request.waitFor();
        } catch (MpiException failed) {
            threw = 1;
            equal(MpiError.OPERATION, failed.error(), failed.getMessage());
            equal("not these", failed.getCause().getMessage(), "its cause");
            equal(failed, thrown(MpiException.class, request::test), "again");
        }
        equal(1, world.allReduce(threw, Operation.MAX), "somebody has called it");
        equal(MpiError.USAGE, thrown(MpiException.class, () ->
                world.startAllReduce(new int[1], new int[1], Operation.<Integer>objects(Integer::sum))).error(), "of objects");
    }

    static void requestsAreStartedAgainAndAgain(Communicator world, Random stream) {
        int ranks = world.size(), rank = world.rank(), next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
        int[] sent = new int[3], shared = new int[2], all = new int[3 * ranks], counts = IntStream.rangeClosed(1, ranks).toArray();
        long[] come = new long[2];
        double[] mine = new double[4], sums = new double[4], least = new double[4];
        byte[] part = new byte[rank + 1], parts = new byte[before(counts, ranks)];
        ByteBuffer direct = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
        PersistentRequest send = world.sendInit(direct, next, 1), receive = world.receiveInit(come, before, 1);
        List<PersistentRequest> requests = List.of(
                receive, send, world.barrierInit(), world.broadcastInit(shared, ranks - 1), world.allGatherInit(sent, all),
                world.allReduceInit(mine, sums, Operation.SUM), world.scanInit(mine, least, Operation.doubles(Math::min)),
                world.allGatherPartsInit(part, counts, parts));
        equal(MpiError.USAGE, thrown(MpiException.class, receive::waitFor).error(), "not started");
        for (int round = 0; round < 5; round++) {
            int now = round;
            Arrays.fill(sent, rank * 10 + round);
            direct.putLong(0, rank + round).putLong(8, -rank);
            Arrays.fill(shared, rank == ranks - 1 ? round : -1);
            Arrays.fill(mine, rank + round * 0.5);
            Arrays.fill(part, (byte) (rank + round));
            for (PersistentRequest request : requests) {
                request.start();
                equal(true, request.isActive(), "active");
                equal(MpiError.USAGE, thrown(MpiException.class, request::start).error(), "started twice");
            }
            System.gc();
            if (round % 2 == 0) {
                Request.waitAll(requests);
            } else {
                while (Request.testAll(requests).isEmpty()) {
                    Thread.yield();
                }
            }
            equal(16L, receive.waitFor().bytes(), "its size, again");
            equal(before, receive.test().orElseThrow().source(), "its source, again");
            Ranks.same(new long[] {before + round, -before}, come, "received");
            Ranks.same(new int[] {round, round}, shared, "broadcast");
            Ranks.same(IntStream.range(0, 3 * ranks).map(index -> index / 3 * 10 + now).toArray(), all, "gathered");
            double total = IntStream.range(0, ranks).mapToDouble(of -> of + now * 0.5).sum();
            Ranks.same(new double[] {total, total, total, total}, sums, "summed");
            Ranks.same(new double[] {now * 0.5, now * 0.5, now * 0.5, now * 0.5}, least, "scanned");
            byte[] expected = new byte[parts.length];
            for (int of = 0; of < ranks; of++) {
                Arrays.fill(expected, before(counts, of), before(counts, of + 1), (byte) (of + round));
            }
            Ranks.same(expected, parts, "gathered in parts");
        }
        requests.forEach(Request::close);
        PersistentRequest left = world.receiveInit(new int[4], before, 2);
        left.start();
        left.close();
        Ranks.closed(left::start);
    }

    static void whatDoesNotFitIsAnErrorThatSaysSo(Communicator world, Random stream) {
        int ranks = world.size();
        equal(MpiError.RANK, thrown(MpiException.class, () -> world.startBroadcast(new int[1], ranks)).error(), "no rank");
        refused(() -> world.startAllGather(new int[2], new int[2 * ranks + 1]));
        refused(() -> world.startAllGatherParts(new int[1], new int[ranks + 1], new int[1]));
        refused(() -> world.startAllGatherParts(new int[1], IntStream.range(0, ranks).map(rank -> -1).toArray(), new int[1]));
        refused(() -> world.startAllReduce(new int[1], new int[2], Operation.SUM));
        refused(() -> world.allReduceInit(new int[1], new int[2], Operation.SUM));
        ByteBuffer both = ByteBuffer.allocateDirect(8 * ranks);
        refused(() -> world.startAllGather(both.duplicate().limit(8), both));
        thrown(java.nio.ReadOnlyBufferException.class, () -> world.startAllGather(new byte[1], both.asReadOnlyBuffer()));
        thrown(IllegalArgumentException.class, () -> world.startAllGather("text", new byte[1]));
        equal(MpiError.COUNT, thrown(MpiException.class, () -> Room.allocate(upcall.bindings.Arena.ofAuto(), 1L << 31)).error(), "large");
    }

    private static void refused(Runnable call) {
        equal(MpiError.USAGE, thrown(MpiException.class, call::run).error(), "the kind");
    }

    static void bufferedSendsReturnWhetherOrNotAnybodyReceives(Environment mpi, Communicator world) {
        int ranks = world.size(), rank = world.rank(), next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
        equal(MpiError.BUFFER, thrown(MpiException.class, () -> world.sendBuffered(1, next, 0)).error(), "none attached");
        SendBuffer buffer = mpi.attachBuffer(1 << 20);
        equal(MpiError.USAGE, thrown(MpiException.class, () -> mpi.attachBuffer(1)).error(), "attached twice");
        equal(MpiError.BUFFER, thrown(MpiException.class, () -> world.sendBuffered(new byte[2 << 20], next, 0)).error(), "full");
        double[] many = values(rank, 100_000);
        world.sendBuffered(many, next, 1);
        world.sendBuffered("from " + rank, next, 2);
        equal(true, buffer.used() >= 0, "used");
        Ranks.same(values(before, 100_000), world.receive(double[].class, before, 1), "an array");
        equal("from " + before, world.receive(String.class, before, 2), "an object");
        // With a request, which has ended already, and in rounds.
        try (Request request = world.startSendBuffered(new int[] {rank}, next, 3)) {
            equal(true, request.test().isPresent(), "begun and ended");
        }
        int[] turn = {0};
        PersistentRequest rounds = world.sendBufferedInit(turn, next, 3);
        for (int round = 0; round < 3; round++) {
            turn[0] = 10 + round;
            rounds.start();
            refused(rounds::start);
            turn[0] = -1;
            rounds.waitFor();
        }
        for (int wanted : new int[] {before, 10, 11, 12}) {
            Ranks.same(new int[] {wanted}, world.receive(int[].class, before, 3), "as it was when it was started");
        }
        PersistentRequest large = world.sendBufferedInit(new byte[2 << 20], next, 3);
        equal(MpiError.BUFFER, thrown(MpiException.class, large::start).error(), "full");
        large.close();
        buffer.close();
        equal(MpiError.BUFFER, thrown(MpiException.class, rounds::start).error(), "none attached");
        equal(MpiError.BUFFER, thrown(MpiException.class, () -> world.startSendBuffered(turn, next, 3)).error(), "none attached");
        rounds.close();
        buffer.close();
        equal(MpiError.USAGE, thrown(MpiException.class, buffer::used).error(), "detached");
    }

    static void readyAndSynchronousSendsGoToWhoWaits(Communicator world) {
        int ranks = world.size(), rank = world.rank(), next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
        long[] data = {rank, -rank}, come = new long[2], wanted = {before, -before};
        ByteBuffer direct = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
        direct.asLongBuffer().put(data);
        try (PersistentRequest ready = world.sendReadyInit(data, next, 5); PersistentRequest rounds = world.receiveInit(come, before, 5)) {
            for (int round = 0; round < 3; round++) {
                long[] also = new long[2];
                Request receive = world.startReceiveInto(also, before, 6);
                world.barrier();
                world.startSendReady(direct, next, 6).waitFor();
                receive.waitFor();
                Ranks.same(wanted, also, "of who was ready");
                Request again = world.startReceiveInto(also, before, 6);
                world.barrier();
                world.sendReady(data, next, 6);
                again.waitFor();
                Arrays.fill(come, 7);
                rounds.start();
                world.barrier();
                PersistentRequest.startAll(List.of(ready));
                refused(() -> PersistentRequest.startAll(List.of(rounds)));
                Request.waitAll(List.of(ready, rounds));
                Ranks.same(wanted, come, "of a round");
            }
        }
        // One that is received has ended, and not before.
        Request request = world.startSendSynchronous(data, next, 7);
        world.barrier();
        equal(true, request.test().isEmpty(), "nobody receives it");
        world.barrier();
        world.receiveInto(come, before, 7);
        request.waitFor();
        equal(MpiError.RANK, thrown(MpiException.class, () -> world.startSendReady(data, ranks, 7)).error(), "no rank");
        equal(MpiError.RANK, thrown(MpiException.class, () -> world.sendReadyInit(data, ranks, 7)).error(), "no rank");
    }

    static void partitionsAreSentWhenTheyAreReady(Environment mpi, Communicator world) {
        ByteBuffer sent = ByteBuffer.allocateDirect(12);
        if (mpi.standard().startsWith("3")) {
            MpiException none = thrown(MpiException.class, () -> world.partitionedSendInit(sent, 4, 0, 0));
            equal(MpiError.UNSUPPORTED, none.error(), none.getMessage());
            return;
        }
        int ranks = world.size(), rank = world.rank(), next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
        ByteBuffer come = ByteBuffer.allocateDirect(12);
        thrown(IllegalArgumentException.class, () -> world.partitionedSendInit(ByteBuffer.allocate(12), 4, next, 0));
        refused(() -> world.partitionedSendInit(sent, 5, next, 3));
        try (PartitionedSend send = world.partitionedSendInit(sent, 4, next, 3);
                PartitionedReceive receive = world.partitionedReceiveInit(come, 3, before, 3)) {
            refused(() -> send.ready(0));
            refused(receive::waitFor);
            for (int round = 0; round < 3; round++) {
                receive.start();
                send.start();
                refused(send::start);
                for (int part : new int[] {3, 1, 0}) {
                    fill(sent, part, rank * 20 + round * 5 + part);
                    send.ready(part);
                    refused(() -> send.ready(part));
                }
                refused(() -> send.ready(4));
                fill(sent, 2, -1);
                send.waitFor();
                while (!receive.hasArrived(0) || !receive.hasArrived(1) || !receive.hasArrived(2)) {
                    Thread.yield();
                }
                equal(true, receive.isActive(), "active");
                receive.waitFor();
                for (int index = 0; index < 12; index++) {
                    int part = index / 3;
                    equal((byte) (part == 2 ? -1 : before * 20 + round * 5 + part), come.get(index), "of partition " + part);
                }
            }
        }
    }

    private static void fill(ByteBuffer bytes, int part, int value) {
        for (int index = 0; index < 3; index++) {
            bytes.put(part * 3 + index, (byte) value);
        }
    }
}
