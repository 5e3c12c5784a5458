package upcall.testing;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import upcall.Handler;
import upcall.PoolAccess;
import upcall.TestFlow;

/**
 * Runs a handler without an engine, for its tests: the real driver, the real frames, one worker.
 *
 * <pre>{@code
 * try (var harness = new Harness<>(new Shout()).emits("/loud")) {
 *     harness.put("greeting", "hello");
 *     assertEquals("HELLO", harness.emitted().get(0).valueText());
 * }
 * }</pre>
 *
 * <p>What the handler throws is a {@link HandlerFailedException}.
 *
 * @param <T> the handler's class
 */
public final class Harness<T extends Handler> implements AutoCloseable {
    private final T handler;
    private final Engine engine;
    private final List<Emitted> emitted = Collections.synchronizedList(new ArrayList<>());
    private final List<Logged> logged = Collections.synchronizedList(new ArrayList<>());
    private Described described = new Described();

    /** A harness for a handler that the test has made, to look into it afterwards. */
    public Harness(T handler) {
        this.handler = handler;
        engine = new Engine(handler);
    }

    /** The handler. */
    public T handler() {
        return handler;
    }

    /** What was emitted so far. */
    public List<Emitted> emitted() {
        synchronized (emitted) {
            return List.copyOf(emitted);
        }
    }

    /** What was logged so far. */
    public List<Logged> logged() {
        synchronized (logged) {
            return List.copyOf(logged);
        }
    }

    /** The newest number of each key that was emitted into a pool that {@link #declares} one: a {@code Long} or a {@code Double}. */
    public Map<String, Number> numbers(String pool) {
        String type = engine.typeOf(pool);
        Map<String, Number> numbers = new TreeMap<>();
        for (Emitted each : emitted()) {
            if (each.pool().equals(pool)) {
                numbers.put(each.keyText(), Numbers.of(pool, type, each));
            }
        }
        return numbers;
    }

    /** Pools that the handler may emit to. Before the first object. */
    public Harness<T> emits(String... paths) {
        for (String path : paths) {
            engine.declare(path, PoolAccess.EMIT);
        }
        return this;
    }

    /**
     * A pool that the handler may read, with what was put there, in this order: versions 1, 2 and so on, at as many
     * nanoseconds since the Unix epoch. The values are text; {@link #readsValues} takes numbers, other types and bytes. Before
     * the first object.
     */
    @SafeVarargs
    public final Harness<T> reads(String path, Map.Entry<String, String>... objects) {
        engine.declare(path, PoolAccess.READ);
        for (Map.Entry<String, String> each : objects) {
            engine.store(path, each.getKey(), utf8(each.getValue()));
        }
        return this;
    }

    /**
     * The same with values that a typed handler takes or emits, or {@code byte[]}. The pool declares their type unless {@link
     * #declares} has declared one before.
     *
     * @throws IllegalArgumentException the pool declares another type
     */
    @SafeVarargs
    public final Harness<T> readsValues(String path, Map.Entry<String, ?>... objects) {
        engine.declare(path, PoolAccess.READ);
        for (Map.Entry<String, ?> each : objects) {
            engine.store(path, each.getKey(), (Object) each.getValue());
        }
        return this;
    }

    /** What keys of a pool were before this version or time is no longer kept, as when a flow's {@code keep} is too small. */
    public Harness<T> forgets(String path, long before) {
        engine.forget(path, before);
        return this;
    }

    /** Declares the type of a pool's values. The watched pool is {@code /in}. Before the first object. */
    public Harness<T> declares(String path, String type) {
        return declares(path, type, Numbers.size(type));
    }

    /** The same for a blittable type, a value of which has so many bytes. */
    public Harness<T> declares(String path, String type, int size) {
        engine.declare(path, type, size);
        return this;
    }

    /** A setting. Before the first object. */
    public Harness<T> setting(String name, String value) {
        engine.set(name, value);
        return this;
    }

    /** How long a handler that answers later may take for an object. */
    public Harness<T> deadline(Duration deadline) {
        engine.limit(deadline);
        return this;
    }

    /** What the handler says of itself. */
    public Described describe() {
        described = new Described();
        engine.describe();
        return described;
    }

    /** Opens the handler, as its first object does otherwise. */
    public Harness<T> open() {
        engine.open();
        return this;
    }

    /** Gives the handler one object. */
    public void put(String key, String value) {
        put(utf8(key), utf8(value));
    }

    /** Gives the handler one object. */
    public void put(byte[] key, byte[] value) {
        engine.run(List.of(key), List.of(value));
    }

    /** Gives the handler one object with a value that a typed handler takes. */
    public void putValue(String key, Object value) {
        put(utf8(key), engine.input(value));
    }

    /**
     * Gives a handler that answers later one object, and does not wait for the answer: the future completes with it, or with a
     * {@link HandlerFailedException}, an {@link upcall.ItemTimedOutException}, an {@link upcall.ItemCancelledException} or an
     * {@link upcall.ItemClosedException}. One that answers at once has answered when this returns.
     */
    public CompletableFuture<Void> putAsync(String key, String value) {
        return engine.begin(utf8(key), utf8(value));
    }

    /** The same with a value that a typed handler takes. */
    public CompletableFuture<Void> putValueAsync(String key, Object value) {
        return engine.begin(utf8(key), engine.input(value));
    }

    /** Cancels what a handler that answers later has open, as a flow does that is being stopped. */
    public void cancel() {
        engine.cancel();
    }

    /** Gives the handler several objects in one batch; one that answers later, all at once. */
    @SafeVarargs
    public final void batch(Map.Entry<String, String>... objects) {
        List<byte[]> keys = new ArrayList<>();
        List<byte[]> values = new ArrayList<>();
        for (Map.Entry<String, String> each : objects) {
            keys.add(utf8(each.getKey()));
            values.add(utf8(each.getValue()));
        }
        engine.run(keys, values);
    }

    /**
     * Gives the handler the sample of a flow's {@code warm}: it has to answer before this returns, and what it emits is
     * forgotten.
     */
    public void warm(String key, String value) {
        engine.warm(utf8(key), utf8(value));
    }

    /** Tells the handler that the input has ended. */
    public void flush() {
        engine.flush();
    }

    /** Closes the handler. */
    @Override
    public void close() {
        engine.close();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private final class Engine extends TestFlow {
        Engine(Handler handler) {
            super(handler);
        }

        @Override
        protected void emitted(String pool, byte[] key, byte[] value, Long previous) {
            emitted.add(new Emitted(pool, key, value, previous));
        }

        @Override
        protected void logged(int level, String text) {
            logged.add(new Logged(level, text));
        }

        @Override
        protected void described(int what, String key, String value) {
            described.add(what, key, value);
        }

        @Override
        protected RuntimeException failed(String type, String message, String stack, int done, int item) {
            return new HandlerFailedException(type, message, stack, done, item);
        }
    }
}
