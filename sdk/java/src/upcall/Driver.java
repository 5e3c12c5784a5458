package upcall;

/**
 * The life that handlers of all kinds have, and the barrier: nothing that a handler throws leaves {@link #call}, as what left
 * it would end the process. What is of one kind is in the classes that derive from this one.
 */
abstract class Driver {
    private final Handler handler;
    private final BatchFrame batch;

    // What is run; nothing after CLOSE, so that no call has to ask whether it has been.
    private int runs;
    private boolean closed;

    /** By which libraries that the handler uses find what is in its jar; null where there is no engine, and the thread's own holds. */
    ClassLoader loader;

    /** What the engine lends until CLOSE. */
    final Lent lent = new Lent();

    final Log log = new Log(lent);

    Driver(Handler handler, BatchFrame batch) {
        this.handler = handler;
        this.batch = batch;
        this.runs = batch.start();
    }

    /** One frame. What an engine calls. */
    final int call(long frame) {
        try {
            return Memory.getInt(frame) == runs && Memory.getInt(frame + Abi.FrameHead.SIZE) >= batch.least()
                    ? batch(frame)
                    : other(frame);
        } catch (Throwable thrown) {
            // A stack that was used up has room again here; what fails once more has nothing left to say.
            return Abi.Status.FAILED;
        } finally {
            // The thread is the engine's: an interruption was for the call that has ended, not for the next.
            Thread.interrupted();
        }
    }

    private int batch(long frame) {
        try {
            // Not taken back behind each batch: a worker does nothing but call handlers, each of which sets its own. To look costs
            // a nanosecond, to set it twice 8 to 13 (OpenJDK 17 and 25, G1, Xeon of two cores).
            enter(Thread.currentThread(), loader);
            return run(frame);
        } catch (Throwable thrown) {
            return fail(frame, undo(frame), thrown);
        }
    }

    private int other(long frame) {
        if (!batch.passes(frame)) {
            return batch.refuse(frame);
        }
        int kind = BatchFrame.kindOf(frame);
        // An engine measures with it what a crossing costs.
        if (kind == Abi.Kind.PING) {
            return Abi.Status.OK;
        }
        boolean begun = false;
        Thread thread = Thread.currentThread();
        ClassLoader before = enter(thread, loader);
        try {
            switch (kind) {
                case Abi.Kind.DESCRIBE -> describe(frame);
                case Abi.Kind.CLOSE -> close(true);
                case Abi.Kind.CANCEL -> cancel(frame);
                default -> {
                    if (closed) {
                        throw new IllegalStateException("the handler was called after CLOSE, which ends it");
                    }
                    if (kind == Abi.Kind.OPEN) {
                        checkKind(Short.toUnsignedInt(Memory.getShort(frame + Abi.OpenFrame.BATCH)));
                        lent.open(Memory.getLong(frame + Abi.OpenFrame.SERVICES));
                        open(frame);
                    } else {
                        // FLUSH; no other passes.
                        begun = true;
                        flush(frame);
                    }
                }
            }
            return Abi.Status.OK;
        } catch (Throwable thrown) {
            return fail(frame, begun ? undo(frame) : Abi.ErrorSlot.NO_ITEM, thrown);
        } finally {
            leave(thread, before);
        }
    }

    /** Makes a class loader the context of this thread, unless it is null. Returns the one before it. */
    static ClassLoader enter(Thread thread, ClassLoader loader) {
        ClassLoader before = thread.getContextClassLoader();
        if (before != loader && loader != null) {
            thread.setContextClassLoader(loader);
        }
        return before;
    }

    /** Gives the thread its context back, of which a batch may have left the handler's: not once that is closed. */
    final void leave(Thread thread, ClassLoader before) {
        thread.setContextClassLoader(closed && before == loader ? ClassLoader.getSystemClassLoader() : before);
    }

    /** Ends the handler, if CLOSE has not done so. Without a CLOSE the engine's services may be gone already. */
    final void close(boolean serviced) throws Exception {
        if (closed) {
            return;
        }
        closed = true;
        runs = 0;
        leave(serviced);
        if (!serviced) {
            giveBack();
        }
        try {
            handler.onClose();
        } finally {
            giveBack();
            System.out.flush();
            System.err.flush();
        }
    }

    /** One batch; what it throws is caught. Returns what is answered. */
    abstract int run(long frame) throws Throwable;

    /** What the handler says of itself, beside its kind and what {@link Handler#describe} says. */
    abstract void about(Description about);

    /** OPEN: takes what the engine adds for this kind, and opens the handler. */
    abstract void open(long frame) throws Exception;

    /** The input has ended. The frame is one of the kind's, without a batch. */
    abstract void flush(long frame) throws Exception;

    /** Takes back what a failed batch or flush has done so far. Returns the item that it concerns. */
    int undo(long frame) {
        return Abi.ErrorSlot.NO_ITEM;
    }

    /** A call that was answered with PENDING, which most drivers never do, is no longer waited for. */
    void cancel(long frame) {}

    /** The handler is about to be closed; nothing may be left open. The engine waits for answers if this is CLOSE. */
    void leave(boolean serviced) {}

    /** Forgets what the engine has lent for this kind. */
    void closed() {}

    private void describe(long frame) throws Exception {
        Description about = new Description(frame);
        about.say(Abi.About.KIND, Abi.Kind.name(batch.kind()), Integer.toString(batch.kind()));
        about(about);
        if (!closed) {
            handler.describe(about);
        }
    }

    /** What the engine adds to OPEN is of its own kind: another driver would misread it. */
    private void checkKind(int calls) {
        if (calls != batch.kind()) {
            String name = Abi.Kind.name(calls);
            throw new IllegalStateException("it takes " + Abi.Kind.name(batch.kind()) + " frames, and the engine calls with "
                    + (name == null ? "other" : name) + " frames: give it another handler");
        }
    }

    private void giveBack() {
        lent.close();
        closed();
    }

    /** Calls come from this thread from now on. */
    void moveHere() {
        lent.thread = Thread.currentThread();
    }

    private static int fail(long frame, int item, Throwable thrown) {
        Failure.write(frame, item, thrown);
        return Abi.Status.FAILED;
    }
}
