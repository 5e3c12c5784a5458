package upcall.mpi;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Random;

/** Buffers of numbers, wherever arrays go: direct ones in place, others by a copy. */
final class RankBuffers {
    private RankBuffers() {}

    static void viewsOfAnMpiBufferAreReducedInPlace(Communicator world, Random stream) {
        int size = world.size();
        try (MpiBuffer buffer = MpiBuffer.allocate(8 * 1000)) {
            DoubleBuffer doubles = buffer.doubles();
            for (int index = 0; index < 1000; index++) {
                doubles.put(index, world.rank() + index);
            }
            world.allReduceInPlace(doubles, Operation.SUM);
            for (int index = 0; index < 1000; index++) {
                equal(size * (size - 1) / 2.0 + (double) size * index, buffer.doubles().get(index), "the sum at " + index);
            }
            // A part of it, and nothing beside it.
            IntBuffer ints = buffer.ints();
            ints.put(0, -1).put(1, world.rank()).put(2, 7).put(3, -1);
            world.allReduceInPlace(ints.position(1).limit(3), Operation.MAX);
            ints.clear();
            equal("-1 " + (size - 1) + " 7 -1", ints.get(0) + " " + ints.get(1) + " " + ints.get(2) + " " + ints.get(3), "a part");
            LongBuffer longs = buffer.longs().put(0, 1L << world.rank());
            world.allReduceInPlace(longs.limit(1), Operation.BIT_OR);
            equal((1L << size) - 1, longs.get(0), "bits");
            ShortBuffer shorts = buffer.shorts().put(0, (short) 2);
            world.allReduceInPlace(shorts.limit(1), Operation.PRODUCT);
            equal((short) (1 << size), shorts.get(0), "a product");
            FloatBuffer floats = buffer.floats().put(0, 0.5f);
            world.allReduceInPlace(floats.limit(1), Operation.SUM);
            equal(0.5f * size, floats.get(0), "halves");
        }
    }

    static void buffersOfNumbersGoWhereArraysGo(Communicator world, Random stream) {
        int to = (world.rank() + 1) % world.size(), from = (world.rank() + world.size() - 1) % world.size();
        DoubleBuffer direct = direct(3).put(0, world.rank()).put(1, 0.5).put(2, -1);
        DoubleBuffer heap = DoubleBuffer.wrap(new double[] {world.rank(), 0.5, -1});
        DoubleBuffer swapped = ByteBuffer.allocateDirect(24).order(other()).asDoubleBuffer().put(heap.duplicate()).rewind();
        for (DoubleBuffer values : new DoubleBuffer[] {direct, heap, swapped}) {
            for (DoubleBuffer room : new DoubleBuffer[] {direct(3), DoubleBuffer.allocate(3),
                    ByteBuffer.allocateDirect(24).order(other()).asDoubleBuffer()}) {
                try (Request sent = world.startSend(values, to, 3)) {
                    equal(24L, world.receiveInto(room, from, 3).bytes(), "bytes");
                    sent.waitFor();
                }
                equal((double) from + " 0.5 -1.0 0", room.get(0) + " " + room.get(1) + " " + room.get(2) + " " + room.position(), "sent");
                try (Request received = world.startReceiveInto(room.put(0, 9), from, 4)) {
                    world.send(values, to, 4);
                    received.waitFor();
                }
                equal((double) from, room.get(0), "begun");
                try (Request sums = world.startAllReduce(values, room, Operation.SUM)) {
                    sums.waitFor();
                }
                equal(world.size() * 0.5, room.get(1), "a sum that was begun");
            }
            equal(world.size() * 0.5, world.allReduce(values, Operation.SUM).get(1), "a sum");
        }
        try (Request sent = world.startSend(direct, to, 5)) {
            DoubleBuffer received = world.receive(DoubleBuffer.class, from, 5);
            equal((double) from, received.get(0), "received");
            sent.waitFor();
        }
        DoubleBuffer all = direct(world.size());
        world.allGatherInto(direct.duplicate().limit(1), all);
        for (int rank = 0; rank < world.size(); rank++) {
            equal((double) rank, all.get(rank), "gathered");
        }
        try (Window<double[]> window = Window.allocate(world, double[].class, 3)) {
            try (Epoch<double[]> epoch = window.fence()) {
                epoch.put(direct, to, 0);
            }
            DoubleBuffer got = direct(3);
            try (PassiveEpoch<double[]> epoch = window.lock(Lock.SHARED, world.rank())) {
                epoch.get(got, world.rank(), 0);
            }
            equal((double) from, got.get(0), "put and got");
            try (PassiveEpoch<double[]> epoch = window.lock(Lock.SHARED, world.rank())) {
                IntBuffer ints = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder()).asIntBuffer();
                equal(MpiError.TYPE, thrown(MpiException.class, () -> epoch.put(ints, 0, 0)).error(), "other numbers");
            }
        }
    }

    static void whatIsNoBufferOfNumbersIsRefused(Communicator world, Random stream) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(8);
        MpiException refused = thrown(MpiException.class, () -> world.allReduceInPlace(bytes, Operation.SUM));
        equal(true, refused.getMessage().contains("which numbers it has"), refused.getMessage());
        thrown(java.nio.ReadOnlyBufferException.class, () -> world.allReduceInPlace(direct(1).asReadOnlyBuffer(), Operation.SUM));
        thrown(java.nio.ReadOnlyBufferException.class, () -> world.receiveInto(direct(1).asReadOnlyBuffer(), 0, 0));
        thrown(IllegalArgumentException.class, () -> world.receiveInto(java.nio.CharBuffer.allocate(1), 0, 0));
        thrown(IllegalArgumentException.class, () -> new Placed<>(direct(1), 0));
        equal("values", thrown(NullPointerException.class, () -> world.startAllGather(null, new int[1])).getMessage(), "no values");
        equal("into", thrown(NullPointerException.class, () -> world.startAllReduce(new int[1], null, Operation.SUM)).getMessage(),
                "no room");
        equal("values", thrown(NullPointerException.class, () -> world.broadcastInit(null, 0)).getMessage(), "nothing to give");
    }

    static void aViewOfAWindowKeepsTheProgramsBuffer(Communicator world, Random stream) throws Exception {
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16).order(ByteOrder.nativeOrder());
        WeakReference<ByteBuffer> kept = new WeakReference<>(buffer);
        LongBuffer view;
        boolean inPlace;
        try (Window<long[]> window = Window.create(world, long[].class, buffer)) {
            try (LocalMemory mine = window.local()) {
                view = mine.longs();
                view.put(1, 77);
                inPlace = buffer.getLong(8) == 77;
            }
        }
        buffer = null;
        for (int round = 0; round < 3; round++) {
            System.gc();
            Thread.sleep(5);
        }
        if (inPlace) {
            equal(true, kept.get() != null, "the view keeps the buffer");
            equal(77L, view.get(1), "what it shows");
        }
    }

    private static DoubleBuffer direct(int count) {
        return ByteBuffer.allocateDirect(8 * count).order(ByteOrder.nativeOrder()).asDoubleBuffer();
    }

    private static ByteOrder other() {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }
}
