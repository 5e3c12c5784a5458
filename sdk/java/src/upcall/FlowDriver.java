package upcall;

/** What the handlers of a flow have in common: their frames, their pools, and what a failure takes back. */
abstract class FlowDriver extends Driver {
    private final FlowHandler handler;

    final Session session = new Session();

    FlowDriver(FlowHandler handler) {
        super(handler, BatchFrame.FLOW);
        this.handler = handler;
    }

    /** How it likes its objects: {@code object} or {@code batch}. */
    abstract String form();

    @Override
    void about(Description about) {
        about.say(Abi.About.FORM, form(), "");
    }

    /** The frame of a batch or of FLUSH, from which the session now goes on. */
    final void begin(long frame) {
        session.origin = Memory.getLong(frame + Abi.FrameHead.BASE_BATCH);
        session.item = Abi.Record.NO_ITEM;
        session.conditional = false;
        session.next();
        session.mark(frame);
    }

    @Override
    final void open(long frame) throws Exception {
        if (Memory.getLong(frame + Abi.OpenFrame.ADDED + Abi.Rel.LEN) < Abi.FlowOpen.BYTES) {
            throw new IllegalStateException("OPEN has no pools: build engine and handler with the same version");
        }
        session.open(frame);
        handler.onOpen(new OpenContext(frame, log, session));
    }

    @Override
    void flush(long frame) throws Exception {
        begin(frame);
        try {
            handler.onFlush(new Emitter(session, frame));
        } finally {
            session.next();
        }
    }

    @Override
    final int undo(long frame) {
        session.next();
        session.truncate(frame);
        return session.item;
    }

    @Override
    void moveHere() {
        super.moveHere();
        session.thread = Thread.currentThread();
    }

    @Override
    void closed() {
        session.next();
        session.reader.close();
    }

    /** So many items are finished, each of which has said what it emitted. */
    static void finish(long frame, int done) {
        // Behind all that was emitted.
        Memory.publishInt(frame + Abi.FlowFrame.DONE, done);
    }

    /** A batch handler reports that so many items are finished, and that all emitted so far is theirs. */
    static void report(long frame, int done) {
        int before = Memory.getInt(frame + Abi.FlowFrame.DONE);
        // What is emitted between two reports of the same number belongs to those that follow.
        if (done != before) {
            long progress = frame + Abi.FlowFrame.PROGRESS;
            // Never the one that belongs to the number before, until the frame says the new one.
            if (Memory.getInt(progress + Abi.Progress.DONE) == before) {
                progress += Abi.Progress.BYTES;
            }
            long out = frame + Abi.FlowFrame.OUT;
            Memory.putLong(progress + Abi.Progress.AT, Memory.getLong(out + Abi.Output.AT));
            Memory.putInt(progress + Abi.Progress.CHUNK, Memory.getInt(out + Abi.Output.CHUNK));
            Memory.putInt(progress + Abi.Progress.DONE, done);
        }
        finish(frame, done);
    }
}
