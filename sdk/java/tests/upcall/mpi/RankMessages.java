package upcall.mpi;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Messages between two ranks. */
final class RankMessages {
    private RankMessages() {}

    static void arraysOfAnyLengthGoRound(Communicator world, Random stream) {
        for (int round = 0; round < 60; round++) {
            int kind = stream.nextInt(6);
            Object[] all = Ranks.arrays(stream, kind, world.size(), stream.nextInt(4) == 0 ? -40_000 : -20);
            int by = stream.nextInt(world.size());
            int to = (world.rank() + by) % world.size();
            int from = (world.rank() + world.size() - by) % world.size();
            Object mine = all[world.rank()];
            Object got = world.sendReceive(mine, to, round, all[from].getClass(), from, round);
            Ranks.same(all[from], got, "an array");
            Object room = Elements.values()[kind].make(40_000);
            Status status = world.sendReceiveInto(mine, to, 7, room, Communicator.ANY_SOURCE, Communicator.ANY_TAG);
            int count = status.count(mine.getClass());
            equal(Ranks.shown(all[from]), Ranks.shown(room).subList(0, count), "into an array");
            equal(from + " 7", status.source() + " " + status.tag(), "the status");
            // Nobody takes what belongs to the next round.
            world.barrier();
        }
    }

    static void numbersAndObjectsArrive(Communicator world, Random stream) {
        Communicator own = world;
        for (int round = 0; round < 30; round++) {
            String text = Ranks.text(stream);
            Map<String, List<Integer>> object = Map.of("numbers", List.of(stream.nextInt(), round));
            double number = stream.nextGaussian();
            int root = stream.nextInt(world.size());
            if (own.rank() == root) {
                for (int to = 0; to < own.size(); to++) {
                    if (to != root) {
                        own.send(text, to, 1);
                        own.sendSynchronous(object, to, 2);
                        own.send(number, to, 3);
                        own.send((byte) 5, to, 4);
                    }
                }
            } else {
                equal(text, own.receive(String.class, root, 1), "a text");
                equal(object, own.receive(Map.class, root, 2), "an object");
                equal(number, own.receive(double.class, root, 3), "a number");
                equal((byte) 5, own.receive(Byte.class, root, 4), "a byte");
            }
        }
    }

    static void buffersAreSentBetweenTheirPositionAndLimit(Communicator world, Random stream) {
        int to = (world.rank() + 1) % world.size();
        int from = (world.rank() + world.size() - 1) % world.size();
        for (boolean direct : new boolean[] {true, false}) {
            ByteBuffer sent = direct ? ByteBuffer.allocateDirect(100) : ByteBuffer.allocate(100);
            sent.order(ByteOrder.nativeOrder()).putLong(8, world.rank() + 1000L).position(8).limit(16);
            ByteBuffer room = direct ? ByteBuffer.allocateDirect(64) : ByteBuffer.allocate(64);
            room.order(ByteOrder.nativeOrder()).position(24);
            Status status = world.sendReceiveInto(sent, to, 0, room, from, 0);
            equal(8L, status.bytes(), "bytes");
            equal(24, room.position(), "its position");
            equal(8, sent.position(), "the other's position");
            equal(from + 1000L, room.getLong(24), "the number");
            equal(0L, room.getLong(16), "what lies before");
        }
        thrown(java.nio.ReadOnlyBufferException.class,
                () -> world.receiveInto(ByteBuffer.allocateDirect(8).asReadOnlyBuffer(), from, 0));
        thrown(IllegalArgumentException.class, () -> world.receiveInto("text", from, 0));
    }

    static void messagesAreProbedAndMatched(Communicator world, Random stream) {
        int to = (world.rank() + 1) % world.size();
        int from = (world.rank() + world.size() - 1) % world.size();
        equal(true, world.tryProbe(from, 9).isEmpty(), "nothing yet");
        equal(true, world.tryMatched(from, 9).isEmpty(), "nothing yet");
        world.barrier();
        for (int round = 0; round < 10; round++) {
            Request sending = world.startSend(new int[] {round, world.rank()}, to, round);
            Status seen = world.probe(Communicator.ANY_SOURCE, round);
            equal(from + " 8", seen.source() + " " + seen.bytes(), "what is seen");
            equal(2, seen.count(int[].class), "its elements");
            try (Message message = round % 2 == 0 ? world.matched(from, round) : taken(world, from, round)) {
                int[] room = new int[2 + round % 2];
                if (round % 3 == 0) {
                    message.receiveInto(room);
                    equal(round, room[0], "in its room");
                } else {
                    equal(from, message.receive(int[].class)[1], "the sender");
                }
                equal(MpiError.USAGE, thrown(MpiException.class, () -> message.receive(int[].class)).error(), "received twice");
            }
            sending.waitFor();
        }
    }

    private static Message taken(Communicator world, int from, int tag) {
        while (true) {
            Message message = world.tryMatched(from, tag).orElse(null);
            if (message != null) {
                return message;
            }
        }
    }

    static void whatIsWrongIsSaid(Communicator world, Random stream) {
        int me = world.rank();
        equal(MpiError.RANK, thrown(MpiException.class, () -> world.send(new int[1], world.size(), 0)).error(), "no such rank");
        equal(MpiError.RANK, thrown(MpiException.class, () -> world.send(new int[1], -2, 0)).error(), "no such rank");
        equal(MpiError.TAG, thrown(MpiException.class, () -> world.send(new int[1], me, -5)).error(), "no such tag");
        equal(MpiError.RANK, thrown(MpiException.class, () -> world.broadcastInto(new int[1], world.size())).error(), "no such root");
        Request sending = world.startSend(new long[] {1, 2, 3}, me, 0);
        equal(MpiError.TRUNCATED, thrown(MpiException.class, () -> world.receiveInto(new long[2], me, 0)).error(), "too large");
        sending.waitFor();
        sending = world.startSend(new byte[5], me, 0);
        equal(MpiError.TYPE, thrown(MpiException.class, () -> world.receive(int[].class, me, 0)).error(), "no whole number");
        sending.waitFor();
        sending = world.startSend(new int[2], me, 0);
        equal(MpiError.TYPE, thrown(MpiException.class, () -> world.receive(Integer.class, me, 0)).error(), "two numbers");
        sending.waitFor();
        sending = world.startSend("text", me, 0);
        equal(MpiError.TYPE, thrown(MpiException.class, () -> world.receive(List.class, me, 0)).error(), "another class");
        sending.waitFor();
        equal(MpiError.TYPE, thrown(MpiException.class, () -> world.send(new Object(), me, 0)).error(), "no form");
    }

    static void aSerializerIsNamed(Communicator world, Random stream) {
        try (Communicator own = world.duplicate()) {
            own.serializer(new Serializer() {
                @Override
                public byte[] write(Object value) throws IOException {
                    if (value instanceof String text) {
                        return text.getBytes(StandardCharsets.UTF_8);
                    }
                    throw new IOException("only text");
                }

                @Override
                public Object read(byte[] bytes, Class<?> type) {
                    return new String(bytes, StandardCharsets.UTF_8);
                }
            });
            equal(List.of("größe".length()), List.of(own.sendReceive("größe", own.rank(), 0, String.class, own.rank(), 0).length()),
                    "a text");
            Request sending = own.startSend("größe", own.rank(), 0);
            equal(7L, own.probe(own.rank(), 0).bytes(), "UTF-8");
            own.receive(String.class, own.rank(), 0);
            sending.waitFor();
            MpiException refused = thrown(MpiException.class, () -> own.send(List.of(), own.rank(), 0));
            equal("only text", refused.getCause().getMessage(), "the cause");
        }
    }
}
