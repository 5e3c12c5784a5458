package upcall;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import upcall.testing.HandlerFailedException;
import upcall.testing.VertexHarness;
import upcall.tests.Ranks;

/** Vertex programs that set the values of edges. */
final class VertexWritesTest {
    private static final String STATE = "java.lang.IllegalStateException: ";

    private VertexWritesTest() {}

    /** What each test says otherwise. */
    private abstract static class Says implements VertexProgram {
        NumberType edge = NumberType.F64;
        boolean writes = true;
        boolean outgoing;
        boolean selective;
        Consumer<Vertex> starts = vertex -> {};

        @Override
        public NumberType own() {
            return NumberType.F64;
        }

        @Override
        public NumberType shown() {
            return NumberType.I32;
        }

        @Override
        public NumberType edge() {
            return edge;
        }

        @Override
        public boolean writes() {
            return writes;
        }

        @Override
        public boolean outgoing() {
            return outgoing;
        }

        @Override
        public boolean selective() {
            return selective;
        }

        @Override
        public void start(Vertex vertex, VertexContext context) {
            starts.accept(vertex);
        }
    }

    /** One by one. */
    private static final class Each extends Says implements VertexHandler {
        private final BiConsumer<Vertex, VertexContext> updates;

        Each(BiConsumer<Vertex, VertexContext> updates) {
            this.updates = updates;
        }

        @Override
        public void update(Vertex vertex, VertexContext context) {
            updates.accept(vertex, context);
        }
    }

    /** With how many neighbours there are. */
    private static final class Counts extends Says implements GatherHandler {
        @Override
        public Gather gather() {
            return Gather.COUNT;
        }

        @Override
        public void apply(Vertex vertex, Gathered gathered, VertexContext context) {
            for (int index = 0; index < vertex.outgoing().length(); index++) {
                vertex.outgoing().setValueDouble(index, vertex.outgoing().valueDouble(index) + 100 * gathered.getDouble());
            }
        }
    }

    /** All at once. */
    private static final class Many extends Says implements IntervalHandler {
        private final Consumer<Vertices> updates;

        Many(Consumer<Vertices> updates) {
            this.updates = updates;
        }

        @Override
        public void interval(Vertices vertices, VertexContext context) {
            updates.accept(vertices);
        }
    }

    /** Two edges from 0 to 1, one from 1 to itself, none from 3. */
    private static VertexHarness small(VertexProgram program) {
        return new VertexHarness(program, 4).edge(0, 1, 5).edge(2, 0, 9).edge(0, 1, 6).edge(1, 1, 7).edge(1, 0, 8).edge(1, 2, 3);
    }

    private static String values(VertexHarness harness) {
        return whole(harness.edges(double[].class));
    }

    private static String whole(double[] values) {
        return Arrays.toString(Arrays.stream(values).mapToLong(value -> (long) value).toArray());
    }

    /** Its neighbours with the values of edges. */
    private static String seen(Vertex vertex) {
        StringBuilder seen = new StringBuilder();
        for (Neighbours side : List.of(vertex.incoming(), vertex.outgoing())) {
            seen.append(side == vertex.incoming() ? "<" : ">");
            for (int index = 0; index < side.length(); index++) {
                seen.append(' ').append(side.id(index)).append(':').append((long) side.valueDouble(index));
            }
        }
        return seen.toString();
    }

    static void whatItSaysIsThatItWrites() {
        try (VertexHarness harness = small(new Each((vertex, context) -> {}))) {
            Check.equal(Set.of("writes"), harness.describe().needs(), "what it needs");
        }
        try (VertexHarness harness = small(new Ranks.Each())) {
            harness.run(1);
            Check.equal("the program does not set values of edges",
                    Check.thrown(IllegalStateException.class, () -> harness.edges(double[].class)).getMessage(), "of one that does not");
        }
    }

    static void ranksThatTravelAsValuesOfEdgesAreTheSameBitsOneIterationLater() {
        int[] sources = new int[4 * VertexTest.MANY];
        int[] targets = new int[sources.length];
        Random random = new Random(5);
        for (int edge = 0; edge < sources.length; edge++) {
            sources[edge] = random.nextInt(VertexTest.MANY - 500);
            targets[edge] = random.nextInt(1 + random.nextInt(VertexTest.MANY));
        }
        for (int iterations : new int[] {0, 1, 10}) {
            double[] expected = VertexTest.plain(sources, targets, 0.85, iterations);
            long[] degrees = new long[VertexTest.MANY];
            Arrays.stream(sources).forEach(source -> degrees[source]++);
            double[] shares = IntStream.range(0, sources.length)
                    .boxed()
                    .sorted(Comparator.comparingInt((Integer edge) -> targets[edge]).thenComparingInt(edge -> sources[edge]))
                    .mapToDouble(edge -> expected[sources[edge]] / degrees[sources[edge]])
                    .toArray();
            for (Ranks ranks : List.of(new Ranks.Edges(), new Ranks.EdgeArrays())) {
                try (VertexHarness harness = new VertexHarness(ranks, VertexTest.MANY)) {
                    for (int edge = 0; edge < sources.length; edge++) {
                        harness.edge(sources[edge], targets[edge]);
                    }
                    harness.run(iterations + 1);
                    String name = ranks.getClass().getSimpleName();
                    Check.equal(true, Arrays.equals(expected, harness.own(double[].class)), name + " is as a plain loop");
                    Check.equal(true, Arrays.equals(shares, harness.edges(double[].class)), name + " of edges");
                }
            }
        }
    }

    static void aValueIsSeenByBothEndsFromTheNextIterationOn() {
        List<String> seen = new ArrayList<>();
        Each each = new Each((vertex, context) -> {
            for (int index = 0; index < vertex.outgoing().length(); index++) {
                vertex.outgoing().setValueDouble(index, 100 * (context.iteration() + 1) + 10 * vertex.id() + index);
            }
            // Still what it was.
            seen.add(seen(vertex));
        });
        try (VertexHarness harness = small(each)) {
            harness.run(1);
            Check.equal(List.of("< 1:8 2:9> 1:5 1:6", "< 0:5 0:6 1:7> 0:8 1:7 2:3", "< 1:3> 0:9", "<>"), seen, "at first");
            Check.equal("[110, 120, 100, 101, 111, 112]", values(harness), "set");
            seen.clear();
            // Again, from the start.
            harness.run(2);
            Check.equal(List.of("< 1:8 2:9> 1:5 1:6", "< 0:5 0:6 1:7> 0:8 1:7 2:3", "< 1:3> 0:9", "<>",
                    "< 1:110 2:120> 1:100 1:101", "< 0:100 0:101 1:111> 0:110 1:111 2:112", "< 1:112> 0:120", "<>"), seen, "and then");
            Check.equal("[210, 220, 200, 201, 211, 212]", values(harness), "set again");
        }
    }

    static void anEdgeWithoutADirectionHasAValueInEach() {
        List<String> seen = new ArrayList<>();
        Each each = new Each((vertex, context) -> {
            for (int index = 0; index < vertex.outgoing().length(); index++) {
                vertex.outgoing().setValueDouble(index, 10 * vertex.id() + index);
            }
            seen.add(seen(vertex));
        });
        try (VertexHarness harness = new VertexHarness(each, 3).undirected().edge(0, 1, 1).edge(1, 2, 2).edge(0, 1, 3).edge(2, 2, 4)) {
            harness.run(2);
            Check.equal("[10, 11, 0, 1, 20, 12, 21]", values(harness), "set");
            Check.equal(List.of("< 1:1 1:3> 1:1 1:3", "< 0:1 0:3 2:2> 0:1 0:3 2:2", "< 1:2 2:4> 1:2 2:4",
                    "< 1:10 1:11> 1:0 1:1", "< 0:0 0:1 2:20> 0:10 0:11 2:12", "< 1:12 2:21> 1:20 2:21"), seen, "seen");
        }
    }

    static void whatIsNotSetStays() {
        Each each = new Each((vertex, context) -> {
            if (context.iteration() == 1 && vertex.id() == 0) {
                vertex.outgoing().setValueDouble(1, -1);
            }
        });
        try (VertexHarness harness = small(each)) {
            harness.run(0);
            Check.equal("[8, 9, 5, 6, 7, 3]", values(harness), "as given");
            harness.run(4);
            Check.equal("[8, 9, 5, -1, 7, 3]", values(harness), "one is set");
        }
    }

    static void whatIsGatheredMayBeSet() {
        try (VertexHarness harness = small(new Counts())) {
            harness.run(1);
            Check.equal("[308, 109, 205, 206, 307, 303]", values(harness), "set");
        }
    }

    static void whoIsAtTheOtherEndOfAChangedValueIsUpdated() {
        // Distances that edges carry: 0 has not been told of any.
        Each tells = new Each((vertex, context) -> {
            double nearest = vertex.id() == 0 ? 0 : Double.POSITIVE_INFINITY;
            for (int index = 0; index < vertex.incoming().length(); index++) {
                double told = vertex.incoming().valueDouble(index);
                nearest = told == 0 ? nearest : Math.min(nearest, told);
            }
            for (int index = 0; index < vertex.outgoing().length(); index++) {
                vertex.outgoing().setValueDouble(index, nearest + 1);
            }
            vertex.setOwnDouble(nearest);
        });
        tells.selective = true;
        tells.starts = vertex -> {
            if (vertex.id() == 0) {
                vertex.schedule();
            }
        };
        try (VertexHarness harness = new VertexHarness(tells, 12)) {
            harness.edge(0, 4).edge(4, 9).edge(9, 2).edge(0, 2).edge(2, 0).edge(2, 11).edge(3, 4);
            List<Long> updated = harness.run().stream().map(Iteration::updated).toList();
            Check.equal("[0, 0, 1, 0, 1, 0, 0, 0, 0, 2, 0, 2]", whole(harness.own(double[].class)), "distances");
            Check.equal("[2, 1, 3, 1, 0, 2, 2]", values(harness), "told");
            // 0; 2 and 4; 0, 9 and 11; 2, which 9 tells of another way; and nobody, as a value that is as it was wakes nobody.
            Check.equal(List.of(1L, 2L, 3L, 1L), updated, "updated");
        }
    }

    static void onlyWhoLooksOutIsWokenByOutgoingNeighboursToo() {
        for (boolean outgoing : new boolean[] {false, true}) {
            Each shows = new Each((vertex, context) -> vertex.showInt(1));
            shows.selective = true;
            shows.outgoing = outgoing;
            shows.starts = vertex -> {
                if (vertex.id() == 0) {
                    vertex.schedule();
                }
            };
            try (VertexHarness harness = new VertexHarness(shows, 3).edge(1, 0).edge(0, 2)) {
                List<Long> updated = harness.run().stream().map(Iteration::updated).toList();
                Check.equal(outgoing ? List.of(1L, 2L, 1L) : List.of(1L, 1L), updated, "updated");
            }
        }
    }

    static void numbersOfEachTypeAreSet() {
        for (NumberType type : NumberType.values()) {
            Each each = new Each((vertex, context) -> {
                Neighbours outgoing = vertex.outgoing();
                for (int index = 0; index < outgoing.length(); index++) {
                    int number = (int) (10 * vertex.id() + index);
                    switch (type.kind) {
                        case NumberType.Kind.FLOAT -> outgoing.setValueFloat(index, number);
                        case NumberType.Kind.DOUBLE -> outgoing.setValueDouble(index, number);
                        case NumberType.Kind.INT -> outgoing.setValueInt(index, number);
                        default -> outgoing.setValueLong(index, number);
                    }
                }
            });
            each.edge = type;
            // All of them negated, as they were.
            Many many = new Many(vertices -> {
                Object values = java.lang.reflect.Array.newInstance(NumberArrays.element(type.kind), vertices.nextValues() + 1);
                if (values instanceof float[] floats) {
                    vertices.readNextValues(floats);
                    IntStream.range(0, floats.length).forEach(index -> floats[index] *= -1);
                    vertices.writeNextValues(floats);
                } else if (values instanceof double[] doubles) {
                    vertices.readNextValues(doubles);
                    Arrays.setAll(doubles, index -> -doubles[index]);
                    vertices.writeNextValues(doubles);
                } else if (values instanceof int[] ints) {
                    vertices.readNextValues(ints);
                    Arrays.setAll(ints, index -> -ints[index]);
                    vertices.writeNextValues(ints);
                } else if (values instanceof long[] longs) {
                    vertices.readNextValues(longs);
                    Arrays.setAll(longs, index -> -longs[index]);
                    vertices.writeNextValues(longs);
                }
            });
            many.edge = type;
            for (Says program : List.of(each, many)) {
                try (VertexHarness harness = small(program)) {
                    harness.run(1);
                    Object edges = harness.edges(Object.class);
                    List<Long> found = IntStream.range(0, 6)
                            .mapToObj(edge -> ((Number) java.lang.reflect.Array.get(edges, edge)).longValue())
                            .toList();
                    Check.equal(program == each ? List.of(10L, 20L, 0L, 1L, 11L, 12L) : List.of(-8L, -9L, -5L, -6L, -7L, -3L), found,
                            "set as " + type);
                }
            }
        }
    }

    static void valuesOfAnIntervalLieCloseWhateverVerticesItHas() {
        Many many = new Many(vertices -> {
            // Those of vertex 0 and of vertex 2, without those of vertex 1 between them.
            double[] next = new double[vertices.nextValues()];
            vertices.readNextValues(next);
            Check.equal("2 [5, 6, 9]", vertices.count() + " " + whole(next), "of the interval");
            next[1] = 60;
            vertices.writeNextValues(next);
            // In any order.
            vertices.at(1).outgoing().setValueDouble(0, 90);
            vertices.at(0).outgoing().setValueDouble(0, 50);
        });
        many.selective = true;
        many.starts = vertex -> {
            if (vertex.id() % 2 == 0) {
                vertex.schedule();
            }
        };
        try (VertexHarness harness = small(many)) {
            Check.equal(2L, harness.run(1).get(0).scheduled(), "scheduled");
            Check.equal("[8, 90, 50, 60, 7, 3]", values(harness), "set");
        }
    }

    private static HandlerFailedException failure(Says program) {
        try (VertexHarness harness = small(program)) {
            return Check.thrown(HandlerFailedException.class, () -> harness.run(1));
        }
    }

    private static void fails(String message, boolean writes, Consumer<Vertex> updates) {
        Each each = new Each((vertex, context) -> {
            if (vertex.id() == 1) {
                updates.accept(vertex);
            }
        });
        each.writes = writes;
        HandlerFailedException failed = failure(each);
        Check.equal(message + ", 1", failed.typeName() + ": " + failed.getMessage() + ", " + failed.item(), "the failure");
    }

    static void whatCannotBeSetIsAnErrorThatNamesTheVertex() {
        for (int index : new int[] {-1, 3, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            fails("java.lang.IndexOutOfBoundsException: neighbour " + index + " of vertex 1, which has 3: there is no such neighbour", true,
                    vertex -> vertex.outgoing().setValueDouble(index, 1));
        }
        fails(STATE + "set the value of an incoming edge: values are set on outgoing edges", true,
                vertex -> vertex.incoming().setValueDouble(0, 1));
        fails(STATE + "set values of edges, which the program has not said: override writes() to return true", false,
                vertex -> vertex.outgoing().setValueDouble(0, 1));
        fails(STATE + "`edge` is f64 and not for methods that end with Int: use those that end with Double, or change the type", true,
                vertex -> vertex.outgoing().setValueInt(0, 1));
        Each each = new Each((vertex, context) -> {});
        each.starts = vertex -> vertex.outgoing().setValueDouble(0, 1);
        Check.equal("set values of edges in start: set them in updates", failure(each).getMessage(), "at the start");
    }

    static void anIntervalSetsOnlyWhatItDeclares() {
        Many many = new Many(vertices -> vertices.writeNextValues(new double[6]));
        many.writes = false;
        Check.equal("set values of edges, which the program has not said: override writes() to return true", failure(many).getMessage(),
                "undeclared");
        many = new Many(vertices -> vertices.writeNextValues(new double[5]));
        Check.equal("an array of 5 for the values of 6 edges: make it as long", failure(many).getMessage(), "short");
        many = new Many(vertices -> vertices.readNextValues(new float[6]));
        Check.equal("`edge` is f64 and not for methods that end with Float: use those that end with Double, or change the type",
                failure(many).getMessage(), "another type");
    }

    static void whatIsKeptSetsNothing() {
        AtomicReference<Vertex> kept = new AtomicReference<>();
        AtomicReference<Vertices> all = new AtomicReference<>();
        try (VertexHarness harness = small(new Each((vertex, context) -> kept.set(vertex)));
                VertexHarness interval = small(new Many(all::set))) {
            harness.run(1);
            interval.run(1);
            String message = "use what a handler is given after its call: it has ended; copy what is to be kept";
            for (Check.Call call : new Check.Call[] {
                () -> kept.get().outgoing().setValueDouble(0, 1), () -> kept.get().incoming().setValueDouble(0, 1),
                () -> all.get().writeNextValues(new double[6]), () -> all.get().nextValues(),
            }) {
                Check.equal(message, Check.thrown(IllegalStateException.class, call).getMessage(), "kept");
            }
        }
    }

    static void whoWritesValuesDeclaresTheirType() {
        Each each = new Each((vertex, context) -> {});
        each.edge = null;
        try (VertexHarness harness = new VertexHarness(each, 1)) {
            Check.failed("java.lang.IllegalStateException", "upcall.VertexWritesTest$Each writes values of edges: declare their type, "
                    + "override edge() to return it", harness::describe);
        }
    }
}
