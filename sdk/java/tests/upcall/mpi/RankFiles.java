package upcall.mpi;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Files of all ranks, against what their elements are. */
final class RankFiles {
    private RankFiles() {}

    private static Path path(Communicator world, String name) {
        long id = world.broadcast(Long.class, ProcessHandle.current().pid(), 0);
        return Path.of(System.getProperty("java.io.tmpdir"), "upcall-java-" + name + "-" + id);
    }

    static void everyWayOfReadingFindsWhatWasWritten(Communicator world, Random stream) {
        int ranks = world.size();
        int me = world.rank();
        Path path = path(world, "ways");
        try (File file = File.options().read(true).write(true).createNew(true).deleteOnClose(true).hint("cb_nodes", "1")
                .open(world, path)) {
            equal(path, file.path(), "the path");
            file.view(double[].class, 3);
            int each = 40;
            double[] all = (double[]) Ranks.array(stream, 5, ranks * each);
            double[] mine = part(all, me, each);
            long at = (long) me * each;
            for (int way = 0; way < 7; way++) {
                file.setSize(3);
                file.sync();
                switch (way) {
                    case 0 -> file.writeAt(mine, at);
                    case 1 -> file.writeAtAll(mine, at);
                    case 2 -> {
                        equal(at, file.seek(at, File.From.START), "sought");
                        file.write(mine);
                        equal(at + each, file.position(), "behind what was written");
                    }
                    case 3 -> {
                        file.seek(at, File.From.START);
                        file.writeAll(mine);
                    }
                    case 4 -> {
                        equal(0L, file.seekShared(0, File.From.START), "sought together");
                        file.writeOrdered(mine);
                        world.barrier();
                        equal((long) ranks * each, file.positionShared(), "behind all");
                    }
                    case 5 -> {
                        file.seekShared(0, File.From.START);
                        // Whoever comes first.
                        file.writeShared(part(all, 0, each));
                    }
                    default -> {
                        ByteBuffer direct = ByteBuffer.allocateDirect(8 * each).order(ByteOrder.nativeOrder());
                        direct.asDoubleBuffer().put(mine);
                        Request writing = me % 2 == 0 ? file.startWriteAt(direct, at) : file.startWriteAt(mine, at);
                        equal(8L * each, writing.waitFor().bytes(), "written in the background");
                    }
                }
                file.sync();
                world.barrier();
                equal(3L + 8L * ranks * each, file.size(), "the size by way " + way);
                int other = (me + 1 + stream.nextInt(ranks)) % ranks;
                long there = (long) other * each;
                double[] wanted = part(all, way == 5 ? 0 : other, each);
                Ranks.same(wanted, file.readAt(double[].class, there, each), "at an offset");
                double[] into = new double[each];
                equal(each, file.readAtAllInto(into, there), "all together");
                Ranks.same(wanted, into, "all together");
                file.seek(there, File.From.START);
                Ranks.same(wanted, file.read(double[].class, each), "from the pointer");
                file.seek(-each, File.From.CURRENT);
                Ranks.same(wanted, file.readAll(double[].class, each), "from the pointer, together");
                ByteBuffer direct = ByteBuffer.allocateDirect(8 * each).order(ByteOrder.nativeOrder());
                equal(8L * each, file.startReadAtInto(direct, there).waitFor().bytes(), "in the background");
                double[] copied = new double[each];
                file.startReadAtInto(copied, there).waitFor();
                Ranks.same(wanted, copied, "in the background");
                direct.asDoubleBuffer().get(copied);
                Ranks.same(wanted, copied, "in place");
                file.seekShared(0, File.From.START);
                Ranks.same(part(all, way == 5 ? 0 : me, each), file.readOrdered(double[].class, each), "in order");
                world.barrier();
                file.seekShared(0, File.From.START);
                equal(each, file.readShared(double[].class, each).length, "whichever comes next");
                world.barrier();
                // Fewer than are asked for.
                equal(5, file.readAt(double[].class, (long) ranks * each - 5, 9).length, "before the end");
                equal(0, file.readAtAll(double[].class, (long) ranks * each, 9).length, "behind the end");
                world.barrier();
            }
        }
        equal(false, Files.exists(path), "deleted when it was closed");
    }

    static void aViewIsAPartOfAFile(Communicator world, Random stream) {
        int ranks = world.size();
        int me = world.rank();
        Path path = path(world, "views");
        try (File file = File.options().read(true).write(true).create(true).truncate(true).open(world, path)) {
            int[] all = (int[]) Ranks.array(stream, 2, ranks * 6);
            int[] mine = IntStream.range(0, 6).map(index -> all[index / 2 * 2 * ranks + 2 * me + index % 2]).toArray();
            file.viewBlocks(int[].class, 8, 2);
            file.writeAtAll(mine, 0);
            file.sync();
            file.view(int[].class, 8);
            Ranks.same(all, file.readAtAll(int[].class, 0, all.length), "dealt out in turn");
            // The file as 6 rows of as many columns as ranks.
            file.viewStrided(int[].class, 8, me, 1, ranks);
            int[] column = IntStream.range(0, 6).map(row -> all[row * ranks + me]).toArray();
            Ranks.same(column, file.readAtAll(int[].class, 0, 6), "a column");
            file.viewSubarray(int[].class, 8, new long[] {6, ranks}, new long[] {4, 1}, new long[] {1, me});
            Ranks.same(java.util.Arrays.copyOfRange(column, 1, 5), file.readAtAll(int[].class, 0, 4), "a part of it");
            equal(MpiError.USAGE, thrown(MpiException.class, () -> file.readOrdered(int[].class, 1)).error(), "views with gaps");
            file.view(12, 8);
            ByteBuffer record = ByteBuffer.allocate(12).order(ByteOrder.nativeOrder());
            equal(12, file.readAtInto(record, 1), "bytes of a record");
            equal(List.of(all[3], all[4], all[5]), List.of(record.getInt(0), record.getInt(4), record.getInt(8)), "a record");
            // What one rank gets wrong is told to all.
            thrown(MpiException.class, () -> file.viewBlocks(int[].class, 0, me == 0 ? 0 : 1));
            equal(MpiError.TYPE, thrown(MpiException.class, () -> file.readAt(byte[].class, 0, 5)).error(), "no whole elements");
            file.setAtomic(true);
            equal(true, file.isAtomic(), "atomic");
            file.preallocate(4096);
            equal(4096L, file.size(), "with room");
            equal(true, file.hints() != null, "hints");
        }
        world.barrier();
        if (me == 0) {
            File.delete(world, path);
        }
        world.barrier();
    }

    static void whatIsWrongIsNamed(Communicator world, Random stream) {
        Path path = path(world, "errors");
        MpiException missing = thrown(MpiException.class, () -> File.open(world, path));
        equal(MpiError.NOT_FOUND, missing.error(), missing.getMessage());
        equal(true, missing.getMessage().contains(path.toString()) && missing.getMessage().contains("create"), missing.getMessage());
        equal(MpiError.NOT_FOUND, thrown(MpiException.class, () -> File.create(world, path.resolve("in/none"))).error(), "no folder");
        equal(MpiError.USAGE, thrown(MpiException.class, () -> File.options().open(world, path)).error(), "neither");
        equal(MpiError.USAGE, thrown(MpiException.class, () -> File.options().read(true).hint("", "x").open(world, path)).error(),
                "no hint");
        File file = File.create(world, path);
        equal(MpiError.ACCESS, thrown(MpiException.class, () -> file.readAt(int[].class, 0, 1)).error(), "not to be read");
        equal(MpiError.RANGE, thrown(MpiException.class, () -> file.seek(-1, File.From.START)).error(), "before the start");
        thrown(IllegalArgumentException.class, () -> file.writeAt("text", 0));
        thrown(IllegalArgumentException.class, () -> file.view(String.class, 0));
        Request writing = file.startWriteAt(new byte[100_000], 0);
        file.close();
        file.close();
        equal(100_000L, writing.waitFor().bytes(), "what was begun has ended");
        MpiException closed = thrown(MpiException.class, () -> file.writeAt(new int[1], 0));
        equal(MpiError.USAGE, closed.error(), closed.getMessage());
        equal(true, closed.getMessage().contains(path.toString()), closed.getMessage());
        thrown(MpiException.class, () -> file.view(4, 0));
        equal(MpiError.EXISTS, thrown(
                MpiException.class, () -> File.options().write(true).createNew(true).open(world, path)).error(), "there already");
        full(world);
        world.barrier();
        if (world.rank() == 0) {
            try {
                Files.delete(path);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
        world.barrier();
    }

    /** A disk without room, where there is one that anybody may write to. */
    private static void full(Communicator world) {
        if (!Files.isWritable(Path.of("/dev/full"))) {
            return;
        }
        List<MpiError> found = new ArrayList<>();
        try (File full = File.options().write(true).open(world, Path.of("/dev/full"))) {
            found.add(thrown(MpiException.class, () -> full.writeAt(new byte[10], 0)).error());
            found.add(thrown(MpiException.class, () -> full.startWriteAt(new byte[10], 0).waitFor()).error());
        }
        equal(List.of(MpiError.NO_SPACE, MpiError.NO_SPACE), found, "no room");
    }

    private static double[] part(double[] all, int rank, int each) {
        return java.util.Arrays.copyOfRange(all, rank * each, (rank + 1) * each);
    }
}
