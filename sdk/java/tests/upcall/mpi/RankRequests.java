package upcall.mpi;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Requests. */
final class RankRequests {
    private RankRequests() {}

    static void allRanksSendToAllAtOnce(Communicator world, Random stream) {
        for (int round = 0; round < 20; round++) {
            int kind = stream.nextInt(6);
            Object[] all = Ranks.arrays(stream, kind, world.size(), stream.nextInt(3) == 0 ? -30_000 : -10);
            List<Request> requests = new ArrayList<>();
            List<Object> rooms = new ArrayList<>();
            for (int from = 0; from < world.size(); from++) {
                Object room = Elements.values()[kind].make(java.lang.reflect.Array.getLength(all[from]));
                rooms.add(room);
                requests.add(world.startReceiveInto(room, from, round));
            }
            for (int to = 0; to < world.size(); to++) {
                requests.add(world.startSend(all[world.rank()], to, round));
            }
            if (round % 2 == 0) {
                equal(2 * world.size(), Request.waitAll(requests).size(), "all");
            } else {
                List<Request> left = new ArrayList<>(requests);
                while (!left.isEmpty()) {
                    left.remove(Request.waitAny(left)).waitFor();
                }
            }
            for (int from = 0; from < world.size(); from++) {
                Ranks.same(all[from], rooms.get(from), "of rank " + from);
                equal(from, requests.get(from).test().orElseThrow().source(), "its status, again");
            }
        }
        thrown(IllegalArgumentException.class, () -> Request.waitAny(List.of()));
    }

    static void directBuffersAreFilledInPlaceAndObjectsAreTaken(Communicator world, Random stream) {
        int to = (world.rank() + 1) % world.size();
        int from = (world.rank() + world.size() - 1) % world.size();
        ByteBuffer room = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
        Request receiving = world.startReceiveInto(room, from, 1);
        ReceiveRequest<?> object = world.startReceive(Map.class, from, 2);
        equal(MpiError.USAGE, thrown(MpiException.class, object::value).error(), "not yet");
        ByteBuffer sent = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder()).putLong(0, world.rank());
        Request sending = world.startSend(sent, to, 1);
        Request other = world.startSend(Map.of("rank", world.rank()), to, 2);
        equal(8L, receiving.waitFor().bytes(), "bytes");
        equal((long) from, room.getLong(0), "the number");
        while (object.test().isEmpty()) {
            Thread.onSpinWait();
        }
        equal(Map.of("rank", from), object.value(), "the object");
        Request.waitAll(List.of(sending, other));
    }

    static void receivesAreCancelledClosedAndForgotten(Communicator world, Random stream) throws Exception {
        try (Request never = world.startReceiveInto(new int[1], world.rank(), 77)) {
            equal(true, never.test().isEmpty(), "nothing has come");
            never.cancel();
            equal(true, never.waitFor().cancelled(), "cancelled");
        }
        ReceiveRequest<String> object = world.startReceive(String.class, world.rank(), 78);
        object.cancel();
        equal(true, object.waitFor().cancelled(), "cancelled");
        equal(MpiError.USAGE, thrown(MpiException.class, object::value).error(), "no value");
        Request closed = world.startReceiveInto(new int[1], world.rank(), 79);
        closed.close();
        Ranks.closed(closed::waitFor);
        for (int count = 0; count < 200; count++) {
            world.startReceiveInto(ByteBuffer.allocateDirect(1 << 16), world.rank(), 80);
            if (count % 50 == 0) {
                System.gc();
                Thread.sleep(1);
            }
        }
        // Those that were given up do not take what comes afterwards.
        System.gc();
        Thread.sleep(20);
        world.barrier();
        equal(5, world.sendReceive(5, world.rank(), 79, Integer.class, world.rank(), 79), "a message with their tag");
        // Open MPI 4 tells nobody of it where a rank sends to itself and the receive has begun.
        if (world.size() > 1) {
            Request small = world.startReceiveInto(new int[1], (world.rank() + world.size() - 1) % world.size(), 81);
            world.barrier();
            Request sending = world.startSend(new int[2], (world.rank() + 1) % world.size(), 81);
            for (int time = 0; time < 2; time++) {
                equal(MpiError.TRUNCATED, thrown(MpiException.class, small::waitFor).error(), "too large");
            }
            equal(0, Request.waitAny(List.of(small)), "it has ended");
            sending.waitFor();
        }
    }
}
