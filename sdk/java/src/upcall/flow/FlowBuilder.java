package upcall.flow;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import upcall.BatchHandler;
import upcall.Embedded;
import upcall.Handler;
import upcall.ObjectHandler;
import upcall.bindings.Functions;
import upcall.bindings.MemorySegment;
import upcall.bindings.UpcallFlowBuilder;
import upcall.bindings.UpcallTask;

/**
 * A flow that is described and has not started. From {@link Flow#describe} and its like. What is wrong with it, all at once,
 * is said when it starts.
 *
 * <p>A handler may be given in three ways. A lambda, or another object, is one for all workers: they call it at once, with
 * objects of different keys, so what it changes it has to share safely, and its {@code onOpen} and {@code onClose} are called
 * once per worker. Of a class, and of a supplier such as {@code Count::new}, each worker makes an instance of its own.
 */
public final class FlowBuilder {
    private record Given(String name, Supplier<?> make) {}

    private final FlowText text = new FlowText();
    private final String file;
    private final String path;
    private final List<Given> given = new ArrayList<>();
    private final Map<String, Integer> names = new HashMap<>();

    FlowBuilder(String file, String path) {
        this.file = Objects.requireNonNull(file);
        this.path = Objects.requireNonNull(path);
    }

    /** The flow's name, for messages and the report. */
    public FlowBuilder name(String name) {
        return own("name", name);
    }

    /** Worker threads; one per core if it is not said. */
    public FlowBuilder workers(int workers) {
        return own("workers", workers);
    }

    /** Bytes that the flow may hold before it stops with an error. */
    public FlowBuilder memory(long bytes) {
        return own("memory", bytes);
    }

    /** What may be in flight before a put from outside waits. */
    public FlowBuilder credit(long bytes, long items) {
        return own("credit", Map.of("bytes", bytes, "items", items));
    }

    /** How long an object should wait for a handler. */
    public FlowBuilder delay(Duration delay) {
        return own("delay", delay);
    }

    /** Objects in a batch at most. */
    public FlowBuilder batch(int items) {
        return own("batch", items);
    }

    /** Adds a pool of plain bytes that keeps the newest version of each key. */
    public FlowBuilder pool(String path) {
        return pool(path, PoolKind.VOLATILE);
    }

    /** Adds a pool of plain bytes. */
    public FlowBuilder pool(String path, PoolKind kind) {
        return said(path, kind, null, 1);
    }

    /** Adds a pool of the type that is named as in a flow's file: {@code u64}, {@code text}. */
    public FlowBuilder pool(String path, String type) {
        return pool(path, PoolKind.VOLATILE, type, 1);
    }

    /**
     * Adds a pool.
     *
     * @param path its path, as in {@code /lines}
     * @param kind what it keeps
     * @param type a word for the type of its values; null for bytes
     * @param keep versions of a key that it keeps
     */
    public FlowBuilder pool(String path, PoolKind kind, String type, int keep) {
        return said(path, kind, type, keep);
    }

    /** Adds a pool of values of a type, as a {@link upcall.TypedHandler} takes them. */
    public FlowBuilder pool(String path, Class<?> type) {
        return pool(path, PoolKind.VOLATILE, type, 1);
    }

    /** Adds a pool of values of a type, as a {@link upcall.TypedHandler} takes them. */
    public FlowBuilder pool(String path, PoolKind kind, Class<?> type) {
        return pool(path, kind, type, 1);
    }

    /**
     * Adds a pool of values of a type, as a {@link upcall.TypedHandler} takes them.
     *
     * @param path its path, as in {@code /orders}
     * @param kind what it keeps
     * @param type the type of its values: numbers are signed, so that {@code long} is {@code i64}
     * @param keep versions of a key that it keeps
     * @throws upcall.PoolTypeException the type cannot be used for values
     */
    public FlowBuilder pool(String path, PoolKind kind, Class<?> type, int keep) {
        return said(path, kind, Embedded.poolType(path, type), keep);
    }

    private FlowBuilder said(String path, PoolKind kind, Object type, int keep) {
        text.table("[pool." + FlowText.quoted(path) + "]");
        text.line("kind", kind == PoolKind.TRIGGER ? "trigger" : null);
        text.line("type", type);
        text.line("keep", kind == PoolKind.TRIGGER ? null : keep);
        return this;
    }

    /** Adds a function on the objects of a pool, and of all below its path, that emits into another. */
    public FlowBuilder on(String watched, String to, ObjectHandler handler) {
        return on(watched, to, handler, new HandlerOptions());
    }

    /** The same with options. */
    public FlowBuilder on(String watched, String to, ObjectHandler handler, HandlerOptions options) {
        return add(watched, output(to), shared(handler), options);
    }

    /** Adds a handler that a function makes, once per worker and on its thread. */
    public FlowBuilder on(String watched, String to, Supplier<? extends Handler> make) {
        return on(watched, to, make, new HandlerOptions());
    }

    /** The same with options. */
    public FlowBuilder on(String watched, String to, Supplier<? extends Handler> make, HandlerOptions options) {
        return add(watched, output(to), Objects.requireNonNull(make, "make"), options);
    }

    /** Adds a handler of a class with a constructor without parameters: the same that {@code upcall run} would load. */
    public FlowBuilder on(String watched, String to, Class<? extends Handler> type) {
        return on(watched, to, type, new HandlerOptions());
    }

    /** The same with options. */
    public FlowBuilder on(String watched, String to, Class<? extends Handler> type, HandlerOptions options) {
        return add(watched, output(to), instances(type), options);
    }

    /** Adds a function on the objects of a pool, and of all below its path, that has no first pool to emit into. */
    public FlowBuilder on(String watched, ObjectHandler handler) {
        return on(watched, handler, new HandlerOptions());
    }

    /** The same with options. */
    public FlowBuilder on(String watched, ObjectHandler handler, HandlerOptions options) {
        return add(watched, null, shared(handler), options);
    }

    /** Adds one that a function makes, once per worker and on its thread. */
    public FlowBuilder on(String watched, Supplier<? extends Handler> make) {
        return on(watched, make, new HandlerOptions());
    }

    /** The same with options. */
    public FlowBuilder on(String watched, Supplier<? extends Handler> make, HandlerOptions options) {
        return add(watched, null, Objects.requireNonNull(make, "make"), options);
    }

    /** Adds one of a class with a constructor without parameters. */
    public FlowBuilder on(String watched, Class<? extends Handler> type) {
        return on(watched, type, new HandlerOptions());
    }

    /** The same with options. */
    public FlowBuilder on(String watched, Class<? extends Handler> type, HandlerOptions options) {
        return add(watched, null, instances(type), options);
    }

    /** Adds a function that takes whole batches. */
    public FlowBuilder onBatch(String watched, String to, BatchHandler handler) {
        return onBatch(watched, to, handler, new HandlerOptions());
    }

    /** The same with options. */
    public FlowBuilder onBatch(String watched, String to, BatchHandler handler, HandlerOptions options) {
        return add(watched, output(to), shared(handler), options);
    }

    /** Adds a function that takes whole batches and has no first pool to emit into. */
    public FlowBuilder onBatch(String watched, BatchHandler handler) {
        return onBatch(watched, handler, new HandlerOptions());
    }

    /** The same with options. */
    public FlowBuilder onBatch(String watched, BatchHandler handler, HandlerOptions options) {
        return add(watched, null, shared(handler), options);
    }

    /** Gives the code of a handler that a file describes and names no code for: a function. */
    public FlowBuilder give(String name, ObjectHandler handler) {
        return add(name, shared(handler));
    }

    /** Gives it as what makes one for each worker. */
    public FlowBuilder give(String name, Supplier<? extends Handler> make) {
        return add(name, Objects.requireNonNull(make, "make"));
    }

    /** Gives it as a class. */
    public FlowBuilder give(String name, Class<? extends Handler> type) {
        return add(name, instances(type));
    }

    /** Gives it as a function that takes whole batches. */
    public FlowBuilder giveBatch(String name, BatchHandler handler) {
        return add(name, shared(handler));
    }

    /**
     * Checks the description, starts what it needs and opens every handler. Interrupted, it starts all the same and is stopped
     * then.
     *
     * @throws FlowException the description makes no sense, or a handler could not be loaded or opened
     */
    public Flow start() throws InterruptedException {
        Task start = begin();
        try {
            start.await();
        } catch (InterruptedException interrupted) {
            start.future(FlowBuilder::started).thenAccept(Flow::stopAsync);
            throw interrupted;
        }
        return start.result(FlowBuilder::started);
    }

    /** As {@link #start}, without a thread that waits. Cancelled, it starts all the same and is stopped then. */
    public CompletableFuture<Flow> startAsync() {
        try {
            return begin().future(FlowBuilder::started, Flow::stopAsync);
        } catch (FlowException failed) {
            return CompletableFuture.failedFuture(failed);
        }
    }

    private static Flow started(UpcallTask task) {
        return new Flow(task.flow());
    }

    private FlowBuilder own(String key, Object value) {
        text.own(key, Objects.requireNonNull(value));
        return this;
    }

    private static String output(String to) {
        if (to == null) {
            throw new IllegalArgumentException(
                    "add a handler: the pool that it emits to is null; leave it out where it emits nothing: on(\"/in\", handler)");
        }
        return to;
    }

    /** Without a pool to emit to where that is null. */
    private FlowBuilder add(String watched, String to, Supplier<?> make, HandlerOptions options) {
        if (watched == null) {
            throw new IllegalArgumentException("add a handler: the pool that it watches is null; name it: on(\"/in\", handler)");
        }
        String name = options.named() ? options.nameOr("") : numbered(to == null ? watched : watched + " to " + to);
        options.write(text, name, watched, to);
        return add(name, make);
    }

    private FlowBuilder add(String name, Supplier<?> make) {
        given.add(new Given(Objects.requireNonNull(name, "name"), make));
        return this;
    }

    /** The second handler of a name has a number. */
    private String numbered(String name) {
        int number = names.merge(name, 1, Integer::sum);
        return number == 1 ? name : name + ", " + number;
    }

    private static Supplier<?> shared(Handler handler) {
        Objects.requireNonNull(handler, "handler");
        return () -> handler;
    }

    private static Supplier<?> instances(Class<? extends Handler> type) {
        Objects.requireNonNull(type, "type");
        return () -> {
            try {
                Constructor<? extends Handler> constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                return constructor.newInstance();
            } catch (InvocationTargetException failed) {
                throw Rethrown.as(failed.getCause());
            } catch (ReflectiveOperationException missing) {
                throw new IllegalArgumentException(
                        type.getName() + " cannot be made: " + missing + "; give it a constructor without parameters (of a nested "
                                + "class: make it static), or give a supplier", missing);
            }
        };
    }

    /** A checked exception as one that nobody has to declare. */
    private static final class Rethrown {
        @SuppressWarnings("unchecked")
        static <T extends Throwable> RuntimeException as(Throwable thrown) throws T {
            throw (T) thrown;
        }
    }

    private Task begin() {
        long table = Embedded.table();
        String keys = text.keys();
        try (UpcallFlowBuilder builder = FlowException.of(() -> UpcallFlowBuilder.withKeys(keys, text.of(file), path))) {
            FlowException.of(() -> {
                builder.program("java", MemorySegment.ofAddress(table), Functions.UPCALL_THREADS_OWN);
                for (Given handler : given) {
                    builder.give(handler.name, MemorySegment.ofAddress(Embedded.give(handler.make)));
                }
            });
            return new Task(FlowException.of(builder::start), "start a flow", null);
        }
    }
}
