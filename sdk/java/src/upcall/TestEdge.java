package upcall;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * An edge of a graph in a test harness.
 *
 * @param source where it comes from
 * @param target where it goes to
 * @param value its value; null for none
 */
public record TestEdge(int source, int target, Number value) {
    /** Edges by one of their ends, in native memory, as a graph's file has them. */
    static final class Side {
        final int count;
        private final int[] begins;
        private final int[] ends;
        private final long offsets;
        private final long ids;
        private final TestCells values;
        private final long places;

        /** Those that come in, in whose order values are. */
        static Side incoming(Blocks blocks, List<TestEdge> edges, int vertices, NumberType type) {
            return of(blocks, edges, TestEdge::target, TestEdge::source, vertices, type);
        }

        /** Those that go out, in whose order values are that a program sets. */
        static Side outgoing(Blocks blocks, List<TestEdge> edges, int vertices, NumberType type) {
            return of(blocks, edges, TestEdge::source, TestEdge::target, vertices, type);
        }

        private static Side of(
                Blocks blocks,
                List<TestEdge> edges,
                ToIntFunction<TestEdge> by,
                ToIntFunction<TestEdge> other,
                int vertices,
                NumberType type) {
            List<TestEdge> sorted = edges.stream()
                    .sorted(Comparator.comparingInt(by).thenComparingInt(other))
                    .toList();
            TestCells values = TestCells.of(blocks, type, sorted.size());
            for (int index = 0; type != null && index < sorted.size(); index++) {
                Number value = sorted.get(index).value;
                values.put(index, TestCells.bitsOf(type, value == null ? 0 : value));
            }
            int[] ids = sorted.stream().mapToInt(other).toArray();
            return new Side(blocks, sorted.stream().mapToInt(by).toArray(), ids, vertices, values, null);
        }

        /** The same edges by their other ends: their values are where these have them. */
        Side turned(Blocks blocks, int vertices) {
            int[] order = IntStream.range(0, count)
                    .boxed()
                    .sorted(Comparator.comparingInt((Integer edge) -> ends[edge]).thenComparingInt(edge -> begins[edge]))
                    .mapToInt(edge -> edge)
                    .toArray();
            int[] from = IntStream.of(order).map(edge -> ends[edge]).toArray();
            int[] to = IntStream.of(order).map(edge -> begins[edge]).toArray();
            return new Side(blocks, from, to, vertices, values, order);
        }

        /** Each edge at {@code by}, in ascending order, with its other end. */
        private Side(Blocks blocks, int[] by, int[] others, int vertices, TestCells values, int[] order) {
            begins = by;
            ends = others;
            count = by.length;
            this.values = values;
            offsets = blocks.of(8L * (vertices + 1));
            int edge = 0;
            for (int vertex = 0; vertex < vertices; vertex++) {
                while (edge < count && by[edge] == vertex) {
                    edge++;
                }
                Memory.putLong(offsets + 8L * (vertex + 1), edge);
            }
            ids = blocks.of(4L * count);
            places = order == null ? 0 : blocks.of(8L * count);
            for (edge = 0; edge < count; edge++) {
                Memory.putInt(ids + 4L * edge, others[edge]);
                if (order != null) {
                    Memory.putLong(places + 8L * edge, order[edge]);
                }
            }
        }

        int begin(int vertex) {
            return (int) Memory.getLong(offsets + 8L * vertex);
        }

        int end(int vertex) {
            return begin(vertex + 1);
        }

        /** The other end of an edge. */
        int other(int edge) {
            return ends[edge];
        }

        /** Where the value of an edge is among {@link #values}. */
        long place(int edge) {
            return places == 0 ? edge : Memory.getLong(places + 8L * edge);
        }

        /** The values of edges, in the order of those that have no places. */
        TestCells values() {
            return values;
        }

        /** Makes a frame's edges those of these vertices. */
        void fill(Blocks call, long edges, int[] vertices, boolean degreesOnly) {
            long places = call.of(8L * vertices.length);
            long behind = call.of(8L * vertices.length);
            for (int index = 0; index < vertices.length; index++) {
                Memory.putLong(places + 8L * index, begin(vertices[index]));
                Memory.putLong(behind + 8L * index, end(vertices[index]));
            }
            Blocks.slice(edges + Abi.Edges.BEGINS, places, vertices.length);
            Blocks.slice(edges + Abi.Edges.ENDS, behind, vertices.length);
            if (degreesOnly) {
                return;
            }
            Blocks.slice(edges + Abi.Edges.IDS, ids, count);
            Blocks.slice(edges + Abi.Edges.AT, ids, count);
            if (values.type() != null) {
                Blocks.slice(edges + Abi.Edges.VALUES, values.at(), count * NumberType.bytesOf(values.type()));
                Blocks.slice(edges + Abi.Edges.PLACES, this.places, this.places == 0 ? 0 : count);
            }
        }
    }
}
