package upcall.mpi;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Collectives against what all ranks know. */
final class RankCollectives {
    private RankCollectives() {}

    static void arraysAreBroadcastGatheredAndScattered(Communicator world, Random stream) {
        int ranks = world.size();
        int me = world.rank();
        for (int round = 0; round < 40; round++) {
            int kind = stream.nextInt(6);
            int root = stream.nextInt(ranks);
            int each = stream.nextInt(5) == 0 ? 5000 : stream.nextInt(9);
            Elements elements = Elements.values()[kind];
            Object[] all = Ranks.arrays(stream, kind, ranks, each);
            List<Double> flat = flat(all);

            Object here = me == root ? all[root] : elements.make(each);
            world.broadcastInto(here, root);
            Ranks.same(all[root], here, "broadcast");
            @SuppressWarnings("unchecked")
            Class<Object> type = (Class<Object>) elements.array();
            Ranks.same(all[root], world.broadcast(type, me == root ? all[root] : null, root), "broadcast of any size");

            Object gathered = elements.make(each * ranks);
            world.gatherInto(all[me], me == root ? gathered : null, root);
            if (me == root) {
                equal(flat, Ranks.shown(gathered), "gathered");
            }
            Object everywhere = elements.make(each * ranks);
            world.allGatherInto(all[me], everywhere);
            equal(flat, Ranks.shown(everywhere), "gathered everywhere");

            Object part = elements.make(each);
            world.scatterInto(me == root ? everywhere : null, part, root);
            Ranks.same(all[me], part, "scattered");
            Object exchanged = elements.make(each * ranks);
            world.allToAllInto(everywhere, exchanged);
            List<Double> mine = new ArrayList<>();
            for (int from = 0; from < ranks; from++) {
                mine.addAll(Ranks.shown(all[me]));
            }
            equal(mine, Ranks.shown(exchanged), "exchanged");
        }
    }

    static void valuesOfAnySizeAreGatheredScatteredAndExchanged(Communicator world, Random stream) {
        int ranks = world.size();
        int me = world.rank();
        for (int round = 0; round < 25; round++) {
            int root = stream.nextInt(ranks);
            int kind = stream.nextInt(6);
            Object[] arrays = Ranks.arrays(stream, kind, ranks, -50);
            List<Object> gathered = world.allGather(arrays[me]);
            for (int rank = 0; rank < ranks; rank++) {
                Ranks.same(arrays[rank], gathered.get(rank), "an array of rank " + rank);
            }
            equal(Optional.ofNullable(me == root ? numbers(ranks) : null), world.gather(me, root), "numbers at the root");
            List<List<String>> texts = new ArrayList<>();
            for (int from = 0; from < ranks; from++) {
                List<String> row = new ArrayList<>();
                for (int to = 0; to < ranks; to++) {
                    row.add(Ranks.text(stream));
                }
                texts.add(row);
            }
            equal(texts, world.allGather((Serializable) texts.get(me)), "objects");
            equal(texts.get(root).get(me), world.scatter(String.class, me == root ? texts.get(root) : null, root), "a text");
            List<String> column = new ArrayList<>();
            texts.forEach(row -> column.add(row.get(me)));
            equal(column, world.allToAll(String.class, texts.get(me)), "texts of all");
            equal(texts.get(root), world.broadcast(List.class, me == root ? texts.get(root) : null, root), "an object of one");
            List<Object> parts = Arrays.asList(Ranks.arrays(stream, kind, ranks, -9));
            @SuppressWarnings("unchecked")
            Class<Object> type = (Class<Object>) Elements.values()[kind].array();
            List<Object> exchanged = world.allToAll(type, parts);
            exchanged.forEach(part -> Ranks.same(parts.get(me), part, "a part"));
        }
    }

    static void whatIsWrongIsSaidToAll(Communicator world, Random stream) {
        int root = world.size() - 1;
        Object none = new Object();
        MpiException failed = thrown(
                MpiException.class, () -> world.broadcast(Object.class, world.rank() == root ? none : null, root));
        equal(world.rank() == root ? MpiError.TYPE : MpiError.USAGE, failed.error(), failed.getMessage());
        List<Integer> many = world.rank() == root ? numbers(world.size() + 1) : null;
        equal(MpiError.USAGE, thrown(MpiException.class, () -> world.scatter(Integer.class, many, root)).error(), "too many");
        Class<? extends RuntimeException> lacking = world.rank() == root ? NullPointerException.class : MpiException.class;
        thrown(lacking, () -> world.scatter(Integer.class, null, root));
        thrown(MpiException.class, () -> world.allGather(world.rank() == root ? none : "text"));
        thrown(MpiException.class, () -> world.allToAll(Integer.class, numbers(world.size() + 1)));
        thrown(NullPointerException.class, () -> world.allToAll(Integer.class, null));
        thrown(MpiException.class, () -> world.allGatherInto(new int[2], new int[2 * world.size() + 1]));
        if (world.size() > 1) {
            equal(MpiError.USAGE, thrown(
                    MpiException.class, () -> world.allToAllInto(new int[world.size() + 1], new int[world.size() + 1])).error(),
                    "no multiple");
        }
        world.barrier();
    }

    private static List<Integer> numbers(int count) {
        List<Integer> numbers = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            numbers.add(number);
        }
        return numbers;
    }

    private static List<Double> flat(Object[] arrays) {
        List<Double> flat = new ArrayList<>();
        for (Object array : arrays) {
            flat.addAll(Ranks.shown(array));
        }
        return flat;
    }
}
