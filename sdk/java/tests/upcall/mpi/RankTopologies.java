package upcall.mpi;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;

/** Groups, grids and graphs. */
final class RankTopologies {
    private RankTopologies() {}

    static void groupsAreCombinedAndBecomeCommunicators(Communicator world, Random stream) {
        int size = world.size();
        int[] even = IntStream.range(0, size).filter(rank -> rank % 2 == 0).map(rank -> (size - 1) / 2 * 2 - rank).toArray();
        boolean inside = world.rank() % 2 == 0;
        try (Group all = world.group(); Group some = all.include(even); Group others = all.exclude(even);
                Group both = some.union(others); Group none = some.intersection(others); Group rest = both.difference(some)) {
            equal(OptionalInt.of(world.rank()), all.rank(), "the rank");
            equal(List.of(size, even.length, size - even.length, size, 0, others.size()),
                    List.of(all.size(), some.size(), others.size(), both.size(), none.size(), rest.size()), "sizes");
            equal(inside, some.rank().isPresent(), "a member");
            equal(Comparison.IDENTICAL, rest.compare(others), "what is left");
            equal(size == 1 ? Comparison.IDENTICAL : size == 2 ? both.compare(all) : Comparison.SIMILAR, both.compare(all), "both");
            if (size > 1) {
                equal(Comparison.UNEQUAL, some.compare(all), "a part");
            }
            same(even, some.translate(IntStream.range(0, even.length).toArray(), all), "translated");
            same(others.size() == 0 ? new int[0] : IntStream.range(0, others.size()).map(rank -> -1).toArray(),
                    others.translate(IntStream.range(0, others.size()).toArray(), some), "of others");
            equal(MpiError.RANK, thrown(MpiException.class, () -> all.include(size)).error(), "no such rank");
            equal(MpiError.RANK, thrown(MpiException.class, () -> all.exclude(-1)).error(), "a negative rank");
            try (Group down = all.includeRanges(new RankRange(even[0], 0, -2));
                    Group left = all.excludeRanges(new RankRange(0, size - 1, 2))) {
                equal(List.of(Comparison.IDENTICAL, Comparison.IDENTICAL), List.of(down.compare(some), left.compare(others)), "ranges");
            }
            equal(MpiError.RANK, thrown(MpiException.class, () -> all.includeRanges(new RankRange(0, -1))).error(), "no such range");
            thrown(MpiException.class, () -> all.excludeRanges(new RankRange(0, 0, 0)));
            Optional<Communicator> made = world.create(some);
            equal(inside, made.isPresent(), "in the communicator");
            if (inside) {
                try (Communicator own = made.orElseThrow(); Communicator again = world.createGroup(some, 3)) {
                    equal(some.rank().orElseThrow(), own.rank(), "ranked as the group");
                    equal(IntStream.of(even).boxed().toList(), own.allGather(world.rank()), "its ranks");
                    equal(Comparison.CONGRUENT, own.compare(again), "the same group");
                }
            }
        }
        try (Communicator twin = world.duplicate(); Communicator machine = world.splitSharedMemory(0)) {
            equal(Comparison.CONGRUENT, world.compare(twin), "a duplicate");
            equal(size, machine.size(), "one machine");
            twin.setName("twin \u00e4");
            equal("twin \u00e4", twin.name(), "the name");
        }
        Group closed = world.group();
        closed.close();
        Ranks.closed(closed::size);
    }

    static void aGridKnowsItsPlacesAndNeighbors(Communicator world, Random stream) {
        int[] sizes = world.dimensions(0, 0);
        equal(world.size(), sizes[0] * sizes[1], "all places");
        equal(List.of(1, world.size()), IntStream.of(world.dimensions(1, 0)).boxed().toList(), "a row");
        for (boolean around : new boolean[] {false, true}) {
            try (Cartesian grid = world.cartesian(sizes, around, around).orElseThrow()) {
                same(sizes, grid.sizes(), "sizes");
                equal(List.of(around, around), List.of(grid.periodic()[0], grid.periodic()[1]), "periodic");
                same(new int[] {grid.rank() / sizes[1], grid.rank() % sizes[1]}, grid.coordinates(), "coordinates");
                for (int rank = 0; rank < grid.size(); rank++) {
                    equal(OptionalInt.of(rank), grid.rankOf(grid.coordinatesOf(rank)), "there and back");
                }
                equal(around, grid.rankOf(-1, 0).isPresent(), "beyond the border");
                int[] at = grid.coordinates();
                int[] neighbors = {
                    at(sizes, around, at[0] - 1, at[1]), at(sizes, around, at[0] + 1, at[1]),
                    at(sizes, around, at[0], at[1] - 1), at(sizes, around, at[0], at[1] + 1),
                };
                equal(new Cartesian.Shift(neighbors[0], neighbors[1]), grid.shift(0, 1), "along a column");
                equal(new Cartesian.Shift(neighbors[3], neighbors[2]), grid.shift(1, -1), "back along a row");
                same(neighbors, grid.sources(), "sources");
                same(neighbors, grid.targets(), "targets");

                equal(IntStream.of(neighbors).mapToObj(rank -> rank < 0 ? null : "rank " + rank).toList(),
                        grid.neighborAllGather("rank " + grid.rank()), "texts of neighbors");
                long[] gathered = new long[8];
                Arrays.fill(gathered, -1);
                grid.neighborAllGatherInto(new long[] {grid.rank(), grid.rank() + 5L}, gathered);
                // To each neighbor goes in which direction it is; from the one above comes what it has for the one below.
                List<Integer> sent = IntStream.range(0, 4).mapToObj(direction -> grid.rank() * 4 + direction).toList();
                List<Integer> wanted = IntStream.range(0, 4)
                        .mapToObj(index -> neighbors[index] < 0 ? null : neighbors[index] * 4 + (index ^ 1)).toList();
                equal(wanted, grid.neighborAllToAll(Integer.class, sent), "exchanged");
                double[] swapped = {-1, -1, -1, -1};
                grid.neighborAllToAllInto(sent.stream().mapToDouble(Integer::doubleValue).toArray(), swapped);
                for (int index = 0; index < 4; index++) {
                    equal((long) neighbors[index], gathered[2 * index], "gathered of " + index);
                    equal(neighbors[index] < 0 ? -1.0 : (double) wanted.get(index), swapped[index], "swapped with " + index);
                }
                try (Cartesian twin = grid.duplicate(); Cartesian row = grid.subGrid(false, true)) {
                    same(at, twin.coordinates(), "a twin's place");
                    equal(wanted, twin.neighborAllToAll(Integer.class, sent), "exchanged in the twin");
                    equal(List.of(sizes[1], at[1]), List.of(row.size(), row.rank()), "a row");
                }
                thrown(MpiException.class, () -> grid.subGrid(true));
                thrown(MpiException.class, () -> grid.shift(2, 1));
                thrown(MpiException.class, () -> grid.rankOf(0));
                equal(MpiError.RANK, thrown(MpiException.class, () -> grid.coordinatesOf(grid.size())).error(), "no such place");
                thrown(MpiException.class, () -> grid.neighborAllGatherInto(new int[1], new int[3]));
                thrown(MpiException.class, () -> grid.neighborAllToAllInto(new int[5], new int[4]));
                equal(MpiError.USAGE, thrown(MpiException.class, () -> grid.neighborAllToAll(Integer.class, List.of(1))).error(),
                        "too few for the targets");
            }
        }
        equal(world.rank() == 0, world.cartesian(new int[] {1}, false).isPresent(), "one place");
        thrown(MpiException.class, () -> world.cartesian(new int[] {world.size() + 1}, false));
        equal(MpiError.USAGE, thrown(MpiException.class, () -> world.cartesian(new int[] {world.size()})).error(), "periodic or not");
        equal(MpiError.USAGE, thrown(MpiException.class, () -> world.dimensions(world.size() + 1)).error(), "no multiple");
    }

    static void aGraphHasTheNeighborsThatWereSaid(Communicator world, Random stream) {
        int size = world.size();
        int next = (world.rank() + 1) % size;
        int before = (world.rank() + size - 1) % size;
        try (Graph ring = world.graphAdjacent(new int[] {before}, new int[] {next});
                Graph same = world.graph(Map.of(world.rank(), new int[] {next}), false); Graph twin = ring.duplicate()) {
            for (Graph graph : List.of(ring, same, twin)) {
                same(new int[] {before}, graph.sources(), "sources");
                same(new int[] {next}, graph.targets(), "targets");
                double[] into = new double[3];
                graph.neighborAllGatherInto(new double[] {world.rank(), 0.5, 1.5}, into);
                equal(List.of((double) before, 0.5, 1.5), List.of(into[0], into[1], into[2]), "gathered");
                List<int[]> parts = graph.neighborAllGather(new int[world.rank()]);
                equal(List.of(before, 1), List.of(parts.get(0).length, parts.size()), "as many as its rank");
                equal(List.of("from " + before), graph.neighborAllToAll(String.class, List.of("from " + world.rank())), "a text");
            }
        }
        try (Graph heavy = world.graphAdjacent(new int[] {before}, new int[] {7}, new int[] {next}, new int[] {7}, true)) {
            equal(1, heavy.sources().length, "with weights");
        }
        thrown(MpiException.class, () -> world.graphAdjacent(new int[] {size}, new int[0]));
        thrown(MpiException.class, () -> world.graph(Map.of(size, new int[] {0}), false));
        // What one rank alone gets wrong is told to all.
        thrown(MpiException.class, () -> world.graphAdjacent(world.rank() == 0 ? new int[] {-1} : new int[0], new int[0]));
    }

    private static int at(int[] sizes, boolean around, int row, int column) {
        boolean there = row >= 0 && row < sizes[0] && column >= 0 && column < sizes[1];
        return there || around ? (row + sizes[0]) % sizes[0] * sizes[1] + (column + sizes[1]) % sizes[1] : -1;
    }

    private static void same(int[] expected, int[] found, String what) {
        equal(IntStream.of(expected).boxed().toList(), IntStream.of(found).boxed().toList(), what);
    }
}
