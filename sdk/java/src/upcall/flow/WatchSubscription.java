package upcall.flow;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A subscriber of a watch, and how much it has requested. It is called on one thread at a time. */
final class WatchSubscription implements Subscription {
    private final Watch watch;
    private final Subscriber<? super FlowEvent> subscriber;
    private final AtomicLong requested = new AtomicLong();
    // How often it was asked to run since it began to; above 0, somebody runs it. From the start that is who tells the subscriber.
    private final AtomicInteger asked = new AtomicInteger(1);
    private volatile boolean cancelled;
    private volatile Throwable failure;
    private volatile boolean refused;

    // Of whoever runs it. What was taken and not requested: one look at the watch at most.
    private final Deque<FlowEvent> taken = new ArrayDeque<>();

    WatchSubscription(Watch watch, Subscriber<? super FlowEvent> subscriber) {
        this.watch = watch;
        this.subscriber = subscriber;
    }

    /** Tells the subscriber; one that comes second is refused. */
    void begin(boolean first) {
        refused = !first;
        if (refused) {
            failure = new IllegalStateException("subscribe to a watch: it has a subscriber; watch again for another");
        }
        Threads.run(() -> {
            call(() -> subscriber.onSubscribe(this));
            run();
        });
    }

    @Override
    public void request(long events) {
        if (events <= 0) {
            failure = new IllegalArgumentException("request events of a watch: " + events + " is not positive");
        } else {
            requested.accumulateAndGet(events, (before, more) -> before + more < 0 ? Long.MAX_VALUE : before + more);
        }
        ask();
    }

    @Override
    public void cancel() {
        cancelled = true;
        ask();
    }

    /** Looks again for what there is to do. */
    void ask() {
        if (asked.getAndIncrement() == 0) {
            Threads.run(this::run);
        }
    }

    private void run() {
        int served;
        do {
            served = asked.get();
            serve();
        } while (asked.addAndGet(-served) > 0);
    }

    private void serve() {
        while (!cancelled) {
            if (failure != null) {
                end(() -> subscriber.onError(failure));
            } else if (taken.isEmpty()) {
                if (!take()) {
                    return;
                }
            } else if (requested.get() == 0) {
                return;
            } else {
                requested.updateAndGet(left -> left == Long.MAX_VALUE ? left : left - 1);
                FlowEvent event = taken.remove();
                call(() -> subscriber.onNext(event));
            }
        }
        taken.clear();
        if (!refused) {
            watch.close();
        }
    }

    /** Takes the events that are there. False where there are none yet. */
    private boolean take() {
        boolean ended;
        List<FlowEvent> events;
        try {
            // Asked first: what comes before the end is there then.
            ended = watch.hasEnded();
            events = watch.poll(this::ask);
        } catch (RuntimeException failed) {
            end(watch.isClosed() ? subscriber::onComplete : () -> subscriber.onError(failed));
            return true;
        }
        taken.addAll(events);
        if (events.isEmpty() && ended) {
            end(subscriber::onComplete);
        }
        return !events.isEmpty() || ended;
    }

    private void end(Runnable signal) {
        cancelled = true;
        call(signal);
    }

    /** A subscriber that throws is cancelled; nobody else catches it. */
    private void call(Runnable signal) {
        try {
            signal.run();
        } catch (Throwable thrown) {
            cancelled = true;
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        }
    }
}
