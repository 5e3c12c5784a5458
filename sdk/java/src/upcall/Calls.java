package upcall;

/** What the engine is called with: C functions, by address. The host gives the methods of {@link Host} their code. */
abstract class Calls {
    /** Who makes the calls: {@link TestCalls} where there is a test harness. */
    static volatile Calls to = new Host();

    /** Opens the next chunk of a frame's output. */
    abstract int grow(long function, long frame, long need);

    /** Reads or lists a pool. */
    abstract int ask(long function, long context, long query, long found);

    abstract void log(long function, long context, int level, long text, long length);

    /**
     * Has the processor fetch values of so many bytes, by their places behind {@code base}, which are numbers of 32 bits. Nothing where
     * there is no host.
     */
    void fetch(long places, long count, long base, int bytes) {}

    /** Ends a frame that was answered with PENDING. */
    abstract void complete(long function, long frame, int status);

    static final class Host extends Calls {
        @Override
        native int grow(long function, long frame, long need);

        @Override
        native int ask(long function, long context, long query, long found);

        @Override
        native void log(long function, long context, int level, long text, long length);

        @Override
        native void fetch(long places, long count, long base, int bytes);

        @Override
        native void complete(long function, long frame, int status);
    }
}
