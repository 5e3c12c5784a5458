package upcall;

import java.util.function.BiConsumer;

/** Frames of vertices, as engines make them and as they must not. */
final class VertexFrameTest {
    private static final String BROKEN = ": the engine breaks the rules";

    private VertexFrameTest() {}

    /** An update is a lambda. */
    private record Does(boolean writes, BiConsumer<Vertex, VertexContext> updates) implements VertexHandler {
        @Override
        public NumberType shown() {
            return NumberType.I64;
        }

        @Override
        public NumberType own() {
            return NumberType.F32;
        }

        @Override
        public NumberType edge() {
            return NumberType.I32;
        }

        @Override
        public boolean outgoing() {
            return true;
        }

        @Override
        public boolean selective() {
            return true;
        }

        @Override
        public void update(Vertex vertex, VertexContext context) {
            updates.accept(vertex, context);
        }

        @Override
        public boolean afterIteration(Iteration iteration) {
            return iteration.equals(new Iteration(7, 3, 2, 0.5, 1.5));
        }
    }

    /** A driver, and a frame of two vertices, 2,000 and 4,000 of a graph with 5,000, whose slices each have a base of their own. */
    private static final class Engine {
        final Blocks blocks = new Blocks();
        final VertexDriver driver;
        final long frame = TestEngine.frame(blocks, Abi.Kind.VERTEX, Abi.VertexFrame.BYTES);

        Engine(BiConsumer<Vertex, VertexContext> updates) {
            this(false, updates);
        }

        Engine(boolean writes, BiConsumer<Vertex, VertexContext> updates) {
            driver = new VertexDriver(new Does(writes, updates));
            Memory.putInt(frame + Abi.VertexFrame.PHASE, Abi.Phase.UPDATE);
            Memory.putInt(frame + Abi.VertexFrame.BLOCK, 1024);
            Memory.putLong(frame + Abi.VertexFrame.FIRST, 1024);
            Memory.putLong(frame + Abi.VertexFrame.COUNT, 2);
            Memory.putLong(frame + Abi.VertexFrame.ITERATION, 7);
            Memory.putDouble(frame + Abi.VertexFrame.TOTAL, 1.5);
            ints(Abi.VertexFrame.IDS, 2000, 4000);
            ints(Abi.VertexFrame.OUT_DEGREES, -1, 5);
            slice(Abi.VertexFrame.OWN, blocks.of(8), 8);
            longs(Abi.VertexFrame.BEFORE, 20, 40);
            longs(Abi.VertexFrame.NEXT, 20, 40);
            slice(Abi.VertexFrame.BEFORE, Memory.getLong(frame + Abi.VertexFrame.BEFORE), 16);
            slice(Abi.VertexFrame.NEXT, Memory.getLong(frame + Abi.VertexFrame.NEXT), 16);
            longs(Abi.VertexFrame.SHOWN, 100, 101, 102, 103);
            edges(Abi.VertexFrame.INCOMING);
            edges(Abi.VertexFrame.OUTGOING);
            longs((writes ? Abi.VertexFrame.INCOMING : Abi.VertexFrame.OUTGOING) + Abi.Edges.PLACES, 2, 0, 1, 3);
            slice(Abi.VertexFrame.TALLIES, blocks.of(3 * 16), 3);
            slice(Abi.VertexFrame.WOKEN, blocks.of(4 * 4), 4);
            // As they are, and another behind them.
            ints(Abi.VertexFrame.NEXT_VALUES, 7, 5, 8, 99);
            Memory.putLong(frame + Abi.VertexFrame.NEXT_VALUES + Abi.Rel.LEN, 12);
        }

        /** The edges of 2,000 are the second and third, and of 4,000 the fourth. */
        private void edges(int at) {
            longs(at + Abi.Edges.BEGINS, 1, 3);
            longs(at + Abi.Edges.ENDS, 3, 4);
            ints(at + Abi.Edges.IDS, 9, 11, 12, 13);
            ints(at + Abi.Edges.AT, 0, 3, 2, 1);
            ints(at + Abi.Edges.VALUES, 5, 6, 7, 8);
            Memory.putLong(frame + at + Abi.Edges.VALUES + Abi.Rel.LEN, 16);
        }

        void ints(int field, int... numbers) {
            long at = blocks.of(4L * numbers.length);
            for (int index = 0; index < numbers.length; index++) {
                Memory.putInt(at + 4L * index, numbers[index]);
            }
            slice(field, at, numbers.length);
        }

        void longs(int field, long... numbers) {
            long at = blocks.of(8L * numbers.length);
            for (int index = 0; index < numbers.length; index++) {
                Memory.putLong(at + 8L * index, numbers[index]);
            }
            slice(field, at, numbers.length);
        }

        void slice(int field, long at, long length) {
            Blocks.slice(frame + field, at, length);
        }

        Engine open() {
            long open = TestEngine.frame(blocks, Abi.Kind.OPEN, Abi.OpenFrame.BYTES);
            Memory.putShort(open + Abi.OpenFrame.BATCH, (short) Abi.Kind.VERTEX);
            long added = blocks.of(Abi.VertexOpen.BYTES);
            Memory.putInt(added, Abi.VertexOpen.BYTES);
            Memory.putLong(added + Abi.VertexOpen.VERTICES, 5000);
            Memory.putLong(added + Abi.VertexOpen.EDGES, 8);
            Blocks.slice(open + Abi.OpenFrame.ADDED, added, Abi.VertexOpen.BYTES);
            Check.equal("", answer(open), "OPEN");
            return this;
        }

        /** Calls the driver. Returns what it fails with and where; nothing where it does not. */
        String answer(long of) {
            int status = driver.call(of);
            long slot = of + Abi.FrameHead.ERROR;
            byte[] text = new byte[Memory.getInt(slot + Abi.ErrorSlot.TYPE_LEN) + Memory.getInt(slot + Abi.ErrorSlot.MESSAGE_LEN)];
            Memory.copy(Memory.getLong(of + Abi.FrameHead.BASE_OUTPUT) + Memory.getLong(slot + Abi.ErrorSlot.TEXT), text, text.length);
            int type = Memory.getInt(slot + Abi.ErrorSlot.TYPE_LEN);
            return status == Abi.Status.OK ? ""
                    : new String(text, type, text.length - type, java.nio.charset.StandardCharsets.UTF_8) + ", "
                            + Memory.getInt(slot + Abi.ErrorSlot.ITEM);
        }

        String answer() {
            return answer(frame);
        }

        /** Has every offset be relative to its base. */
        void rebase() {
            int[][] slices = {
                {Abi.FrameHead.BASE_BATCH, Abi.VertexFrame.IDS, Abi.VertexFrame.BEFORE, Abi.VertexFrame.OUT_DEGREES},
                {Abi.FrameHead.BASE_OUTPUT, Abi.VertexFrame.OWN, Abi.VertexFrame.NEXT, Abi.VertexFrame.TALLIES, Abi.VertexFrame.WOKEN,
                    Abi.VertexFrame.NEXT_VALUES, Abi.FrameHead.ERROR + Abi.ErrorSlot.TEXT},
                {Abi.FrameHead.BASE_COLUMNS, Abi.VertexFrame.SHOWN, Abi.VertexFrame.INCOMING + Abi.Edges.AT,
                    Abi.VertexFrame.OUTGOING + Abi.Edges.AT},
                {Abi.FrameHead.BASE_FILES, Abi.VertexFrame.INCOMING, Abi.VertexFrame.INCOMING + Abi.Edges.ENDS,
                    Abi.VertexFrame.INCOMING + Abi.Edges.IDS, Abi.VertexFrame.INCOMING + Abi.Edges.VALUES,
                    Abi.VertexFrame.INCOMING + Abi.Edges.PLACES, Abi.VertexFrame.OUTGOING,
                    Abi.VertexFrame.OUTGOING + Abi.Edges.ENDS, Abi.VertexFrame.OUTGOING + Abi.Edges.IDS,
                    Abi.VertexFrame.OUTGOING + Abi.Edges.VALUES, Abi.VertexFrame.OUTGOING + Abi.Edges.PLACES},
            };
            for (int[] of : slices) {
                long base = 1000L * of[0];
                Memory.putLong(frame + of[0], base);
                for (int index = 1; index < of.length; index++) {
                    Memory.putLong(frame + of[index], Memory.getLong(frame + of[index]) - base);
                }
            }
        }

        /** Where a slice begins. */
        long at(int field, int base) {
            return Memory.getLong(frame + field) + Memory.getLong(frame + base);
        }
    }

    static void aFrameIsReadByItsBasesAndWrittenInPlace() {
        StringBuilder seen = new StringBuilder();
        Engine engine = new Engine((vertex, context) -> {
            seen.append(vertex.id()).append(' ').append(vertex.shownLong()).append(' ').append(vertex.outDegree()).append(' ')
                    .append(vertex.inDegree()).append(" of ").append(context.vertices()).append(' ').append(context.edges()).append(' ')
                    .append(context.directed()).append(' ').append(context.iteration()).append(' ').append(context.total());
            for (Neighbours side : new Neighbours[] {vertex.incoming(), vertex.outgoing()}) {
                for (int index = 0; index < side.length(); index++) {
                    seen.append(", ").append(side.id(index)).append(' ').append(side.shownLong(index)).append(' ')
                            .append(side.valueInt(index));
                }
            }
            seen.append('\n');
            vertex.setOwnFloat(vertex.ownFloat() + vertex.id() / 1000f);
            vertex.showLong(vertex.id() + 1);
            context.addResidual(0.1);
            context.addResidual(0.2);
            context.addTotal(vertex.id());
            vertex.schedule();
            vertex.schedule(0);
        });
        engine.open();
        engine.rebase();
        Check.equal("", engine.answer(), "the answer");
        Check.equal("""
                2000 20 4294967295 2 of 5000 8 false 7 1.5, 11 103 6, 12 102 7, 11 103 5, 12 102 6
                4000 40 5 1 of 5000 8 false 7 1.5, 13 101 8, 13 101 8
                """, seen.toString(), "what is seen");
        long own = engine.at(Abi.VertexFrame.OWN, Abi.FrameHead.BASE_OUTPUT);
        Check.equal("2.0 4.0", Memory.getFloat(own) + " " + Memory.getFloat(own + 4), "kept");
        long next = engine.at(Abi.VertexFrame.NEXT, Abi.FrameHead.BASE_OUTPUT);
        Check.equal("2001 4001", Memory.getLong(next) + " " + Memory.getLong(next + 8), "shown");
        long tallies = engine.at(Abi.VertexFrame.TALLIES, Abi.FrameHead.BASE_OUTPUT);
        StringBuilder sums = new StringBuilder();
        for (int index = 0; index < 6; index++) {
            sums.append(Memory.getDouble(tallies + 8L * index)).append(' ');
        }
        String each = 0.0 + 0.1 + 0.2 + " ";
        // 2,000 is in the first block from 1,024 on, 4,000 in the third.
        Check.equal(each + "2000.0 0.0 0.0 " + each + "4000.0 ", sums.toString(), "sums");
        long woken = engine.at(Abi.VertexFrame.WOKEN, Abi.FrameHead.BASE_OUTPUT);
        StringBuilder wakes = new StringBuilder();
        for (int index = 0; index < Memory.getLong(engine.frame + Abi.VertexFrame.WAKES); index++) {
            wakes.append(Memory.getInt(woken + 4L * index)).append(' ');
        }
        Check.equal("2000 0 4000 0 ", wakes.toString(), "woken");
    }

    static void valuesOfIncomingEdgesHavePlacesWhereAProgramSetsThem() {
        StringBuilder seen = new StringBuilder();
        Engine engine = new Engine(true, (vertex, context) -> {
            for (Neighbours side : new Neighbours[] {vertex.incoming(), vertex.outgoing()}) {
                for (int index = 0; index < side.length(); index++) {
                    seen.append(side.valueInt(index)).append(' ');
                }
            }
        }).open();
        engine.rebase();
        Check.equal("", engine.answer(), "the answer");
        Check.equal("5 6 6 7 8 8 ", seen.toString(), "what is seen");
    }

    /** Sets the last edge of each vertex. */
    private static Engine writer() {
        return new Engine(true, (vertex, context) ->
                vertex.outgoing().setValueInt(vertex.outgoing().length() - 1, (int) vertex.id())).open();
    }

    private static String nextValues(Engine engine) {
        long at = engine.at(Abi.VertexFrame.NEXT_VALUES, Abi.FrameHead.BASE_OUTPUT);
        return Memory.getInt(at) + " " + Memory.getInt(at + 4) + " " + Memory.getInt(at + 8) + " " + Memory.getInt(at + 12);
    }

    static void valuesOfEdgesAreSetBehindThoseOfTheVertexBefore() {
        Engine engine = writer();
        engine.rebase();
        Check.equal("", engine.answer(), "the answer");
        Check.equal("7 2000 4000 99", nextValues(engine), "set");
    }

    static void aFrameWithoutRoomForValuesOfEdgesIsRefused() {
        String broken = "the frame has values of %d outgoing edges, which are fewer than its vertices have" + BROKEN + ", -1";
        for (int bytes : new int[] {11, 8, 0}) {
            Engine engine = writer();
            Memory.putLong(engine.frame + Abi.VertexFrame.NEXT_VALUES + Abi.Rel.LEN, bytes);
            Check.equal(broken.formatted(bytes / 4), engine.answer(), "room for " + bytes);
            Check.equal("7 5 8 99", nextValues(engine), "nothing is written");
        }
        Engine engine = writer();
        engine.longs(Abi.VertexFrame.OUTGOING + Abi.Edges.ENDS, 0, 7);
        Check.equal(broken.formatted(3), engine.answer(), "ends before it begins");
        // Of an engine that is older than these values.
        engine = writer();
        Memory.putInt(engine.frame + Abi.FrameHead.SIZE, Abi.VertexFrame.LEAST);
        Check.equal(broken.formatted(0), engine.answer(), "a shorter frame");
        Check.equal("7 5 8 99", nextValues(engine), "nothing is written");
    }

    static void aShorterFrameIsEnoughForWhoSetsNoValues() {
        Engine engine = new Engine((vertex, context) -> vertex.showLong(vertex.outgoing().valueInt(0))).open();
        Memory.putInt(engine.frame + Abi.FrameHead.SIZE, Abi.VertexFrame.LEAST);
        Check.equal("", engine.answer(), "the answer");
        Memory.putInt(engine.frame + Abi.FrameHead.SIZE, Abi.VertexFrame.LEAST - 8);
        Check.equal("the VERTEX frame has 488 bytes, and ABI 2 has at least 496: build engine and handler with the same version, -1",
                engine.answer(), "one that is too short");
    }

    static void repeatedWakesMakeRoomAndOthersDoNot() {
        Engine engine = new Engine((vertex, context) -> {
            for (long other : new long[] {3, 1, 3, 1, 2, 2, 1}) {
                vertex.schedule(other);
            }
        }).open();
        Check.equal("", engine.answer(), "three are different");
        Engine other = new Engine((vertex, context) -> {
            for (long each = 0; each < 5; each++) {
                vertex.schedule(each);
            }
        }).open();
        Check.equal("schedule more than 4 vertices in one call: the engine has room for no more; have vertices schedule fewer, 0",
                other.answer(), "five are");
        Check.equal(4L, Memory.getLong(other.frame + Abi.VertexFrame.WAKES), "what was there stays");
    }

    static void theEndOfAnIterationIsToldAndAnswered() {
        Engine engine = new Engine((vertex, context) -> {}).open();
        Memory.putInt(engine.frame + Abi.VertexFrame.PHASE, Abi.Phase.AFTER);
        Memory.putLong(engine.frame + Abi.VertexFrame.COUNT, 0);
        Memory.putLong(engine.frame + Abi.VertexFrame.UPDATED, 3);
        Memory.putLong(engine.frame + Abi.VertexFrame.SCHEDULED, 2);
        Memory.putDouble(engine.frame + Abi.VertexFrame.RESIDUAL, 0.5);
        Check.equal("", engine.answer(), "the answer");
        Check.equal(1, Memory.getInt(engine.frame + Abi.VertexFrame.ENDED), "it was the last one");
        Memory.putLong(engine.frame + Abi.VertexFrame.ITERATION, 8);
        Check.equal("", engine.answer(), "the answer");
        Check.equal(0, Memory.getInt(engine.frame + Abi.VertexFrame.ENDED), "it was not");
    }

    static void framesThatBreakTheRulesAreRefused() {
        Check.equal("the program was called before OPEN, which tells of the graph, -1", new Engine((vertex, context) -> {}).answer(),
                "early");
        int incoming = Abi.VertexFrame.INCOMING;
        broken("the frame has 7 at offset 136 where 8 are needed" + BROKEN + ", -1", Abi.VertexFrame.OWN + Abi.Rel.LEN, 7);
        broken("the frame has 15 at offset 152 where 16 are needed" + BROKEN + ", -1", Abi.VertexFrame.BEFORE + Abi.Rel.LEN, 15);
        broken("the frame has 0 at offset 168 where 16 are needed" + BROKEN + ", -1", Abi.VertexFrame.NEXT + Abi.Rel.LEN, 0);
        broken("the frame has 1 at offset 120 where 2 are needed" + BROKEN + ", -1", Abi.VertexFrame.IDS + Abi.Rel.LEN, 1);
        broken("the frame has 1 at offset 184 where 2 are needed" + BROKEN + ", -1", Abi.VertexFrame.OUT_DEGREES + Abi.Rel.LEN, 1);
        broken("the frame has 1 at offset 216 where 2 are needed" + BROKEN + ", -1", incoming + Abi.Rel.LEN, 1);
        broken("the frame has 3 at offset 248 where 4 are needed" + BROKEN + ", -1", incoming + Abi.Edges.IDS + Abi.Rel.LEN, 3);
        broken("the frame has 2 at offset 424 where 3 are needed" + BROKEN + ", -1", Abi.VertexFrame.TALLIES + Abi.Rel.LEN, 2);
        broken("the frame has 18446744073709551615 vertices" + BROKEN + ", -1", Abi.VertexFrame.COUNT, -1);
        broken("unknown phase 4 of a vertex program: the engine is newer than this upcall.jar; build it again, -1",
                Abi.VertexFrame.PHASE, 4 | 1024L << 32);
        // Where edges of a vertex are that are not there; a place of a value that is none.
        broken("the edges of vertex 4000 are 3 to 4, of which the frame does not have all" + BROKEN + ", 1",
                incoming + Abi.Edges.AT + Abi.Rel.LEN, 3);
        broken("an edge has the value at 3 of 3: the graph's file is damaged, 1",
                Abi.VertexFrame.OUTGOING + Abi.Edges.VALUES + Abi.Rel.LEN, 12);
    }

    private static void broken(String expected, int field, long value) {
        Engine engine = new Engine((vertex, context) -> {
            vertex.incoming().valueInt(0);
            vertex.outgoing().valueInt(0);
        }).open();
        Memory.putLong(engine.frame + field, value);
        Check.equal(expected, engine.answer(), "field " + field);
    }

    static void aVertexWithMoreEdgesThanAnIntCountsIsAnError() {
        Engine engine = new Engine((vertex, context) -> {}).open();
        engine.longs(Abi.VertexFrame.INCOMING + Abi.Edges.ENDS, 3, 1L << 33);
        Memory.putLong(engine.frame + Abi.VertexFrame.INCOMING + Abi.Edges.IDS + Abi.Rel.LEN, 1L << 33);
        Memory.putLong(engine.frame + Abi.VertexFrame.INCOMING + Abi.Edges.AT + Abi.Rel.LEN, 1L << 33);
        Check.equal("vertex 4000 has 8589934589 edges: a program in Java looks at up to 2147483647, 1", engine.answer(), "too many");
    }

    static void anOpenWithoutAGraphIsRefused() {
        Engine engine = new Engine((vertex, context) -> {});
        long open = TestEngine.frame(engine.blocks, Abi.Kind.OPEN, Abi.OpenFrame.BYTES);
        Memory.putShort(open + Abi.OpenFrame.BATCH, (short) Abi.Kind.VERTEX);
        Check.equal("OPEN does not tell of the graph: build engine and handler with the same version, -1", engine.answer(open), "short");
        Memory.putShort(open + Abi.OpenFrame.BATCH, (short) Abi.Kind.COMBINE);
        Check.equal("it takes VERTEX frames, and the engine calls with COMBINE frames: give it another handler, -1", engine.answer(open),
                "another kind");
    }
}
