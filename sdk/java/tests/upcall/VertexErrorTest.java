package upcall;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import upcall.testing.HandlerFailedException;
import upcall.testing.VertexHarness;

/** What vertex programs do wrong. */
final class VertexErrorTest {
    private static final String STATE = "java.lang.IllegalStateException";

    private VertexErrorTest() {}

    /** Shows {@code i32}, and does one thing in start or update. */
    private static class Looks implements VertexHandler {
        private final Consumer<Vertex> starts;
        private final Consumer<Vertex> updates;

        Looks(Consumer<Vertex> starts, Consumer<Vertex> updates) {
            this.starts = starts;
            this.updates = updates;
        }

        @Override
        public NumberType shown() {
            return NumberType.I32;
        }

        @Override
        public void start(Vertex vertex, VertexContext context) {
            starts.accept(vertex);
        }

        @Override
        public void update(Vertex vertex, VertexContext context) {
            updates.accept(vertex);
        }
    }

    private static HandlerFailedException failure(Consumer<Vertex> starts, Consumer<Vertex> updates) {
        try (VertexHarness harness = new VertexHarness(new Looks(starts, updates), 3).edge(0, 2).edge(1, 2)) {
            return Check.thrown(HandlerFailedException.class, () -> harness.run(1));
        }
    }

    private static void fails(String type, String message, Consumer<Vertex> updates) {
        HandlerFailedException failed = failure(vertex -> {}, vertex -> {
            if (vertex.id() == 2) {
                updates.accept(vertex);
            }
        });
        Check.equal(type + ": " + message, failed.typeName() + ": " + failed.getMessage(), "the failure");
        Check.equal(2, failed.item(), "the vertex that failed");
        Check.equal(true, failed.handlerStack().contains("VertexErrorTest"), failed.handlerStack());
    }

    static void aNeighbourThatIsNotThereIsAnError() {
        for (int index : new int[] {-1, 2, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            String message = "neighbour " + index + " of vertex 2, which has 2: there is no such neighbour";
            fails("java.lang.IndexOutOfBoundsException", message, vertex -> vertex.incoming().shownInt(index));
            fails("java.lang.IndexOutOfBoundsException", message, vertex -> vertex.incoming().id(index));
            fails("java.lang.IndexOutOfBoundsException", message, vertex -> vertex.incoming().valueInt(index));
        }
    }

    static void whatIsNotDeclaredSaysWhatToDeclare() {
        fails(STATE, "the program has no `own`: to have it, override own() to return its type", vertex -> vertex.setOwnInt(1));
        fails(STATE, "the program has no `edge`: to have it, override edge() to return its type",
                vertex -> vertex.incoming().valueDouble(0));
        String outgoing = "look at outgoing edges, which the program has not said: override outgoing() to return true, or writes() if it "
                + "sets their values";
        fails(STATE, outgoing, vertex -> vertex.outgoing().length());
        fails(STATE, outgoing, vertex -> vertex.outgoing().shownInt(0));
    }

    static void accessorsOfAnotherTypeSayWhichToUse() {
        String message = "`shown` is i32 and not for methods that end with %s: use those that end with Int, or change the type";
        fails(STATE, message.formatted("Double"), vertex -> vertex.incoming().shownDouble(0));
        fails(STATE, message.formatted("Long"), vertex -> vertex.showLong(1));
        fails(STATE, message.formatted("Float"), Vertex::shownFloat);
    }

    static void inStartOnlyTheDegreesOfEdgesAreKnown() {
        String message = "look at neighbours in start: only the degrees are known there; look at them in updates";
        HandlerFailedException failed = failure(vertex -> {
            if (vertex.inDegree() == 2) {
                vertex.incoming().length();
            }
        }, vertex -> {});
        Check.equal(message + ", 2", failed.getMessage() + ", " + failed.item(), "length");
        failed = failure(vertex -> {
            Check.equal(vertex.id() == 2 ? 0L : 1L, vertex.outDegree(), "out of it");
            vertex.showInt(vertex.inDegree() == 2 ? vertex.incoming().shownInt(0) : vertex.incoming().length());
        }, vertex -> {});
        Check.equal(message + ", 2", failed.getMessage() + ", " + failed.item(), "a neighbour");
    }

    static void whatAProgramIsGivenEndsWithTheCall() {
        AtomicReference<Vertex> kept = new AtomicReference<>();
        try (VertexHarness harness = new VertexHarness(new Looks(vertex -> {}, kept::set), 3).edge(0, 2)) {
            harness.run(1);
            String message = "use what a handler is given after its call: it has ended; copy what is to be kept";
            Vertex vertex = kept.get();
            Neighbours incoming = vertex.incoming();
            for (Check.Call call : new Check.Call[] {
                vertex::id, vertex::inDegree, vertex::outDegree, vertex::shownInt, () -> vertex.showInt(1), vertex::schedule,
                incoming::length, () -> incoming.id(0), () -> incoming.shownInt(0), () -> vertex.outgoing().length(),
            }) {
                Check.equal(message, Check.thrown(IllegalStateException.class, call).getMessage(), "kept");
            }
        }
    }

    static void anotherThreadIsRefused() {
        fails(STATE, "use what a handler is given on another thread than its own: copy what is needed there", vertex -> {
            AtomicReference<RuntimeException> thrown = new AtomicReference<>();
            Thread thread = new Thread(() -> {
                try {
                    vertex.incoming().shownInt(0);
                } catch (RuntimeException exception) {
                    thrown.set(exception);
                }
            });
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException exception) {
                throw new AssertionError(exception);
            }
            throw thrown.get();
        });
    }

    /** Looks at vertices that are not there, and keeps what it is given from call to call. */
    private static final class Interval implements IntervalHandler {
        private final Consumer<Vertices> does;
        private final boolean adds;
        private Vertices kept;

        Interval(Consumer<Vertices> does, boolean adds) {
            this.does = does;
            this.adds = adds;
        }

        @Override
        public NumberType shown() {
            return NumberType.F64;
        }

        @Override
        public NumberType own() {
            return NumberType.I32;
        }

        @Override
        public void start(Vertex vertex, VertexContext context) {
            if (kept != null) {
                does.accept(kept);
            }
        }

        @Override
        public void interval(Vertices vertices, VertexContext context) {
            kept = vertices;
            if (adds) {
                context.addResidual(1);
            }
            does.accept(vertices);
        }
    }

    static void aFailedIntervalIsNoVertexInParticular() {
        for (Check.Call call : new Check.Call[] {
            () -> interval("java.lang.IndexOutOfBoundsException: vertex at 3 of 3: there is no such vertex", false, v -> v.at(3)),
            () -> interval("java.lang.IndexOutOfBoundsException: vertex at -1 of 3: there is no such vertex", false, v -> v.at(-1)),
            () -> interval("java.lang.IllegalArgumentException: an array of 2 for 3 vertices: make it as long", false,
                    v -> v.readShown(new double[2])),
            () -> interval(STATE + ": `shown` is f64 and not for methods that end with Int: use those that end with Double, or change "
                    + "the type", false, v -> v.show(new int[3])),
            () -> interval(STATE + ": `own` is i32 and not for methods that end with Long: use those that end with Int, or change "
                    + "the type", false, v -> v.writeOwn(new long[3])),
            () -> interval(STATE + ": add for no vertex: say for which one, by vertices.at(index), before", true, v -> {}),
        }) {
            try {
                call.run();
            } catch (Throwable thrown) {
                throw new AssertionError(thrown);
            }
        }
    }

    private static void interval(String expected, boolean adds, Consumer<Vertices> does) {
        try (VertexHarness harness = new VertexHarness(new Interval(does, adds), 3)) {
            HandlerFailedException failed = Check.thrown(HandlerFailedException.class, () -> harness.run(1));
            Check.equal(expected, failed.typeName() + ": " + failed.getMessage(), "the failure");
            Check.equal(-1, failed.item(), "no vertex");
        }
    }

    static void verticesThatWereKeptHaveNoneInALaterCall() {
        Interval program = new Interval(vertices -> vertices.at(0), false);
        try (VertexHarness harness = new VertexHarness(program, 3)) {
            harness.run(1);
            HandlerFailedException failed = Check.thrown(HandlerFailedException.class, () -> harness.run(1));
            Check.equal("vertex at 0 of 0: there is no such vertex", failed.getMessage(), "in the start of the next run");
        }
    }

    /** Says nothing of what it shows. */
    private static class Mute implements VertexHandler {
        @Override
        public NumberType shown() {
            return null;
        }

        @Override
        public void update(Vertex vertex, VertexContext context) {}
    }

    /** Does not say by what it gathers. */
    private static final class GathersNothing implements GatherHandler {
        @Override
        public NumberType shown() {
            return NumberType.F64;
        }

        @Override
        public Gather gather() {
            return null;
        }

        @Override
        public void apply(Vertex vertex, Gathered gathered, VertexContext context) {}
    }

    /** Has two forms. */
    private static final class Both extends Mute implements IntervalHandler {
        @Override
        public void interval(Vertices vertices, VertexContext context) {}
    }

    static void aProgramThatSaysTooLittleIsRefused() {
        try (VertexHarness harness = new VertexHarness(new Mute(), 1)) {
            Check.failed(STATE, "upcall.VertexErrorTest$Mute does not say what vertices show: shown() returns null; return "
                    + "NumberType.F64, or another type", harness::describe);
        }
        try (VertexHarness harness = new VertexHarness(new GathersNothing(), 1)) {
            Check.failed(STATE, "upcall.VertexErrorTest$GathersNothing does not say by what neighbours are put together: gather() "
                    + "returns null; return Gather.SUM, or another", harness::describe);
        }
        IllegalArgumentException refused = Check.thrown(
                IllegalArgumentException.class, () -> new VertexHarness((VertexHandler) new Both(), 1));
        Check.equal("upcall.VertexErrorTest$Both cannot be a handler: it is VertexHandler and IntervalHandler, which are called in "
                + "different ways; make a class for each", refused.getMessage(), "two forms");
    }

    static void theHarnessChecksItsGraph() {
        try (VertexHarness harness = new VertexHarness(new Looks(vertex -> {}, vertex -> {}), 3)) {
            Check.equal("an edge from 0 to 3: the graph has 3 vertices, whose numbers begin with 0",
                    Check.thrown(IllegalArgumentException.class, () -> harness.edge(0, 3)).getMessage(), "an edge");
            harness.run(1);
            Check.equal("change what has been run: make another harness",
                    Check.thrown(IllegalStateException.class, () -> harness.edge(0, 1)).getMessage(), "too late");
        }
    }
}
