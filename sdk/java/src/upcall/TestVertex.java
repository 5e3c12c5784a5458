package upcall;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Runs a vertex program over a small graph, as {@link TestEngine} is an engine. */
public abstract class TestVertex extends TestEngine {
    /** Vertices whose sums are made together. */
    private static final int BLOCK = 1024;

    /** Blocks of a frame. */
    private static final int BLOCKS = 2;

    private final Blocks blocks = new Blocks();
    private final VertexProgram program;
    private VertexTypes types;
    private int vertices;
    private boolean directed;
    private TestEdge.Side incoming;
    private TestEdge.Side outgoing;
    private TestValues values;
    private TestCells own;
    private TestCells shown;
    private TestCells next;
    private BitSet scheduled;

    // What the vertices of the iteration have added up so far.
    private double residual;
    private double total;

    /** Runs this program. */
    protected TestVertex(VertexProgram program) {
        super(program, Abi.Kind.VERTEX);
        this.program = program;
    }

    /** The graph; once. */
    public final void graph(int vertices, boolean directed, List<TestEdge> edges) {
        types = VertexTypes.of(program);
        this.vertices = vertices;
        this.directed = directed;
        List<TestEdge> all = new ArrayList<>(edges);
        if (!directed) {
            edges.stream()
                    .filter(edge -> edge.source() != edge.target())
                    .forEach(edge -> all.add(new TestEdge(edge.target(), edge.source(), edge.value())));
        }
        if (types.writes()) {
            outgoing = TestEdge.Side.outgoing(blocks, all, vertices, types.edge());
            incoming = outgoing.turned(blocks, vertices);
            values = new TestValues(blocks, incoming, outgoing);
        } else {
            incoming = TestEdge.Side.incoming(blocks, all, vertices, types.edge());
            outgoing = directed ? incoming.turned(blocks, vertices) : incoming;
        }
    }

    /** Runs the program, for so many iterations at most, of which it returns what each came to. */
    public final List<Iteration> run(long most) {
        open();
        own = TestCells.of(blocks, types.own(), vertices);
        shown = TestCells.of(blocks, types.shown(), vertices);
        next = TestCells.of(blocks, types.shown(), vertices);
        scheduled = new BitSet();
        if (values != null) {
            values.begin();
        }
        frames(Abi.Phase.START, 0, 0, 0, all());
        swap();
        List<Iteration> iterations = new ArrayList<>();
        boolean ended = false;
        while (!ended && iterations.size() < most && !(types.selective() && scheduled.isEmpty())) {
            long updated = update(iterations.size());
            if (values != null) {
                values.end();
            }
            Iteration done = new Iteration(
                    iterations.size(), updated, types.selective() ? scheduled.cardinality() : vertices, residual, total);
            iterations.add(done);
            ended = after(done);
        }
        return iterations;
    }

    /**
     * One iteration: all vertices are one interval, which is updated as often as the program says. Returns how many vertices were, each
     * as often as it was.
     */
    private long update(long iteration) {
        double before = total;
        long all = 0;
        boolean again = true;
        for (long pass = 0; again; pass++) {
            BitSet updated = types.selective() ? scheduled : all();
            scheduled = new BitSet();
            for (int vertex = 0; vertex < vertices; vertex++) {
                next.put(vertex, shown.bits(vertex));
            }
            frames(Abi.Phase.UPDATE, iteration, pass, before, updated);
            wake(updated);
            swap();
            int count = updated.cardinality();
            all += count;
            again = repeats(new Interval(iteration, 0, vertices, pass, count, residual, total));
            if (again && types.writes()) {
                throw new IllegalStateException("run the program: it writes values of edges, which are seen in the next iteration: its "
                        + "updates are not repeated");
            }
            again &= !(types.selective() && scheduled.isEmpty());
        }
        return all;
    }

    /** What vertices keep to themselves: an array of the type's own. */
    public final Object own() {
        return own.array(vertices);
    }

    /** What they show. */
    public final Object shown() {
        return shown.array(vertices);
    }

    /** The values of edges, in the order of those that come in. */
    public final Object edges() {
        if (values == null) {
            throw new IllegalStateException("the program does not set values of edges");
        }
        return values.array();
    }

    private BitSet all() {
        BitSet all = new BitSet();
        all.set(0, vertices);
        return all;
    }

    private void swap() {
        TestCells before = shown;
        shown = next;
        next = before;
    }

    /** Schedules those that see a change. */
    private void wake(BitSet updated) {
        for (int vertex = updated.nextSetBit(0); types.selective() && vertex >= 0; vertex = updated.nextSetBit(vertex + 1)) {
            if (next.bits(vertex) != shown.bits(vertex)) {
                wake(outgoing, vertex);
                if (types.outgoing() && directed) {
                    wake(incoming, vertex);
                }
            }
        }
    }

    private void wake(TestEdge.Side side, int vertex) {
        for (int edge = side.begin(vertex); edge < side.end(vertex); edge++) {
            scheduled.set(side.other(edge));
        }
    }

    /** Calls the handler with all these vertices, those of a few blocks at a time. */
    private void frames(int phase, long iteration, long pass, double before, BitSet members) {
        residual = 0;
        total = 0;
        for (int first = 0; first < vertices; first += BLOCKS * BLOCK) {
            int[] listed = members.get(first, Math.min(first + BLOCKS * BLOCK, vertices)).stream().toArray();
            if (listed.length == 0) {
                continue;
            }
            for (int index = 0; index < listed.length; index++) {
                listed[index] += first;
            }
            frame(phase, iteration, pass, before, first, listed);
        }
    }

    private void frame(int phase, long iteration, long pass, double before, int first, int[] members) {
        Blocks call = new Blocks();
        int count = members.length;
        boolean start = phase == Abi.Phase.START;
        long frame = frame(call, Abi.Kind.VERTEX, Abi.VertexFrame.BYTES);
        Memory.putInt(frame + Abi.VertexFrame.PHASE, phase);
        Memory.putInt(frame + Abi.VertexFrame.BLOCK, BLOCK);
        Memory.putLong(frame + Abi.VertexFrame.ITERATION, iteration);
        Memory.putDouble(frame + Abi.VertexFrame.TOTAL, before);
        Memory.putLong(frame + Abi.VertexFrame.FIRST, first);
        Memory.putLong(frame + Abi.VertexFrame.COUNT, count);
        Memory.putLong(frame + Abi.VertexFrame.INTERVAL_END, vertices);
        Memory.putLong(frame + Abi.VertexFrame.PASS, pass);
        long ids = call.of(4L * count);
        long degrees = call.of(4L * count);
        for (int index = 0; index < count; index++) {
            Memory.putInt(ids + 4L * index, members[index]);
            Memory.putInt(degrees + 4L * index, outgoing.end(members[index]) - outgoing.begin(members[index]));
        }
        boolean all = members[count - 1] == first + count - 1;
        Blocks.slice(frame + Abi.VertexFrame.IDS, ids, all ? 0 : count);
        Blocks.slice(frame + Abi.VertexFrame.OUT_DEGREES, degrees, count);
        TestCells kept = copy(call, frame + Abi.VertexFrame.OWN, own, members);
        TestCells shows = copy(call, frame + Abi.VertexFrame.NEXT, next, members);
        if (!start) {
            copy(call, frame + Abi.VertexFrame.BEFORE, shown, members);
            Blocks.slice(frame + Abi.VertexFrame.SHOWN, shown.at(), vertices * NumberType.bytesOf(types.shown()));
        }
        incoming.fill(call, frame + Abi.VertexFrame.INCOMING, members, start);
        if (types.looksOut()) {
            outgoing.fill(call, frame + Abi.VertexFrame.OUTGOING, members, start);
        }
        if (values != null && !start) {
            values.fill(call, frame, members);
        }
        if (types.gather() != null && !start) {
            gather(call, frame + Abi.VertexFrame.GATHERED, members);
        }
        long tallies = call.of(BLOCKS * (long) Abi.VertexTally.BYTES);
        Blocks.slice(frame + Abi.VertexFrame.TALLIES, tallies, BLOCKS);
        // Those that they can schedule: each of the graph once.
        Blocks.slice(frame + Abi.VertexFrame.WOKEN, call.of(4L * vertices), vertices);
        check(call(frame), frame, 0);
        for (int index = 0; index < count; index++) {
            own.put(members[index], kept.bits(index));
            next.put(members[index], shows.bits(index));
        }
        if (values != null && !start) {
            values.take(frame, members, scheduled);
        }
        for (int block = 0; block < BLOCKS; block++) {
            residual += Memory.getDouble(tallies + block * 16L + Abi.VertexTally.RESIDUAL);
            total += Memory.getDouble(tallies + block * 16L + Abi.VertexTally.TOTAL);
        }
        long woken = Memory.getLong(frame + Abi.VertexFrame.WOKEN);
        for (long index = 0; index < Memory.getLong(frame + Abi.VertexFrame.WAKES); index++) {
            scheduled.set(Memory.getInt(woken + 4 * index));
        }
        call.end();
    }

    private static TestCells copy(Blocks call, long slice, TestCells of, int[] members) {
        TestCells copy = TestCells.of(call, of.type(), members.length);
        for (int index = 0; index < members.length; index++) {
            copy.put(index, of.bits(members[index]));
        }
        Blocks.slice(slice, copy.at(), members.length * NumberType.bytesOf(of.type()));
        return copy;
    }

    private void gather(Blocks call, long slice, int[] members) {
        NumberType type = types.gather().type(types.shown());
        TestCells gathered = TestCells.of(call, type, members.length);
        for (int index = 0; index < members.length; index++) {
            gathered.put(index, gathered(type, members[index]));
        }
        Blocks.slice(slice, gathered.at(), members.length * NumberType.bytesOf(type));
    }

    /** What the incoming neighbours of a vertex come to. */
    private long gathered(NumberType type, int vertex) {
        int begin = incoming.begin(vertex);
        int end = incoming.end(vertex);
        if (types.gather() == Gather.COUNT) {
            return TestCells.bitsOf(type, end - begin);
        }
        if (types.gather() == Gather.SUM) {
            double sum = 0;
            for (int edge = begin; edge < end; edge++) {
                sum += shown.number(incoming.other(edge));
            }
            return TestCells.bitsOf(type, sum);
        }
        boolean least = types.gather() == Gather.MIN;
        long found = TestCells.end(type, least);
        for (int edge = begin; edge < end; edge++) {
            long other = shown.bits(incoming.other(edge));
            int compared = TestCells.compare(type, other, found);
            found = least ? compared < 0 ? other : found : compared > 0 ? other : found;
        }
        return found;
    }

    /** Tells the program of an iteration. Returns whether it was the last one. */
    private boolean after(Iteration done) {
        Blocks call = new Blocks();
        long frame = without(call, Abi.Phase.AFTER, done.number(), done.updated());
        Memory.putLong(frame + Abi.VertexFrame.SCHEDULED, done.scheduled());
        return answer(call, frame, done.residual(), done.total());
    }

    /** Tells the program of an interval. Returns whether it is to be updated again. */
    private boolean repeats(Interval interval) {
        Blocks call = new Blocks();
        long frame = without(call, Abi.Phase.INTERVAL, interval.iteration(), interval.updated());
        Memory.putLong(frame + Abi.VertexFrame.INTERVAL_FIRST, interval.first());
        Memory.putLong(frame + Abi.VertexFrame.INTERVAL_END, interval.end());
        Memory.putLong(frame + Abi.VertexFrame.PASS, interval.pass());
        return answer(call, frame, interval.residual(), interval.total());
    }

    /** A frame without vertices. */
    private static long without(Blocks call, int phase, long iteration, long updated) {
        long frame = frame(call, Abi.Kind.VERTEX, Abi.VertexFrame.BYTES);
        Memory.putInt(frame + Abi.VertexFrame.PHASE, phase);
        Memory.putInt(frame + Abi.VertexFrame.BLOCK, BLOCK);
        Memory.putLong(frame + Abi.VertexFrame.ITERATION, iteration);
        Memory.putLong(frame + Abi.VertexFrame.UPDATED, updated);
        return frame;
    }

    /** What the program answers to a frame without vertices. */
    private boolean answer(Blocks call, long frame, double residual, double total) {
        Memory.putDouble(frame + Abi.VertexFrame.RESIDUAL, residual);
        Memory.putDouble(frame + Abi.VertexFrame.TOTAL, total);
        check(call(frame), frame, 0);
        boolean ended = Memory.getInt(frame + Abi.VertexFrame.ENDED) != 0;
        call.end();
        return ended;
    }

    @Override
    final void add(Blocks call, Blocks lent, long slice) {
        long added = call.of(Abi.VertexOpen.BYTES);
        Blocks.slice(slice, added, Abi.VertexOpen.BYTES);
        Memory.putInt(added, Abi.VertexOpen.BYTES);
        Memory.putInt(added + Abi.VertexOpen.DIRECTED, directed ? 1 : 0);
        Memory.putLong(added + Abi.VertexOpen.VERTICES, vertices);
        Memory.putLong(added + Abi.VertexOpen.EDGES, incoming.count);
    }

    @Override
    final int ask(boolean list, long query, long found) {
        return Abi.Status.FAILED;
    }
}
