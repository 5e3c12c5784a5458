package upcall.flow;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import upcall.bindings.UpcallTask;
import upcall.bindings.UpcallTaskPollWake;

/**
 * Something of the engine's that takes a while. A thread waits for it, or a future is completed when it has ended. Nobody's
 * patience ends it: what waits for credit is put all the same.
 */
final class Task {
    private final UpcallTask task;
    private final String what;
    // It stops when it is collected; null as long as there is none.
    private final Flow flow;

    Task(UpcallTask task, String what, Flow flow) {
        this.task = task;
        this.what = what;
        this.flow = flow;
    }

    /** Waits until it has ended; for ever where the time is null. What it came to is read by {@link #result}. */
    void await(Duration timeout) throws InterruptedException, TimeoutException {
        if (ended()) {
            return;
        }
        long began = System.nanoTime();
        long patience = timeout == null ? Long.MAX_VALUE : nanos(timeout);
        try {
            while (true) {
                CountDownLatch woken = new CountDownLatch(1);
                if (FlowException.of(() -> task.poll(woken::countDown))) {
                    return;
                }
                if (!woken.await(patience - (System.nanoTime() - began), TimeUnit.NANOSECONDS)) {
                    throw new TimeoutException(what + ": it has not ended after " + timeout + "; it goes on");
                }
            }
        } catch (InterruptedException | TimeoutException ended) {
            future(nothing -> null);
            throw ended;
        } finally {
            Reference.reachabilityFence(flow);
        }
    }

    /** The same without an end to its patience. */
    void await() throws InterruptedException {
        try {
            await(null);
        } catch (TimeoutException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** The same, whatever interrupts the thread: that is kept for its next wait. */
    void awaitThrough() {
        boolean interrupted = Thread.interrupted();
        try {
            if (ended()) {
                return;
            }
            while (true) {
                CountDownLatch woken = new CountDownLatch(1);
                if (FlowException.of(() -> task.poll(woken::countDown))) {
                    return;
                }
                while (woken.getCount() > 0) {
                    try {
                        woken.await();
                    } catch (InterruptedException again) {
                        interrupted = true;
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether it has ended. Refuses where a handler of the same flow would wait for itself. */
    private boolean ended() {
        try {
            return FlowException.of(() -> task.wait_(0));
        } catch (FlowException refused) {
            // A drain that nobody asks for again would hold up the others.
            task.close();
            throw refused;
        }
    }

    /** What it came to, once it has ended. Once. */
    <T> T result(Function<UpcallTask, T> read) {
        try (task) {
            return FlowException.of(() -> read.apply(task));
        }
    }

    /** Completed with what it comes to, on a thread of {@link Threads}. Cancelled, nobody waits for it. */
    <T> CompletableFuture<T> future(Function<UpcallTask, T> read) {
        return future(read, nothing -> {});
    }

    /** The same; {@code unwanted} takes what it came to where the future was cancelled meanwhile. */
    <T> CompletableFuture<T> future(Function<UpcallTask, T> read, Consumer<T> unwanted) {
        CompletableFuture<T> future = new CompletableFuture<>();
        complete(future, read, unwanted);
        return future;
    }

    private <T> void complete(CompletableFuture<T> future, Function<UpcallTask, T> read, Consumer<T> unwanted) {
        try {
            // A waker may be called more than once.
            AtomicBoolean woken = new AtomicBoolean();
            UpcallTaskPollWake wake = () -> {
                if (woken.compareAndSet(false, true)) {
                    Threads.run(() -> complete(future, read, unwanted));
                }
            };
            if (FlowException.of(() -> task.poll(wake))) {
                T value = result(read);
                if (!future.complete(value)) {
                    unwanted.accept(value);
                }
            }
        } catch (Throwable failed) {
            future.completeExceptionally(failed);
        }
    }

    /** A time to wait; for ever where it is more than a `long` of nanoseconds. */
    static long nanos(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("a time to wait is not negative: " + timeout);
        }
        try {
            return timeout.toNanos();
        } catch (ArithmeticException endless) {
            return Long.MAX_VALUE;
        }
    }
}
