package upcall;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * One object of a handler that answers later, until its future is complete. It may be used on any thread. Key and value are
 * copies.
 *
 * <p>When the object is over, each method throws one of three exceptions: {@link ItemTimedOutException}, {@link
 * ItemCancelledException}, {@link ItemClosedException}.
 */
public final class AsyncObject {
    private final AsyncCall call;
    private final byte[] key;
    private final byte[] value;
    private final long version;
    private final long time;
    private final int pool;
    private final int sender;

    AsyncObject(AsyncCall call, long item) {
        this.call = call;
        long origin = call.session.origin;
        key = Memory.bytes(item + Abi.Item.KEY, origin);
        value = Memory.bytes(item + Abi.Item.VALUE, origin);
        version = Memory.getLong(item + Abi.Item.VERSION);
        time = Memory.getLong(item + Abi.Item.TIME);
        pool = Memory.getInt(item + Abi.Item.POOL);
        sender = Memory.getInt(item + Abi.Item.SENDER);
    }

    /** The key: UTF-8 bytes. */
    public byte[] keyBytes() {
        call.check();
        return key;
    }

    /** The value. */
    public byte[] valueBytes() {
        call.check();
        return value;
    }

    /** The key as a new string. */
    public String keyText() {
        return new String(keyBytes(), StandardCharsets.UTF_8);
    }

    /** The value as a new string, read as UTF-8. */
    public String valueText() {
        return new String(valueBytes(), StandardCharsets.UTF_8);
    }

    /**
     * The value as one of this type, which may be what a {@link TypedHandler} takes.
     *
     * @throws IllegalArgumentException the bytes are no value of the type
     */
    @SuppressWarnings("unchecked")
    public <T> T valueAs(Class<T> type) {
        return (T) read(Form.of(type));
    }

    /** Strictly increasing per key, unique per pool; 0 for the sample of a flow file's {@code warm}. */
    public long version() {
        call.check();
        return version;
    }

    /** Nanoseconds since the Unix epoch, never backward within a pool. */
    public long time() {
        call.check();
        return time;
    }

    /** The pool it was put into. */
    public PoolId pool() {
        call.check();
        return call.session.idOf(pool);
    }

    /** The path of {@link #pool}. */
    public String poolPath() {
        call.check();
        return call.session.pathOf(pool);
    }

    /** Who put it: an index into {@link OpenContext#senders}. */
    public int sender() {
        call.check();
        return sender;
    }

    /** The name of {@link #sender}. */
    public String senderName() {
        return call.session.nameOf(sender());
    }

    /**
     * Runs this, on a thread of the common pool, when the object is no longer waited for: it has taken longer than its deadline,
     * the flow is stopped, or the handler closed. At once where that is so already; never where the object is answered before.
     */
    public void onCancel(Runnable action) {
        call.onCancel(action);
    }

    /**
     * Does nothing as long as somebody waits for the object.
     *
     * @throws ItemTimedOutException it has taken longer than its deadline
     * @throws ItemCancelledException the flow is being stopped
     * @throws ItemClosedException it is answered, or the handler was closed
     */
    public void throwIfOver() {
        call.check();
    }

    /** What is done on a thread that it may block. */
    @FunctionalInterface
    public interface Work {
        /** Does it. */
        void run() throws Exception;
    }

    /**
     * Does what blocks on a thread of the executor's, which is interrupted when the object is no longer waited for: a deadline
     * for code that knows nothing of futures.
     *
     * @return completes when it is done, or with what it throws
     */
    public CompletableFuture<Void> run(Executor executor, Work work) {
        return new Interruptible(work).on(executor, this);
    }

    /** The value as one of this form. */
    Object read(Form form) {
        return form.read(keyText(), value);
    }
}
