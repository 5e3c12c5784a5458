package upcall;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import upcall.testing.Described;
import upcall.testing.VertexHarness;
import upcall.tests.Ranks;

/** Vertex programs in a harness. */
final class VertexTest {
    /** More than the vertices of a frame, which are 2,048. */
    static final int MANY = 5000;

    private VertexTest() {}

    /** A program whose update is a lambda. */
    private static class Does implements VertexHandler {
        NumberType own;
        NumberType shown = NumberType.I64;
        NumberType edge;
        boolean outgoing;
        boolean selective;
        BiConsumer<Vertex, VertexContext> starts = (vertex, context) -> {};
        BiConsumer<Vertex, VertexContext> updates = (vertex, context) -> {};

        @Override
        public NumberType own() {
            return own;
        }

        @Override
        public NumberType shown() {
            return shown;
        }

        @Override
        public NumberType edge() {
            return edge;
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
            starts.accept(vertex, context);
        }

        @Override
        public void update(Vertex vertex, VertexContext context) {
            updates.accept(vertex, context);
        }
    }

    /** What is gathered becomes what is shown and kept. */
    private record Gathers(Gather gather, NumberType shown, NumberType own) implements GatherHandler {
        @Override
        public void start(Vertex vertex, VertexContext context) {
            long number = vertex.id() - 1;
            switch (shown) {
                case F32 -> vertex.showFloat(number);
                case F64 -> vertex.showDouble(number);
                case I32, U32 -> vertex.showInt((int) number);
                case I64, U64 -> vertex.showLong(number);
            }
        }

        @Override
        public void apply(Vertex vertex, Gathered gathered, VertexContext context) {
            switch (own) {
                case F32 -> vertex.setOwnFloat(gathered.getFloat());
                case F64 -> vertex.setOwnDouble(gathered.getDouble());
                case I32, U32 -> vertex.setOwnInt(gathered.getInt());
                case I64, U64 -> vertex.setOwnLong(gathered.getLong());
            }
        }
    }

    /** Shows the least vertex of each one's component. */
    private static Does components() {
        Does does = new Does();
        does.shown = NumberType.U64;
        does.outgoing = true;
        does.selective = true;
        does.starts = (vertex, context) -> {
            vertex.showLong(vertex.id());
            vertex.schedule();
        };
        does.updates = (vertex, context) -> {
            long least = least(vertex.incoming(), vertex.shownLong());
            vertex.showLong(context.directed() ? least(vertex.outgoing(), least) : least);
        };
        return does;
    }

    private static long least(Neighbours neighbours, long of) {
        long least = of;
        for (int index = 0; index < neighbours.length(); index++) {
            least = Math.min(least, neighbours.shownLong(index));
        }
        return least;
    }

    /** Two edges from 0 to 1, one of them on to 2 and back. */
    private static VertexHarness small(VertexProgram program) {
        return new VertexHarness(program, 3).edge(0, 1, 10).edge(0, 1, 11).edge(1, 2, 12).edge(2, 1, 13);
    }

    static void aProgramSaysWhatItIs() {
        Does does = components();
        does.edge = NumberType.F32;
        does.own = NumberType.U32;
        try (VertexHarness harness = small(does)) {
            Described described = harness.describe();
            Check.equal("VERTEX vertex", described.kind() + " " + described.form(), "the form");
            Check.equal(Map.of("own", "u32", "shown", "u64", "edge", "f32"), described.values(), "the values");
            Check.equal(Set.of("outgoing", "selective"), described.needs(), "what it needs");
            Check.equal("", described.gather(), "nothing is gathered");
        }
        try (VertexHarness harness = small(new Gathers(Gather.MAX, NumberType.I32, NumberType.I32))) {
            Check.equal("gather max", harness.describe().form() + " " + harness.describe().gather(), "what is gathered");
            Check.equal(Set.of(), harness.describe().needs(), "needs nothing");
        }
        try (VertexHarness harness = small(new Ranks.Arrays())) {
            Check.equal("interval", harness.describe().form(), "the form");
        }
    }

    static void allFormsComeToTheBitsOfAPlainLoop() {
        int[] sources = new int[4 * MANY];
        int[] targets = new int[sources.length];
        Random random = new Random(3);
        for (int edge = 0; edge < sources.length; edge++) {
            // Some vertices have no outgoing edges, and some many incoming ones.
            sources[edge] = random.nextInt(MANY - 500);
            targets[edge] = random.nextInt(1 + random.nextInt(MANY));
        }
        double[] expected = plain(sources, targets, 0.9, 20);
        for (Ranks ranks : List.of(new Ranks.Each(), new Ranks.Sums(), new Ranks.Arrays())) {
            try (VertexHarness harness = new VertexHarness(ranks, MANY).setting("damping", "0.9").setting("tolerance", "0")) {
                for (int edge = 0; edge < sources.length; edge++) {
                    harness.edge(sources[edge], targets[edge]);
                }
                Check.equal(20, harness.run(20).size(), "iterations");
                String name = ranks.getClass().getSimpleName();
                Check.equal(true, Arrays.equals(expected, harness.own(double[].class)), name + " is as a plain loop");
                Check.equal("5000 vertices, 20000 edges, directed", harness.logged().get(0).text(), "logged");
                // Again from the start.
                harness.run(20);
                Check.equal(true, Arrays.equals(expected, harness.own(double[].class)), name + " again");
            }
        }
    }

    /** Ranks after so many iterations. */
    static double[] plain(int[] sources, int[] targets, double damping, int iterations) {
        Integer[] order = new Integer[sources.length];
        Arrays.setAll(order, edge -> edge);
        Arrays.sort(order, (one, other) -> Integer.compare(sources[one], sources[other]));
        int[] degrees = new int[MANY];
        Arrays.stream(sources).forEach(source -> degrees[source]++);
        double[] ranks = new double[MANY];
        Arrays.fill(ranks, 1.0 / MANY);
        for (int iteration = 0; iteration < iterations; iteration++) {
            double total = 0;
            for (int block = 0; block < MANY; block += 1024) {
                double dangling = 0;
                for (int vertex = block; vertex < Math.min(block + 1024, MANY); vertex++) {
                    dangling += degrees[vertex] == 0 ? ranks[vertex] : 0;
                }
                total += dangling;
            }
            double[] sums = new double[MANY];
            for (int edge : order) {
                sums[targets[edge]] += ranks[sources[edge]] / degrees[sources[edge]];
            }
            for (int vertex = 0; vertex < MANY; vertex++) {
                ranks[vertex] = (1.0 - damping + damping * total) * (1.0 / MANY) + damping * sums[vertex];
            }
        }
        return ranks;
    }

    static void theLastIterationIsTheOneThatTheProgramEnds() {
        try (VertexHarness harness = small(new Ranks.Each()).setting("tolerance", "1e-3")) {
            List<Iteration> iterations = harness.run();
            Iteration last = iterations.get(iterations.size() - 1);
            Check.equal(true, last.residual() <= 1e-3, "the residual");
            Check.equal(true, iterations.get(iterations.size() - 2).residual() > 1e-3, "the one before");
            Check.equal(iterations.size() - 1L, last.number(), "its number");
            Check.equal(3L, last.updated(), "all are updated");
        }
    }

    static void onlyThoseThatSeeAChangeAreUpdated() {
        try (VertexHarness harness = new VertexHarness(components(), 6).edge(1, 0).edge(2, 1).edge(4, 5)) {
            List<Long> updated = harness.run().stream().map(Iteration::updated).toList();
            Check.equal("[0, 0, 0, 3, 4, 4]", Arrays.toString(harness.shown(long[].class)), "components");
            // 1, 2 and 5 change, then 2, and each time those beside them look.
            Check.equal(List.of(6L, 4L, 1L), updated, "updated");
        }
        try (VertexHarness harness = new VertexHarness(components(), MANY).undirected()) {
            for (int vertex = 1; vertex < MANY; vertex++) {
                harness.edge(vertex, vertex / 2);
            }
            harness.run();
            Check.equal(0L, Arrays.stream(harness.shown(long[].class)).max().getAsLong(), "a tree is one component");
        }
    }

    static void theExampleOfTheReadmeFindsTheLargest() {
        Does does = new Does();
        does.selective = true;
        does.starts = (vertex, context) -> {
            vertex.showLong(vertex.id());
            vertex.schedule();
        };
        does.updates = (vertex, context) -> {
            long largest = vertex.shownLong();
            Neighbours incoming = vertex.incoming();
            for (int index = 0; index < incoming.length(); index++) {
                largest = Math.max(largest, incoming.shownLong(index));
            }
            vertex.showLong(largest);
        };
        try (VertexHarness harness = new VertexHarness(does, 4).edge(0, 1).edge(1, 2).edge(3, 1)) {
            harness.run();
            Check.equal("[0, 3, 3, 3]", Arrays.toString(harness.shown(long[].class)), "the largest");
        }
    }

    static void aGraphMayHaveNoVertices() {
        try (VertexHarness harness = new VertexHarness(new Ranks.Arrays(), 0)) {
            Check.equal(1, harness.run().size(), "an iteration of none");
        }
        Check.equal("a graph of -1 vertices: it has none or more",
                Check.thrown(IllegalArgumentException.class, () -> new VertexHarness(new Ranks.Each(), -1)).getMessage(), "less");
    }

    static void valuesOfEdgesAreThoseOfTheEdgeInBothDirections() {
        Does does = new Does();
        does.edge = NumberType.F64;
        does.own = NumberType.F64;
        does.outgoing = true;
        List<String> seen = new ArrayList<>();
        does.updates = (vertex, context) -> {
            for (Neighbours side : List.of(vertex.incoming(), vertex.outgoing())) {
                StringBuilder text = new StringBuilder();
                for (int index = 0; index < side.length(); index++) {
                    text.append(side.id(index)).append(':').append((int) side.valueDouble(index)).append(' ');
                }
                seen.add(text.toString().trim());
            }
            vertex.setOwnDouble(vertex.inDegree() * 10 + vertex.outDegree());
        };
        try (VertexHarness harness = small(does)) {
            harness.run(1);
            Check.equal(List.of("", "1:10 1:11", "0:10 0:11 2:13", "2:12", "1:12", "1:13"), seen, "edges");
            Check.equal("[2.0, 31.0, 11.0]", Arrays.toString(harness.own(double[].class)), "degrees");
        }
    }

    static void numbersOfEachTypeAreKeptShownAndRead() {
        for (NumberType type : NumberType.values()) {
            Does does = new Does();
            does.own = type;
            does.shown = type;
            does.edge = type;
            does.starts = (vertex, context) -> {
                Check.equal(0.0, shown(vertex, type), "nothing is shown before");
                show(vertex, type, vertex.id() + 1);
            };
            does.updates = (vertex, context) -> {
                double sum = own(vertex, type) + shown(vertex, type);
                for (int index = 0; index < vertex.incoming().length(); index++) {
                    sum += shown(vertex.incoming(), index, type) * value(vertex.incoming(), index, type);
                }
                setOwn(vertex, type, (long) sum);
                show(vertex, type, (long) shown(vertex, type) * 2);
            };
            try (VertexHarness harness = small(does)) {
                harness.run(2);
                Check.equal("[3, 186, 81]", whole(harness, type, true), "kept " + type);
                Check.equal("[4, 8, 12]", whole(harness, type, false), "shown " + type);
            }
        }
    }

    /** What vertices have, as whole numbers. */
    private static String whole(VertexHarness harness, NumberType type, boolean own) {
        Class<?> array = NumberArrays.element(type.kind).arrayType();
        Object found = own ? harness.own(array) : harness.shown(array);
        return found instanceof float[] floats ? Arrays.toString(new long[] {(long) floats[0], (long) floats[1], (long) floats[2]})
                : found instanceof double[] doubles ? Arrays.toString(Arrays.stream(doubles).mapToLong(number -> (long) number).toArray())
                : found instanceof int[] ints ? Arrays.toString(ints)
                : Arrays.toString((long[]) found);
    }

    private static double own(Vertex vertex, NumberType type) {
        return switch (type.kind) {
            case NumberType.Kind.FLOAT -> vertex.ownFloat();
            case NumberType.Kind.DOUBLE -> vertex.ownDouble();
            case NumberType.Kind.INT -> vertex.ownInt();
            default -> vertex.ownLong();
        };
    }

    private static void setOwn(Vertex vertex, NumberType type, long number) {
        switch (type.kind) {
            case NumberType.Kind.FLOAT -> vertex.setOwnFloat(number);
            case NumberType.Kind.DOUBLE -> vertex.setOwnDouble(number);
            case NumberType.Kind.INT -> vertex.setOwnInt((int) number);
            default -> vertex.setOwnLong(number);
        }
    }

    private static double shown(Vertex vertex, NumberType type) {
        return switch (type.kind) {
            case NumberType.Kind.FLOAT -> vertex.shownFloat();
            case NumberType.Kind.DOUBLE -> vertex.shownDouble();
            case NumberType.Kind.INT -> vertex.shownInt();
            default -> vertex.shownLong();
        };
    }

    private static void show(Vertex vertex, NumberType type, long number) {
        switch (type.kind) {
            case NumberType.Kind.FLOAT -> vertex.showFloat(number);
            case NumberType.Kind.DOUBLE -> vertex.showDouble(number);
            case NumberType.Kind.INT -> vertex.showInt((int) number);
            default -> vertex.showLong(number);
        }
    }

    private static double shown(Neighbours neighbours, int index, NumberType type) {
        return switch (type.kind) {
            case NumberType.Kind.FLOAT -> neighbours.shownFloat(index);
            case NumberType.Kind.DOUBLE -> neighbours.shownDouble(index);
            case NumberType.Kind.INT -> neighbours.shownInt(index);
            default -> neighbours.shownLong(index);
        };
    }

    private static double value(Neighbours neighbours, int index, NumberType type) {
        return switch (type.kind) {
            case NumberType.Kind.FLOAT -> neighbours.valueFloat(index);
            case NumberType.Kind.DOUBLE -> neighbours.valueDouble(index);
            case NumberType.Kind.INT -> neighbours.valueInt(index);
            default -> neighbours.valueLong(index);
        };
    }

    static void whatIsGatheredIsOfTheTypeThatIsSaid() {
        // Vertices show -1, 0 and 1, where a number has a sign.
        for (NumberType type : NumberType.values()) {
            boolean signed = type != NumberType.U32 && type != NumberType.U64;
            if (signed) {
                gathers(new Gathers(Gather.SUM, type, NumberType.F64), "[0, -1, 0]");
            }
            gathers(new Gathers(Gather.COUNT, type, NumberType.F64), "[0, 3, 1]");
            String least = type == NumberType.U32 || type == NumberType.U64 ? "1" : "-1";
            String none = switch (type) {
                case F32, F64, I64 -> "9223372036854775807";
                case I32 -> "2147483647";
                case U32, U64 -> "-1";
            };
            gathers(new Gathers(Gather.MIN, type, type), "[" + none + ", " + least + ", 0]");
            String nothing = switch (type) {
                case F32, F64, I64 -> "-9223372036854775808";
                case I32 -> "-2147483648";
                case U32, U64 -> "0";
            };
            gathers(new Gathers(Gather.MAX, type, type), "[" + nothing + ", " + (signed ? "1" : "-1") + ", 0]");
        }
        try (VertexHarness harness = small(new Gathers(Gather.COUNT, NumberType.I32, NumberType.I32))) {
            Check.failed("java.lang.IllegalStateException",
                    "`gathered` is f64 and not for methods that end with Int: use those that end with Double, or change the type",
                    () -> harness.run(1));
        }
    }

    private static void gathers(Gathers program, String expected) {
        try (VertexHarness harness = small(program)) {
            harness.run(1);
            Check.equal(expected, whole(harness, program.own(), true), program.toString());
        }
    }

    static void verticesAreScheduledByOthers() {
        Does does = new Does();
        does.selective = true;
        does.starts = (vertex, context) -> {
            if (vertex.id() == 2) {
                vertex.schedule();
            }
        };
        does.updates = (vertex, context) -> {
            vertex.showLong(vertex.shownLong());
            // More often than there is room for.
            for (int time = 0; time < 100; time++) {
                vertex.schedule(MANY - 1 - vertex.id());
                vertex.schedule(vertex.id());
            }
        };
        try (VertexHarness harness = new VertexHarness(does, MANY).edge(0, 1)) {
            List<Long> updated = harness.run(3).stream().map(Iteration::updated).toList();
            Check.equal(List.of(1L, 2L, 2L), updated, "updated");
        }
        does.updates = (vertex, context) -> vertex.schedule(MANY);
        try (VertexHarness harness = new VertexHarness(does, MANY)) {
            Check.failed("java.lang.IllegalArgumentException",
                    "schedule vertex 5000: the graph has 5000 vertices, whose numbers begin with 0", () -> harness.run(1));
        }
    }

    static void zeroIsWhatAProgramWithoutAStartBeginsWith() {
        Does does = new Does();
        does.own = NumberType.F64;
        try (VertexHarness harness = small(does)) {
            harness.run(0);
            Check.equal("[0, 0, 0]", Arrays.toString(harness.shown(long[].class)), "shown");
            Check.equal("[0.0, 0.0, 0.0]", Arrays.toString(harness.own(double[].class)), "kept");
        }
    }
}
