package upcall;

/** Calls a vertex program with the vertices of a frame, or tells it that an iteration or an interval has ended. */
final class VertexDriver extends Driver {
    private final VertexProgram program;
    private final VertexCall call = new VertexCall();

    // From OPEN on.
    private VertexContext context;
    private Vertex vertex;
    private Vertices vertices;
    private Gathered gathered;

    // Whether the program was told of the iteration.
    private boolean begun;

    // The first vertex and the pass of the interval that it was told of in this iteration; -1 where of none.
    private long first;
    private long pass;

    // Whether it is one vertex that fails.
    private boolean single;

    VertexDriver(VertexProgram program) {
        super(program, BatchFrame.VERTEX);
        this.program = program;
    }

    @Override
    int run(long frame) throws Exception {
        single = false;
        if (vertex == null) {
            throw new IllegalStateException("the program was called before OPEN, which tells of the graph");
        }
        int phase = Memory.getInt(frame + Abi.VertexFrame.PHASE);
        if (phase == Abi.Phase.AFTER) {
            begun = false;
            Memory.putInt(frame + Abi.VertexFrame.ENDED, program.afterIteration(ended(frame)) ? 1 : 0);
            return Abi.Status.OK;
        }
        if (phase == Abi.Phase.INTERVAL) {
            if (!tellsOfInterval(frame)) {
                throw new IllegalStateException("a frame about an interval does not say which: the engine breaks the rules");
            }
            Interval interval = interval(
                    frame,
                    Memory.getLong(frame + Abi.VertexFrame.UPDATED),
                    Memory.getDouble(frame + Abi.VertexFrame.RESIDUAL),
                    Memory.getDouble(frame + Abi.VertexFrame.TOTAL));
            program.afterInterval(interval);
            Memory.putInt(frame + Abi.VertexFrame.ENDED, program.repeatUpdates(interval) ? 1 : 0);
            return Abi.Status.OK;
        }
        if (phase != Abi.Phase.START && phase != Abi.Phase.UPDATE) {
            throw new IllegalStateException("unknown phase " + Integer.toUnsignedString(phase)
                    + " of a vertex program: the engine is newer than this upcall.jar; build it again");
        }
        if (phase == Abi.Phase.UPDATE) {
            begin(frame);
        } else {
            begun = false;
        }
        long count = vertex.enter(frame, phase == Abi.Phase.START);
        call.thread = Thread.currentThread();
        try {
            if (phase == Abi.Phase.START) {
                start(count);
            } else if (program instanceof VertexHandler handler) {
                update(handler, count);
            } else if (program instanceof GatherHandler handler) {
                gathered.enter(VertexCall.slice(
                        frame, Abi.VertexFrame.GATHERED, Abi.FrameHead.BASE_BATCH, count * gathered.bytes()));
                apply(handler, count);
            } else if (count > 0) {
                // One that was kept from another call is within.
                vertex.move(0);
                context.leaveVertex();
                vertices.enter(count);
                ((IntervalHandler) program).interval(vertices, context);
            }
        } finally {
            call.thread = null;
            vertex.leave();
            gathered.leave();
            vertices.leave();
        }
        return Abi.Status.OK;
    }

    /** Tells the program of the iteration and of the interval that a frame's vertices are of, unless it was told. */
    private void begin(long frame) throws Exception {
        if (!begun) {
            program.beforeIteration(
                    Memory.getLong(frame + Abi.VertexFrame.ITERATION), Memory.getDouble(frame + Abi.VertexFrame.TOTAL));
            begun = true;
            first = -1;
        }
        if (!tellsOfInterval(frame)) {
            return;
        }
        long first = Memory.getLong(frame + Abi.VertexFrame.INTERVAL_FIRST);
        long pass = Memory.getLong(frame + Abi.VertexFrame.PASS);
        if (first != this.first || pass != this.pass) {
            this.first = first;
            this.pass = pass;
            program.beforeInterval(interval(frame, 0, 0, 0));
        }
    }

    /** Whether the engine's frames, which older ones' end before, say which interval they are about. */
    private static boolean tellsOfInterval(long frame) {
        return Integer.compareUnsigned(Memory.getInt(frame + Abi.FrameHead.SIZE), Abi.VertexFrame.PASS + Long.BYTES) >= 0;
    }

    private static Interval interval(long frame, long updated, double residual, double total) {
        return new Interval(
                Memory.getLong(frame + Abi.VertexFrame.ITERATION),
                Memory.getLong(frame + Abi.VertexFrame.INTERVAL_FIRST),
                Memory.getLong(frame + Abi.VertexFrame.INTERVAL_END),
                Memory.getLong(frame + Abi.VertexFrame.PASS),
                updated,
                residual,
                total);
    }

    private void start(long count) throws Exception {
        single = true;
        for (long index = 0; index < count; index++) {
            vertex.move(index);
            program.start(vertex, context);
        }
    }

    private void update(VertexHandler handler, long count) throws Exception {
        single = true;
        for (long index = 0; index < count; index++) {
            vertex.move(index);
            handler.update(vertex, context);
        }
    }

    private void apply(GatherHandler handler, long count) throws Exception {
        single = true;
        for (long index = 0; index < count; index++) {
            vertex.move(index);
            gathered.move(index);
            handler.apply(vertex, gathered, context);
        }
    }

    private static Iteration ended(long frame) {
        return new Iteration(
                Memory.getLong(frame + Abi.VertexFrame.ITERATION),
                Memory.getLong(frame + Abi.VertexFrame.UPDATED),
                Memory.getLong(frame + Abi.VertexFrame.SCHEDULED),
                Memory.getDouble(frame + Abi.VertexFrame.RESIDUAL),
                Memory.getDouble(frame + Abi.VertexFrame.TOTAL));
    }

    @Override
    int undo(long frame) {
        return single ? (int) vertex.index() : Abi.ErrorSlot.NO_ITEM;
    }

    @Override
    void about(Description about) {
        VertexTypes.of(program).describe(about);
    }

    @Override
    void open(long frame) throws Exception {
        if (Memory.getLong(frame + Abi.OpenFrame.ADDED + Abi.Rel.LEN) < Abi.VertexOpen.BYTES) {
            throw new IllegalStateException("OPEN does not tell of the graph: build engine and handler with the same version");
        }
        long added = Memory.getLong(frame + Abi.FrameHead.BASE_BATCH) + Memory.getLong(frame + Abi.OpenFrame.ADDED);
        VertexTypes types = VertexTypes.of(program);
        GraphContext graph = new GraphContext(frame, log, added);
        program.onOpen(graph);
        context = new VertexContext(call, graph);
        gathered = new Gathered(call, types.gather() == null ? null : types.gather().type(types.shown()));
        vertices = new Vertices(call, vertex = new Vertex(call, types, context));
    }

    @Override
    void flush(long frame) {}
}
