package upcall.mpi;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Values that are kept with communicators, calls for when a process has died, and what one rank gets wrong. */
final class RankValues {
    private static final Key<List<Integer>> STAYS = Key.create();
    private static final Key<String> COPIED = Key.copied();

    private RankValues() {}

    static void valuesAreKeptCopiedAndLetGoOf(Communicator world, Random random) throws Exception {
        Communicator comm = world.duplicate();
        equal(Optional.empty(), comm.get(STAYS), "nothing yet");
        List<Integer> list = new ArrayList<>(List.of(world.rank()));
        comm.set(STAYS, list);
        comm.set(COPIED, "one");
        equal(true, comm.get(STAYS).orElseThrow() == list, "the same object");
        comm.set(COPIED, "two");
        try (Communicator twin = comm.duplicate(); Communicator part = comm.split(0, 0).orElseThrow()) {
            equal(Optional.empty(), twin.get(STAYS), "it stays behind");
            equal(Optional.of("two"), twin.get(COPIED), "it is copied");
            twin.set(COPIED, "three");
            equal(Optional.of("two"), comm.get(COPIED), "each has its own");
            equal(Optional.empty(), part.get(COPIED), "a part has none");
        }
        equal(true, comm.remove(STAYS), "removed");
        equal(false, comm.remove(STAYS), "removed once more");
        thrown(NullPointerException.class, () -> comm.set(COPIED, null));
        // It is let go of with its communicator.
        WeakReference<Object> kept = keep(comm);
        System.gc();
        equal(true, kept.get() != null, "it is kept");
        comm.close();
        for (int round = 0; round < 100 && kept.get() != null; round++) {
            System.gc();
            Thread.sleep(1);
        }
        equal(true, kept.get() == null, "it is let go of");
        Ranks.closed(() -> comm.get(COPIED));
    }

    private static WeakReference<Object> keep(Communicator comm) {
        List<Integer> value = new ArrayList<>();
        comm.set(STAYS, value);
        return new WeakReference<>(value);
    }

    static void callsForDeadRanksSayWhereTheyAreNot(Communicator world, Random random) {
        List<Runnable> calls = List.of(world::revoke, world::isRevoked, world::shrink, () -> world.agree(3),
                world::acknowledgeFailures, world::failedRanks, world::acknowledgedFailures);
        for (Runnable call : calls) {
            MpiException refused = thrown(MpiException.class, call::run);
            equal(MpiError.UNSUPPORTED, refused.error(), refused.getMessage());
        }
    }

    static void whatOneRankGetsWrongIsToldToAll(Communicator world, Random random) {
        int last = world.size() - 1;
        equal(MpiError.USAGE, thrown(MpiException.class, () -> world.split(world.rank() == last ? 1L << 31 : 0, 0)).error(), "a color");
        Object value = world.rank() == last ? new Object() : "text";
        MpiError wanted = world.rank() == last ? MpiError.TYPE : MpiError.USAGE;
        equal(wanted, thrown(MpiException.class, () -> world.gather(value, 0)).error(), "gather");
        equal(wanted, thrown(MpiException.class, () -> world.allGather(value)).error(), "all gather");
        equal(world.size(), world.allReduce(1, Operation.SUM), "in step");
    }
}
