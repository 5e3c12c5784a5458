package upcall.flow;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import upcall.Embedded;
import upcall.bindings.Arena;
import upcall.bindings.MemorySegment;
import upcall.bindings.NativeBuffer;
import upcall.bindings.NativeException;
import upcall.bindings.UpcallAsOf;
import upcall.bindings.UpcallFound;
import upcall.bindings.UpcallPool;
import upcall.bindings.UpcallSeen;
import upcall.bindings.UpcallSend;
import upcall.bindings.UpcallTask;
import upcall.bindings.ValueLayout;

/**
 * A pool of a running flow, for any thread. Keys are UTF-8. What waits is refused on the workers of the same flow, with {@link
 * FlowError#IN_HANDLER}: handlers emit, or use {@link #tryPut(byte[], byte[])}.
 *
 * <p>Whose wait is interrupted, or whose future is cancelled, does not take back what was asked: what waits for credit is put
 * as soon as there is. Times have 64 bits without a sign.
 */
public final class Pool extends PoolNumbers {
    private static final byte[] NOTHING = {};

    // Who has a pool uses its flow, which stops when it is collected.
    private final Flow flow;
    private final UpcallPool pool;
    private final String path;

    Pool(Flow flow, UpcallPool pool, String path) {
        this.flow = flow;
        this.pool = pool;
        this.path = path;
    }

    /** Its path. */
    @Override
    public String path() {
        return path;
    }

    /**
     * What its values are: a word of a flow's file ({@code bytes}, {@code text}, {@code u64}), {@code blittable Reading 16} or
     * {@code packed Order}.
     */
    @Override
    public String valueType() {
        return FlowException.of(pool::valueType);
    }

    /**
     * Puts an object. Waits for credit.
     *
     * @throws FlowException the pool does not take it, or the flow has stopped
     */
    @Override
    public void put(byte[] key, byte[] value) throws InterruptedException {
        refuse("put into", "tryPut");
        if (!tryPut(key, value)) {
            waits(send(UpcallSend.PUT, key, value, 0));
        }
    }

    /** Puts an object of text. Waits for credit. */
    public void put(String key, String value) throws InterruptedException {
        put(bytes(key, "key"), text(key, value));
    }

    /** Puts an object. Waits for credit. */
    public void put(String key, byte[] value) throws InterruptedException {
        put(bytes(key, "key"), value);
    }

    /**
     * Puts a value of a type, as a {@link upcall.TypedHandler} takes it. Waits for credit.
     *
     * @throws upcall.PoolTypeException its type cannot be used for values
     */
    public void putValue(String key, Object value) throws InterruptedException {
        put(bytes(key, "key"), Embedded.pack(Objects.requireNonNull(value, "value")));
    }

    /** Puts what remains in the buffers, whose positions stay. Waits for credit. Direct ones are not copied on the way. */
    public void put(ByteBuffer key, ByteBuffer value) throws InterruptedException {
        refuse("put into", "tryPut");
        if (!tryPut(key, value)) {
            waits(send(UpcallSend.PUT, bytes(key, "key"), bytes(value, "value"), 0));
        }
    }

    /** Puts an object, and waits for credit for so long at most: then it is put when there is some. */
    public void put(byte[] key, byte[] value, Duration timeout) throws InterruptedException, TimeoutException {
        refuse("put into", "tryPut");
        if (!tryPut(key, value)) {
            Task task = send(UpcallSend.PUT, key, value, 0);
            task.await(timeout);
            task.result(UpcallTask::version);
        }
    }

    /**
     * Puts an object if there is credit. Returns whether there was.
     *
     * @throws FlowException the pool does not take it, or the flow has stopped
     */
    @Override
    public boolean tryPut(byte[] key, byte[] value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        return FlowException.of(() -> pool.tryPut(key, value));
    }

    /** As {@link #tryPut(byte[], byte[])}, of text. */
    public boolean tryPut(String key, String value) {
        return tryPut(bytes(key, "key"), text(key, value));
    }

    /** As {@link #tryPut(byte[], byte[])}. */
    public boolean tryPut(String key, byte[] value) {
        return tryPut(bytes(key, "key"), value);
    }

    /** As {@link #tryPut(byte[], byte[])}, of what remains in the buffers, whose positions stay. */
    public boolean tryPut(ByteBuffer key, ByteBuffer value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        return FlowException.of(() -> pool.tryPut(MemorySegment.ofBuffer(key), MemorySegment.ofBuffer(value)));
    }

    /**
     * Puts many objects in few calls, which costs each a fraction of a call's price. Waits for credit.
     *
     * @throws FlowException the pool does not take one, or the flow has stopped; it says how many are put, which are the first
     */
    public void putMany(PutBatch objects) throws InterruptedException {
        refuse("put into", "tryPut");
        PutBatch.Walk walk = objects.walk();
        try {
            if (walk.text() != null) {
                checkText(walk.text());
            }
            while (walk.goesOn()) {
                byte[] some = walk.some();
                if (walk.took(Math.toIntExact(FlowException.of(() -> pool.putMany(some, false)))) < some.length) {
                    // No credit, which this one waits for, and may be interrupted; or the pool does not take it, and says so.
                    put(walk.key(), walk.value());
                    walk.tookOne();
                }
            }
        } catch (FlowException refused) {
            throw new FlowException(refused.error(), refused.getMessage() + "; " + walk.put() + " of " + walk.count() + " objects are put");
        }
    }

    /** Puts an object without holding up a thread; completed with its version. */
    @Override
    public CompletableFuture<Long> putAsync(byte[] key, byte[] value) {
        return ends(UpcallSend.PUT, key, value, 0);
    }

    /** As {@link #putAsync(byte[], byte[])}, of text. */
    public CompletableFuture<Long> putAsync(String key, String value) {
        return later(() -> putAsync(bytes(key, "key"), text(key, value)));
    }

    /** As {@link #putAsync(byte[], byte[])}. */
    public CompletableFuture<Long> putAsync(String key, byte[] value) {
        return putAsync(bytes(key, "key"), value);
    }

    /** As {@link #putAsync(byte[], byte[])}, of what remains in the buffers, which is copied before it returns. */
    public CompletableFuture<Long> putAsync(ByteBuffer key, ByteBuffer value) {
        return putAsync(bytes(key, "key"), bytes(value, "value"));
    }

    /**
     * Puts an object if {@code previous} is still the newest version of its key, 0 for none. Returns its version.
     *
     * @throws FlowException of {@link FlowError#CONFLICT} where the key has another version
     */
    @Override
    public long putIf(byte[] key, byte[] value, long previous) throws InterruptedException {
        refuse("put into", "putIfAsync");
        return waits(send(UpcallSend.PUT_IF, key, value, previous));
    }

    /** As {@link #putIf(byte[], byte[], long)}, of text. */
    public long putIf(String key, String value, long previous) throws InterruptedException {
        return putIf(bytes(key, "key"), text(key, value), previous);
    }

    /** As {@link #putIf(byte[], byte[], long)}. */
    public long putIf(String key, byte[] value, long previous) throws InterruptedException {
        return putIf(bytes(key, "key"), value, previous);
    }

    /** As {@link #putIf(byte[], byte[], long)}, without a thread that waits. */
    @Override
    public CompletableFuture<Long> putIfAsync(byte[] key, byte[] value, long previous) {
        return ends(UpcallSend.PUT_IF, key, value, previous);
    }

    /** As {@link #putIfAsync(byte[], byte[], long)}, of text. */
    public CompletableFuture<Long> putIfAsync(String key, String value, long previous) {
        return later(() -> putIfAsync(bytes(key, "key"), text(key, value), previous));
    }

    /** As {@link #putIfAsync(byte[], byte[], long)}. */
    public CompletableFuture<Long> putIfAsync(String key, byte[] value, long previous) {
        return putIfAsync(bytes(key, "key"), value, previous);
    }

    /** Runs the handlers and stores nothing. Waits for credit. */
    public void trigger(byte[] key, byte[] value) throws InterruptedException {
        refuse("trigger in", "triggerAsync");
        waits(send(UpcallSend.TRIGGER, key, value, 0));
    }

    /** As {@link #trigger(byte[], byte[])}, of text. */
    public void trigger(String key, String value) throws InterruptedException {
        trigger(bytes(key, "key"), text(key, value));
    }

    /** As {@link #trigger(byte[], byte[])}. */
    public void trigger(String key, byte[] value) throws InterruptedException {
        trigger(bytes(key, "key"), value);
    }

    /** As {@link #trigger(byte[], byte[])}, without a thread that waits. */
    public CompletableFuture<Void> triggerAsync(byte[] key, byte[] value) {
        return ends(UpcallSend.TRIGGER, key, value, 0).thenApply(version -> null);
    }

    /** As {@link #triggerAsync(byte[], byte[])}, of text. */
    public CompletableFuture<Void> triggerAsync(String key, String value) {
        return later(() -> triggerAsync(bytes(key, "key"), text(key, value)));
    }

    /** As {@link #triggerAsync(byte[], byte[])}. */
    public CompletableFuture<Void> triggerAsync(String key, byte[] value) {
        return triggerAsync(bytes(key, "key"), value);
    }

    /** Removes a key, in order with the puts to it. Returns the version that removed it. */
    public long remove(byte[] key) throws InterruptedException {
        refuse("remove from", "removeAsync");
        return waits(send(UpcallSend.REMOVE, key, NOTHING, 0));
    }

    /** As {@link #remove(byte[])}. */
    public long remove(String key) throws InterruptedException {
        return remove(bytes(key, "key"));
    }

    /** As {@link #remove(byte[])}, without a thread that waits. */
    public CompletableFuture<Long> removeAsync(byte[] key) {
        return ends(UpcallSend.REMOVE, key, NOTHING, 0);
    }

    /** As {@link #removeAsync(byte[])}. */
    public CompletableFuture<Long> removeAsync(String key) {
        return removeAsync(bytes(key, "key"));
    }

    /**
     * The newest version of a key; null where there is none.
     *
     * @throws FlowException the pool stores nothing
     */
    public Stored get(byte[] key) {
        return get(key, UpcallAsOf.NOW, 0);
    }

    /** As {@link #get(byte[])}. */
    public Stored get(String key) {
        return get(bytes(key, "key"));
    }

    /**
     * A key as it was at a version of the pool; null where it was not there then.
     *
     * @throws FlowException what it was then is no longer kept
     */
    public Stored getAt(byte[] key, long version) {
        return get(key, UpcallAsOf.VERSION, version);
    }

    /** As {@link #getAt(byte[], long)}. */
    public Stored getAt(String key, long version) {
        return getAt(bytes(key, "key"), version);
    }

    /**
     * A key as it was at a time, in nanoseconds since the Unix epoch; null where it was not there then.
     *
     * @throws FlowException what it was then is no longer kept
     */
    public Stored getByTime(byte[] key, long time) {
        return get(key, UpcallAsOf.TIME, time);
    }

    /** As {@link #getByTime(byte[], long)}. */
    public Stored getByTime(String key, long time) {
        return getByTime(bytes(key, "key"), time);
    }

    /** The versions of a key that are kept, oldest first; none of a key that is not there. */
    public List<SeenVersion> versions(byte[] key) {
        Objects.requireNonNull(key, "key");
        try (NativeBuffer seen = FlowException.of(() -> pool.versions(key))) {
            List<SeenVersion> versions = new ArrayList<>();
            if (seen.length() == 0) {
                return versions;
            }
            UpcallSeen all = new UpcallSeen(seen.elements());
            for (long index = 0; index < seen.length(); index++) {
                UpcallSeen one = all.get(index);
                versions.add(new SeenVersion(one.version(), one.time(), one.removed() != 0));
            }
            return versions;
        }
    }

    /** As {@link #versions(byte[])}. */
    public List<SeenVersion> versions(String key) {
        return versions(bytes(key, "key"));
    }

    /** The keys of the pool, sorted. Walks the whole pool. */
    public List<String> list() {
        return list("");
    }

    /** The keys that begin with {@code prefix}, sorted. Walks the whole pool. */
    public List<String> list(String prefix) {
        byte[] all;
        try (NativeBuffer keys = FlowException.of(() -> pool.list(bytes(prefix, "prefix")))) {
            all = keys.elements().toArray(ValueLayout.JAVA_BYTE);
        }
        ByteBuffer lengths = ByteBuffer.wrap(all).order(ByteOrder.nativeOrder());
        List<String> found = new ArrayList<>();
        for (int at = 0; at < all.length; ) {
            int length = lengths.getInt(at);
            found.add(new String(all, at + Integer.BYTES, length, UTF_8));
            at += Integer.BYTES + length;
        }
        return found;
    }

    /** Refuses on a worker of the flow, also where there is credit now: a handler that waits only under load fails only there. */
    private void refuse(String what, String instead) {
        // The engine knows, for a fifth of what a put takes: no other thread has to ask.
        if (!Embedded.makesHandlersHere()) {
            return;
        }
        try {
            pool.mayWait();
        } catch (NativeException inside) {
            throw new FlowException(
                    FlowError.IN_HANDLER,
                    what + " " + path + " from inside a handler of the same flow: it would wait for itself; emit instead, or use " + instead);
        }
    }

    private Task send(int what, byte[] key, byte[] value, long previous) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        if (previous < 0) {
            throw new IllegalArgumentException(
                    previous + " is not a version: give the one that was read, or 0 where the key has none");
        }
        return new Task(FlowException.of(() -> pool.send(what, key, value, previous)), "put into pool " + path, flow);
    }

    private static long waits(Task task) throws InterruptedException {
        task.await();
        return task.result(UpcallTask::version);
    }

    /** A future, also of what is refused at once. */
    private CompletableFuture<Long> ends(int what, byte[] key, byte[] value, long previous) {
        try {
            return send(what, key, value, previous).future(UpcallTask::version);
        } catch (FlowException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private Stored get(byte[] key, int of, long at) {
        Objects.requireNonNull(key, "key");
        try (Arena arena = Arena.ofConfined()) {
            UpcallFound found = UpcallFound.allocate(arena);
            byte[] room = new byte[256];
            // It may be a larger one meanwhile.
            while (!read(key, of, at, room, found)) {
                room = new byte[Math.toIntExact(found.len())];
            }
            return found.version() == 0
                    ? null
                    : new Stored(Arrays.copyOf(room, (int) found.len()), found.version(), found.time());
        }
    }

    private boolean read(byte[] key, int of, long at, byte[] room, UpcallFound found) {
        return FlowException.of(() -> pool.get(key, of, at, room, found));
    }

    private static byte[] bytes(String text, String what) {
        return Utf8.bytes(text, what);
    }

    private static byte[] bytes(ByteBuffer buffer, String what) {
        Objects.requireNonNull(buffer, what);
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(buffer.position(), bytes);
        return bytes;
    }
}
