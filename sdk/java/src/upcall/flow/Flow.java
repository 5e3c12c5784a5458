package upcall.flow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import upcall.bindings.UpcallFlow;
import upcall.bindings.UpcallTask;

/**
 * A running flow of this program's own. Every method may be called from any thread.
 *
 * <p>Closed, it stops, and what is in flight is lost: {@link #drain} first keeps it. One that is collected stops too, on a
 * thread of the engine's: when nobody has it any more, nor a pool or a watch of it, and nobody waits for it. Its threads are
 * daemons: an open flow does not keep a program alive.
 *
 * <pre>{@code
 * try (Flow flow = Flow.describe()
 *         .pool("/lines", PoolKind.TRIGGER)
 *         .pool("/lengths", "u64")
 *         .on("/lines", "/lengths", (line, out) -> out.putLong(line.key(), line.value().length()))
 *         .start()) {
 *     flow.pool("/lines").put("1", "In the beginning");
 *     flow.drain();
 * }
 * }</pre>
 */
public final class Flow implements AutoCloseable {
    // Never closed: a flow that has stopped says so to whoever uses it.
    private final UpcallFlow flow;

    Flow(UpcallFlow flow) {
        this.flow = flow;
    }

    /** A flow that is described by code. */
    public static FlowBuilder describe() {
        return new FlowBuilder("", "");
    }

    /**
     * A flow that is described by a file, as {@code upcall run} takes it; handlers that name no code are given.
     *
     * @throws IOException the file cannot be read
     */
    public static FlowBuilder fromFile(Path path) throws IOException {
        return new FlowBuilder(Files.readString(path), path.toString());
    }

    /** A flow that is described by the text of such a file. */
    public static FlowBuilder fromToml(String text) {
        return fromToml(text, "");
    }

    /**
     * A flow that is described by the text of such a file.
     *
     * @param text the text
     * @param path where it would be, for messages and for the paths in it
     */
    public static FlowBuilder fromToml(String text, String path) {
        return new FlowBuilder(text, path);
    }

    /** The paths of its pools. */
    public List<String> pools() {
        return FlowException.of(flow::pools).lines().toList();
    }

    /** Objects in flight: put or emitted, and not yet handled. */
    public long inFlight() {
        return FlowException.of(flow::inFlight);
    }

    /**
     * The pool with this path. Find it once and keep it.
     *
     * @throws FlowException there is no such pool
     */
    public Pool pool(String path) {
        return new Pool(this, FlowException.of(() -> flow.pool(path)), path);
    }

    /** As {@link #watch(String, int)}, with room for 4,096 events. */
    public Watch watch(String prefix) {
        return watch(prefix, 4096);
    }

    /**
     * Watches the pool of this path and all below it, from now on. A watch that is {@code buffer} events behind is told how many
     * it missed, and never holds up the flow. It ends with the flow.
     *
     * @throws FlowException no pool is there or below
     */
    public Watch watch(String prefix, int buffer) {
        if (buffer < 0) {
            throw new IllegalArgumentException("a watch has no room for " + buffer + " events");
        }
        return new Watch(this, FlowException.of(() -> flow.watch(prefix, buffer)));
    }

    /**
     * Waits until nothing is in flight, tells every handler that its input has ended, and waits for what that leads to. The flow
     * goes on: more may be put afterwards. Interrupted, the wait ends, and the drain goes on.
     *
     * <p>Not inside a handler of this flow, which is refused, nor on a thread where one that answers later goes on: nobody can tell
     * that thread from another, and the drain would wait for the object that it is at.
     *
     * @throws FlowException the flow has stopped, or a handler failed in its flush
     */
    public void drain() throws InterruptedException {
        ended(task(flow::drain, "drain a flow"));
    }

    /** As {@link #drain()}, for so long at most. */
    public void drain(Duration timeout) throws InterruptedException, TimeoutException {
        ended(task(flow::drain, "drain a flow"), timeout);
    }

    /** As {@link #drain()}, without a thread that waits. */
    public CompletableFuture<Void> drainAsync() {
        return future(() -> task(flow::drain, "drain a flow"));
    }

    /**
     * Waits until nothing is in flight. Not inside a handler of this flow.
     *
     * @throws FlowException the flow has stopped
     */
    public void settle() throws InterruptedException {
        ended(task(flow::settle, "wait for a flow"));
    }

    /** As {@link #settle()}, for so long at most. */
    public void settle(Duration timeout) throws InterruptedException, TimeoutException {
        ended(task(flow::settle, "wait for a flow"), timeout);
    }

    /** As {@link #settle()}, without a thread that waits. */
    public CompletableFuture<Void> settleAsync() {
        return future(() -> task(flow::settle, "wait for a flow"));
    }

    /** Lets nothing wait for a retry any more, and no call for longer than five seconds: before a drain that must not take long. */
    public void hurry() {
        FlowException.of(flow::hurry);
    }

    /** What it has done so far; docs/report.md has the fields. Of JSON: maps, lists, text, {@code Long}, {@code Double}, booleans. */
    @SuppressWarnings("unchecked")
    public Map<String, Object> report() {
        return (Map<String, Object>) Json.parse(FlowException.of(flow::report));
    }

    /**
     * The dead letters about objects of a pool that are kept, oldest first.
     *
     * @throws FlowException there is no such pool
     */
    public List<DeadLetter> deadLetters(String pool) {
        return DeadLetter.all(FlowException.of(() -> flow.deadLetters(pool)));
    }

    /**
     * Throws what has stopped the flow, if anything has.
     *
     * @throws FlowException it has stopped
     */
    public void check() {
        FlowException.of(flow::check);
    }

    /**
     * Stops it and closes every handler. Returns when they are closed; inside one of them, at once. An interrupt does not end the
     * wait, and is kept for the next.
     *
     * @throws FlowException what had stopped the flow before
     */
    @Override
    public void close() {
        Task stop = task(flow::stop, "stop a flow");
        try {
            stop.awaitThrough();
        } catch (FlowException refused) {
            if (refused.error() == FlowError.IN_HANDLER) {
                // It stops when the handler has returned.
                return;
            }
            throw refused;
        }
        stop.result(Flow::checked);
    }

    /** As {@link #close}, for so long at most; it goes on stopping. */
    public void stop(Duration timeout) throws InterruptedException, TimeoutException {
        ended(task(flow::stop, "stop a flow"), timeout);
    }

    /** As {@link #close}, without a thread that waits. */
    public CompletableFuture<Void> stopAsync() {
        return future(() -> task(flow::stop, "stop a flow"));
    }

    private Task task(Supplier<UpcallTask> begin, String what) {
        return new Task(FlowException.of(begin), what, this);
    }

    private static void ended(Task task) throws InterruptedException {
        task.await();
        task.result(Flow::checked);
    }

    private static void ended(Task task, Duration timeout) throws InterruptedException, TimeoutException {
        task.await(timeout);
        task.result(Flow::checked);
    }

    /** A future, also of what cannot begin. */
    private static CompletableFuture<Void> future(Supplier<Task> begin) {
        try {
            return begin.get().future(Flow::checked);
        } catch (FlowException failed) {
            return CompletableFuture.failedFuture(failed);
        }
    }

    private static Void checked(UpcallTask task) {
        task.check();
        return null;
    }
}
