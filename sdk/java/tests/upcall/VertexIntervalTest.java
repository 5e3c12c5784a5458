package upcall;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import upcall.testing.HandlerFailedException;
import upcall.testing.VertexHarness;

/** What vertex programs are told of intervals, and intervals that are updated again. */
final class VertexIntervalTest {
    private VertexIntervalTest() {}

    /** Mixes what neighbours show, so that it matters when; each interval is updated so many times. */
    private static final class Mixes implements VertexHandler {
        private final int times;
        private final List<String> told = new ArrayList<>();

        // The hook that fails in iteration 2.
        private final String fails;

        private Interval now;

        Mixes(int times, String fails) {
            this.times = times;
            this.fails = fails;
        }

        private static long mixed(long all, long one) {
            return (all * 31 + one) % 1_000_003;
        }

        @Override
        public NumberType shown() {
            return NumberType.I64;
        }

        @Override
        public NumberType own() {
            return NumberType.I64;
        }

        @Override
        public void start(Vertex vertex, VertexContext context) {
            vertex.showLong(vertex.id());
        }

        @Override
        public void beforeIteration(long iteration, double total) {
            told.add("before iteration " + iteration + ": " + total);
        }

        @Override
        public void beforeInterval(Interval interval) {
            tell("before", interval);
            now = interval;
        }

        @Override
        public void update(Vertex vertex, VertexContext context) {
            told.add("" + vertex.id());
            Check.equal(true, now.iteration() == context.iteration() && now.first() <= vertex.id() && vertex.id() < now.end(), "told");
            vertex.setOwnLong(vertex.ownLong() * 10 + now.pass() + 1);
            context.addResidual(1);
            context.addTotal(vertex.id());
            long shown = vertex.shownLong();
            Neighbours incoming = vertex.incoming();
            for (int index = 0; index < incoming.length(); index++) {
                shown = mixed(shown, incoming.shownLong(index));
            }
            vertex.showLong(shown);
        }

        @Override
        public void afterInterval(Interval interval) {
            tell("after", interval);
        }

        @Override
        public boolean repeatUpdates(Interval interval) {
            tell("again?", interval);
            return interval.pass() + 1 < times;
        }

        @Override
        public boolean afterIteration(Iteration done) {
            told.add("after iteration " + done.number() + ": " + done.updated() + " " + done.scheduled() + " " + done.residual() + " "
                    + done.total());
            return false;
        }

        private void tell(String what, Interval interval) {
            told.add(what + " " + interval.iteration() + " " + interval.first() + ".." + interval.end() + " " + interval.pass() + ": "
                    + interval.updated() + " " + interval.residual() + " " + interval.total());
            if (what.equals(fails) && interval.iteration() == 2) {
                throw new IllegalStateException(what + ": not today");
            }
        }
    }

    static void aProgramIsToldOfAnIntervalBeforeAndAfterEachPass() {
        Mixes program = new Mixes(2, null);
        try (VertexHarness harness = new VertexHarness(program, 5).edge(0, 1)) {
            List<Iteration> iterations = harness.run(2);
            List<String> wanted = new ArrayList<>();
            for (int iteration = 0; iteration < 2; iteration++) {
                wanted.add("before iteration " + iteration + ": " + iteration * 10.0);
                for (int pass = 0; pass < 2; pass++) {
                    String which = iteration + " 0..5 " + pass;
                    wanted.add("before " + which + ": 0 0.0 0.0");
                    wanted.addAll(List.of("0", "1", "2", "3", "4"));
                    wanted.add("after " + which + ": 5 5.0 10.0");
                    wanted.add("again? " + which + ": 5 5.0 10.0");
                }
                // Each vertex is counted as often as it was updated, and adds once.
                wanted.add("after iteration " + iteration + ": 10 5 5.0 10.0");
            }
            Check.equal(String.join("\n", wanted), String.join("\n", program.told), "what it is told");
            Check.equal(new Iteration(1, 10, 5, 5, 10), iterations.get(1), "the second iteration");
        }
    }

    static void itIsToldOnceOfVerticesThatAreMoreThanAFrameHas() {
        Mixes program = new Mixes(2, null);
        try (VertexHarness harness = new VertexHarness(program, 5000)) {
            harness.run(1);
            program.told.removeIf(line -> !line.startsWith("before"));
            Check.equal("[before iteration 0: 0.0, before 0 0..5000 0: 0 0.0 0.0, before 0 0..5000 1: 0 0.0 0.0]",
                    program.told.toString(), "what it is told before");
        }
    }

    static void verticesThatAreUpdatedAgainSeeWhatAllOfTheIntervalShow() {
        int vertices = 50;
        List<int[]> edges = IntStream.range(0, vertices)
                .boxed()
                .flatMap(vertex -> IntStream.rangeClosed(1, vertex % 4)
                        .mapToObj(n -> new int[] {vertex, (vertex * 37 + n * n * 11) % vertices}))
                .toList();
        for (int times = 1; times < 4; times++) {
            try (VertexHarness harness = new VertexHarness(new Mixes(times, null), vertices)) {
                edges.forEach(edge -> harness.edge(edge[0], edge[1]));
                harness.run(3);
                long[] plainly = LongStream.range(0, vertices).toArray();
                for (int pass = 0; pass < 3 * times; pass++) {
                    long[] shown = plainly;
                    plainly = IntStream.range(0, vertices)
                            .mapToLong(vertex -> edges.stream()
                                    .filter(edge -> edge[1] == vertex)
                                    .mapToInt(edge -> edge[0])
                                    .sorted()
                                    .mapToLong(from -> shown[from])
                                    .reduce(shown[vertex], Mixes::mixed))
                            .toArray();
                }
                Check.equal(Arrays.toString(plainly), Arrays.toString(harness.shown(long[].class)), times + " times");
                // Each pass has left its number.
                long passes = Long.parseLong("123".substring(0, times).repeat(3));
                Check.equal(true, Arrays.stream(harness.own(long[].class)).allMatch(own -> own == passes), "passes: " + passes);
            }
        }
    }

    /** The number of edges to each vertex from the first; all in one iteration if it is repeated. */
    private record Distances(boolean repeated) implements VertexHandler {
        @Override
        public NumberType shown() {
            return NumberType.I32;
        }

        @Override
        public boolean selective() {
            return true;
        }

        @Override
        public void start(Vertex vertex, VertexContext context) {
            vertex.showInt(Integer.MAX_VALUE);
            if (vertex.id() == 0) {
                vertex.schedule();
            }
        }

        @Override
        public void update(Vertex vertex, VertexContext context) {
            int nearest = vertex.id() == 0 ? 0 : vertex.shownInt();
            Neighbours incoming = vertex.incoming();
            for (int index = 0; index < incoming.length(); index++) {
                int far = incoming.shownInt(index);
                nearest = far == Integer.MAX_VALUE ? nearest : Math.min(nearest, far + 1);
            }
            vertex.showInt(nearest);
        }

        @Override
        public boolean repeatUpdates(Interval interval) {
            return repeated;
        }
    }

    static void aSelectiveProgramIsUpdatedAgainUntilNobodySeesAChange() {
        try (VertexHarness harness = new VertexHarness(new Distances(true), 40).edge(39, 1)) {
            IntStream.range(0, 39).forEach(vertex -> harness.edge(vertex, vertex + 1));
            // Each vertex once, and the second, to which the last one has an edge, twice.
            Check.equal(List.of(new Iteration(0, 41, 0, 0, 0)), harness.run(), "iterations");
            Check.equal(Arrays.toString(IntStream.range(0, 40).toArray()), Arrays.toString(harness.shown(int[].class)), "distances");
        }
    }

    static void whoIsNotUpdatedAgainIsUpdatedInTheNextIteration() {
        try (VertexHarness harness = new VertexHarness(new Distances(false), 4).edge(0, 1).edge(1, 2).edge(2, 3)) {
            Check.equal("[1, 1, 1, 1]", harness.run().stream().map(Iteration::updated).toList().toString(), "updated");
            Check.equal("[0, 1, 2, 3]", Arrays.toString(harness.shown(int[].class)), "distances");
        }
    }

    /** The least number that comes to each, of another form; the first vertex has the least. */
    private abstract static class Least implements VertexProgram {
        Interval now;

        @Override
        public NumberType shown() {
            return NumberType.I32;
        }

        @Override
        public void start(Vertex vertex, VertexContext context) {
            vertex.showInt((int) vertex.id());
        }

        @Override
        public void beforeInterval(Interval interval) {
            now = interval;
        }

        @Override
        public boolean repeatUpdates(Interval interval) {
            return interval.pass() < 1;
        }
    }

    private static final class Gathers extends Least implements GatherHandler {
        @Override
        public Gather gather() {
            return Gather.MIN;
        }

        @Override
        public void apply(Vertex vertex, Gathered gathered, VertexContext context) {
            Check.equal(3L, now.end(), "told");
            vertex.showInt(Math.min(vertex.shownInt(), gathered.getInt()));
        }
    }

    private static final class AtOnce extends Least implements IntervalHandler {
        @Override
        public void interval(Vertices vertices, VertexContext context) {
            Check.equal(3L, now.end(), "told");
            for (int index = 0; index < vertices.count(); index++) {
                Vertex vertex = vertices.at(index);
                for (int edge = 0; edge < vertex.incoming().length(); edge++) {
                    vertex.showInt(Math.min(vertex.shownInt(), vertex.incoming().shownInt(edge)));
                }
            }
        }
    }

    static void allFormsAreTold() {
        for (Least program : new Least[] {new Gathers(), new AtOnce()}) {
            try (VertexHarness harness = new VertexHarness(program, 3).edge(0, 1).edge(1, 2)) {
                harness.run(1);
                Check.equal("[0, 0, 0]", Arrays.toString(harness.shown(int[].class)), program.getClass().getName());
            }
        }
    }

    /** Fails with what only its signature lets it throw. */
    private record Checked(boolean before) implements VertexHandler {
        @Override
        public NumberType shown() {
            return NumberType.I32;
        }

        @Override
        public void update(Vertex vertex, VertexContext context) {}

        @Override
        public void beforeInterval(Interval interval) throws Exception {
            if (before) {
                throw new Exception("not today");
            }
        }

        @Override
        public void afterInterval(Interval interval) throws Exception {
            throw new Exception("nor now");
        }
    }

    static void whatAHookThrowsFailsTheRunAndNamesNoVertex() {
        for (String which : new String[] {"before", "after", "again?"}) {
            Mixes program = new Mixes(2, which);
            try (VertexHarness harness = new VertexHarness(program, 3)) {
                HandlerFailedException failed = Check.thrown(HandlerFailedException.class, () -> harness.run());
                Check.equal(which + ": not today, -1", failed.getMessage() + ", " + failed.item(), "the failure");
            }
        }
        try (VertexHarness harness = new VertexHarness(new Checked(true), 3)) {
            Check.failed("java.lang.Exception", "not today", harness::run);
        }
        try (VertexHarness harness = new VertexHarness(new Checked(false), 3)) {
            Check.failed("java.lang.Exception", "nor now", harness::run);
        }
    }

    /** Sets values of edges, and wants it done again. */
    private static final class Sets implements VertexHandler {
        @Override
        public NumberType shown() {
            return NumberType.I32;
        }

        @Override
        public NumberType edge() {
            return NumberType.F64;
        }

        @Override
        public boolean writes() {
            return true;
        }

        @Override
        public void update(Vertex vertex, VertexContext context) {}

        @Override
        public boolean repeatUpdates(Interval interval) {
            return true;
        }
    }

    static void whatIsSetOnEdgesIsNotSetTwiceInAnIteration() {
        try (VertexHarness harness = new VertexHarness(new Sets(), 2).edge(0, 1, 1)) {
            Check.equal("run the program: it writes values of edges, which are seen in the next iteration: its updates are not repeated",
                    Check.thrown(IllegalStateException.class, harness::run).getMessage(), "the failure");
        }
    }

    /** A driver, and a frame without vertices, which has begun to update them. */
    private static final class Engine {
        final Blocks blocks = new Blocks();
        final VertexDriver driver;
        long frame;

        Engine(VertexProgram program) {
            driver = new VertexDriver(program);
            long open = TestEngine.frame(blocks, Abi.Kind.OPEN, Abi.OpenFrame.BYTES);
            Memory.putShort(open + Abi.OpenFrame.BATCH, (short) Abi.Kind.VERTEX);
            long added = blocks.of(Abi.VertexOpen.BYTES);
            Memory.putInt(added, Abi.VertexOpen.BYTES);
            Memory.putLong(added + Abi.VertexOpen.VERTICES, 4);
            Blocks.slice(open + Abi.OpenFrame.ADDED, added, Abi.VertexOpen.BYTES);
            Check.equal(Abi.Status.OK, driver.call(open), "OPEN");
        }

        /** What is answered when this is changed. */
        int answer(LongConsumer change) {
            frame = TestEngine.frame(blocks, Abi.Kind.VERTEX, Abi.VertexFrame.BYTES);
            Memory.putInt(frame + Abi.VertexFrame.PHASE, Abi.Phase.UPDATE);
            Memory.putInt(frame + Abi.VertexFrame.BLOCK, 1);
            Memory.putLong(frame + Abi.VertexFrame.INTERVAL_END, 4);
            Blocks.slice(frame + Abi.VertexFrame.TALLIES, blocks.of(Abi.VertexTally.BYTES), 1);
            change.accept(frame);
            return driver.call(frame);
        }
    }

    private static LongConsumer of(int phase, long iteration, long first, long pass) {
        return frame -> {
            Memory.putInt(frame + Abi.VertexFrame.PHASE, phase);
            Memory.putLong(frame + Abi.VertexFrame.ITERATION, iteration);
            Memory.putLong(frame + Abi.VertexFrame.INTERVAL_FIRST, first);
            Memory.putLong(frame + Abi.VertexFrame.PASS, pass);
        };
    }

    static void aProgramWithoutHooksAnswersThatItsIntervalIsDone() {
        Engine engine = new Engine(new Distances(false));
        LongConsumer interval = of(Abi.Phase.INTERVAL, 0, 0, 0);
        Check.equal(Abi.Status.OK, engine.answer(interval.andThen(frame -> Memory.putInt(frame + Abi.VertexFrame.ENDED, 7))), "answer");
        Check.equal(0, Memory.getInt(engine.frame + Abi.VertexFrame.ENDED), "it is done");
        engine = new Engine(new Distances(true));
        Check.equal(Abi.Status.OK, engine.answer(interval), "answer");
        Check.equal(1, Memory.getInt(engine.frame + Abi.VertexFrame.ENDED), "of one that repeats");
    }

    static void itIsToldOnceOfEachIntervalAndPassOfAnIteration() {
        Mixes program = new Mixes(2, null);
        Engine engine = new Engine(program);
        Object[][] calls = {
            {of(Abi.Phase.UPDATE, 0, 0, 0), "[before iteration 0: 0.0, before 0 0..4 0: 0 0.0 0.0]"},
            {of(Abi.Phase.UPDATE, 0, 0, 0), "[]"},
            {of(Abi.Phase.UPDATE, 0, 0, 1), "[before 0 0..4 1: 0 0.0 0.0]"},
            {of(Abi.Phase.UPDATE, 0, 2, 1), "[before 0 2..4 1: 0 0.0 0.0]"},
            // An interval that has ended does not end the iteration.
            {of(Abi.Phase.INTERVAL, 0, 2, 1), "[after 0 2..4 1: 0 0.0 0.0, again? 0 2..4 1: 0 0.0 0.0]"},
            {of(Abi.Phase.UPDATE, 0, 2, 1), "[]"},
            {of(Abi.Phase.AFTER, 0, 0, 0), "[after iteration 0: 0 0 0.0 0.0]"},
            {of(Abi.Phase.UPDATE, 1, 2, 1), "[before iteration 1: 0.0, before 1 2..4 1: 0 0.0 0.0]"},
            {of(Abi.Phase.START, 0, 0, 0), "[]"},
            {of(Abi.Phase.UPDATE, 1, 2, 1), "[before iteration 1: 0.0, before 1 2..4 1: 0 0.0 0.0]"},
        };
        for (int index = 0; index < calls.length; index++) {
            program.told.clear();
            Check.equal(Abi.Status.OK, engine.answer((LongConsumer) calls[index][0]), "call " + index);
            Check.equal(calls[index][1], program.told.toString(), "what call " + index + " tells");
        }
    }

    static void aFrameOfAnOlderEngineSaysNothingOfIntervals() {
        for (int size : new int[] {496, 512, 528}) {
            Mixes program = new Mixes(2, null);
            Engine engine = new Engine(program);
            LongConsumer shorter = frame -> Memory.putInt(frame + Abi.FrameHead.SIZE, size);
            Check.equal(Abi.Status.OK, engine.answer(shorter), "an update");
            Check.equal("[before iteration 0: 0.0]", program.told.toString(), "what it is told");
            Check.equal(Abi.Status.FAILED, engine.answer(of(Abi.Phase.INTERVAL, 0, 0, 0).andThen(shorter)), "an interval");
            long slot = engine.frame + Abi.FrameHead.ERROR;
            byte[] text = new byte[Memory.getInt(slot + Abi.ErrorSlot.TYPE_LEN) + Memory.getInt(slot + Abi.ErrorSlot.MESSAGE_LEN)];
            Memory.copy(Memory.getLong(slot + Abi.ErrorSlot.TEXT), text, text.length);
            Check.equal("java.lang.IllegalStateException" + "a frame about an interval does not say which: the engine breaks the rules",
                    new String(text, java.nio.charset.StandardCharsets.UTF_8), "why it is refused");
        }
    }
}
