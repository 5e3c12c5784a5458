package upcall.flow;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import upcall.bindings.NativeBuffer;
import upcall.bindings.UpcallWatch;
import upcall.bindings.UpcallWatchPollWake;
import upcall.bindings.ValueLayout;

/**
 * The events of some pools, from the moment when it was made. It ends with the flow, and is closed when nobody walks it.
 *
 * <p>Walked by {@link #next}, or by one subscriber, which is handed as many events as it has requested: what it does not request
 * stays in the watch, and a full one counts what it misses.
 */
public final class Watch implements java.util.concurrent.Flow.Publisher<FlowEvent>, AutoCloseable {
    // Who has a watch uses its flow, which stops when it is collected.
    private final Flow flow;
    private final UpcallWatch watch;
    private final ReentrantLock walking = new ReentrantLock();
    private final AtomicBoolean subscribed = new AtomicBoolean();
    // What waits for more, to be told of the end too.
    private volatile Runnable waiting = () -> {};
    private final AtomicBoolean closed = new AtomicBoolean();

    Watch(Flow flow, UpcallWatch watch) {
        this.flow = flow;
        this.watch = watch;
    }

    /**
     * The events that are there, or waits so long for the first; none where there was none, the flow has stopped, or the watch is
     * closed meanwhile. For ever where the time is null.
     *
     * @throws IllegalStateException the watch was closed before, or has a subscriber
     */
    public List<FlowEvent> next(Duration timeout) throws InterruptedException {
        if (subscribed.get()) {
            throw new IllegalStateException("walk a watch: it has a subscriber; watch again for another walk");
        }
        checkOpen();
        long began = System.nanoTime();
        long patience = timeout == null ? Long.MAX_VALUE : Task.nanos(timeout);
        walking.lockInterruptibly();
        try {
            while (true) {
                CountDownLatch more = new CountDownLatch(1);
                waiting = more::countDown;
                // Asked first: what comes before the end is there then.
                boolean ended = hasEnded();
                List<FlowEvent> events = poll(more::countDown);
                if (!events.isEmpty() || ended || !more.await(patience - (System.nanoTime() - began), TimeUnit.NANOSECONDS)) {
                    return events;
                }
            }
        } catch (IllegalStateException ended) {
            if (closed.get()) {
                return List.of();
            }
            throw ended;
        } finally {
            walking.unlock();
            Reference.reachabilityFence(flow);
        }
    }

    /** Whether the flow has stopped, so that no event comes but those that wait. */
    public boolean hasEnded() {
        checkOpen();
        return FlowException.of(watch::hasEnded);
    }

    /**
     * Hands the events to a subscriber, the only one, on a thread of Upcall's and one at a time. It is completed when the flow has
     * ended and nothing waits; cancelled, the watch is closed.
     */
    @Override
    public void subscribe(java.util.concurrent.Flow.Subscriber<? super FlowEvent> subscriber) {
        Objects.requireNonNull(subscriber, "subscriber must not be null");
        boolean first = subscribed.compareAndSet(false, true);
        WatchSubscription subscription = new WatchSubscription(this, subscriber);
        if (first) {
            waiting = subscription::ask;
        }
        subscription.begin(first);
    }

    /** Ends it: the flow tells it no more, and a subscriber is completed. */
    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            watch.close();
            waiting.run();
        }
    }

    boolean isClosed() {
        return closed.get();
    }

    /** The events that are there; where there are none, {@code wake} is called when there may be, on a thread of the engine's. */
    List<FlowEvent> poll(UpcallWatchPollWake wake) {
        checkOpen();
        try (NativeBuffer events = FlowException.of(() -> watch.poll(wake))) {
            return FlowEvent.all(events.elements().toArray(ValueLayout.JAVA_BYTE));
        }
    }

    private void checkOpen() {
        if (closed.get()) {
            throw new IllegalStateException("walk a watch: it is closed");
        }
    }
}
