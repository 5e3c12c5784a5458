package upcall.flow;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Watching pools: by hand, and by a subscriber. */
public final class WatchTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private WatchTest() {}

    /** Keeps what it is told, as text. */
    static class Told implements Subscriber<FlowEvent> {
        final BlockingQueue<String> signals = new LinkedBlockingQueue<>();
        volatile Subscription subscription;

        @Override
        public void onSubscribe(Subscription subscription) {
            this.subscription = subscription;
            signals.add("subscribed");
        }

        @Override
        public void onNext(FlowEvent event) {
            signals.add(text(event));
        }

        @Override
        public void onError(Throwable thrown) {
            signals.add(thrown.toString());
        }

        @Override
        public void onComplete() {
            signals.add("completed");
        }

        String next() throws InterruptedException {
            return signals.poll(20, TimeUnit.SECONDS);
        }

        void silent() throws InterruptedException {
            equal(null, signals.poll(50, TimeUnit.MILLISECONDS), "a signal that nobody has requested");
        }
    }

    static void putsRemovalsAndWhatWasMissedAreSeen() throws Exception {
        try (Flow flow = Flow.describe().pool("/p").pool("/p/below").start(); Watch watch = flow.watch("/p", 2)) {
            flow.pool("/p").putAsync("a", "1").get();
            flow.pool("/p/below").remove("b");
            flow.pool("/p").putAsync("c", "3").get();
            flow.pool("/p").putAsync("d", "4").get();
            List<String> seen = new ArrayList<>();
            while (seen.size() < 3) {
                watch.next(LONG).forEach(event -> seen.add(text(event)));
            }
            equal(List.of("/p a=1 at 1", "/p/below b removed at 1", "/p missed 2, 2 to 3"), seen, "the events");
            equal(List.of(), watch.next(Duration.ofMillis(10)), "nothing more");
        }
    }

    static void aSubscriberIsHandedWhatItRequestsAndNoMore() throws Exception {
        try (Flow flow = Flow.describe().pool("/p").start(); Watch watch = flow.watch("/p", 10)) {
            Told told = new Told();
            watch.subscribe(told);
            equal("subscribed", told.next(), "first");
            for (int number = 1; number <= 5; number++) {
                flow.pool("/p").putAsync("k", "" + number).get();
            }
            told.silent();
            told.subscription.request(2);
            equal("/p k=1 at 1", told.next(), "the first");
            equal("/p k=2 at 2", told.next(), "the second");
            told.silent();
            told.subscription.request(Long.MAX_VALUE);
            told.subscription.request(Long.MAX_VALUE);
            equal("/p k=3 at 3", told.next(), "the third");
            flow.pool("/p").putAsync("k", "6").get();
            equal("/p k=4 at 4", told.next(), "the fourth");
            equal("/p k=5 at 5", told.next(), "the fifth");
            equal("/p k=6 at 6", told.next(), "the sixth");
            told.silent();
        }
    }

    static void aSlowSubscriberIsToldWhatItMissedAndHoldsUpNobody() throws Exception {
        try (Flow flow = Flow.describe().pool("/p").start(); Watch watch = flow.watch("/p", 10)) {
            Told told = new Told();
            watch.subscribe(told);
            told.next();
            // What was taken ahead, one look at the watch, waits beside its buffer.
            for (int number = 1; number <= 1000; number++) {
                flow.pool("/p").putAsync("k", "v").get();
            }
            told.subscription.request(Long.MAX_VALUE);
            long seen = 0;
            long missed = 0;
            while (seen + missed < 1000) {
                String event = told.next();
                if (event.contains("missed")) {
                    missed += Long.parseLong(event.split("[ ,]+")[2]);
                } else {
                    seen++;
                }
            }
            equal(1000L, seen + missed, "all are accounted for");
            equal(true, missed > 0, "some were missed");
        }
    }

    static void aWatchEndsWithItsFlowBehindWhatWaits() throws Exception {
        Flow flow = Flow.describe().pool("/p").start();
        Watch byHand = flow.watch("/p");
        Told told = new Told();
        Told thirsty = new Told();
        flow.watch("/p").subscribe(told);
        flow.watch("/p").subscribe(thirsty);
        told.next();
        thirsty.next();
        thirsty.subscription.request(Long.MAX_VALUE);
        flow.pool("/p").putAsync("k", "1").get();
        flow.close();
        equal("/p k=1 at 1", thirsty.next(), "what waited");
        equal("completed", thirsty.next(), "and the end");
        told.silent();
        told.subscription.request(1);
        equal("/p k=1 at 1", told.next(), "what waited for a request");
        equal("completed", told.next(), "which needs no request");
        equal(1, byHand.next(LONG).size(), "by hand");
        equal(List.of(), byHand.next(null), "the end, by hand");
        equal(true, byHand.hasEnded(), "it has ended");
    }

    static void aFlowThatIsClosedWakesWhoWalksItsWatchHoweverLongThatWouldWait() throws Exception {
        for (Duration patience : new Duration[] {null, LONG, Duration.ofSeconds(Long.MAX_VALUE)}) {
            Flow flow = Flow.describe().pool("/p").start();
            Watch watch = flow.watch("/p");
            AtomicReference<Object> found = new AtomicReference<>();
            Thread walking = new Thread(() -> {
                try {
                    found.set(watch.next(patience));
                } catch (InterruptedException | RuntimeException thrown) {
                    found.set(thrown);
                }
            });
            walking.start();
            Thread.sleep(30);
            flow.close();
            walking.join(20_000);
            equal(List.of(), found.get(), "what it found");
        }
    }

    static void aWatchThatIsClosedWhileItIsWalkedEndsTheWalkAndNoMoreBeginsThen() throws Exception {
        try (Flow flow = Flow.describe().pool("/p").start()) {
            Watch watch = flow.watch("/p");
            AtomicReference<Object> found = new AtomicReference<>();
            Thread walking = new Thread(() -> {
                try {
                    found.set(watch.next(null));
                } catch (InterruptedException | RuntimeException thrown) {
                    found.set(thrown);
                }
            });
            walking.start();
            while (walking.isAlive() && walking.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            watch.close();
            walking.join(20_000);
            equal(List.of(), found.get(), "what it found");
            thrown(IllegalStateException.class, () -> watch.next(null));
        }
    }

    static void aWatchThatIsClosedWhileItIsSubscribedToTellsItsSubscriberInTurn() throws Exception {
        try (Flow flow = Flow.describe().pool("/p").start()) {
            Watch watch = flow.watch("/p");
            Told told = new Told();
            WatchSubscription subscription = new WatchSubscription(watch, told);
            watch.close();
            // What the close calls, where it comes between.
            subscription.ask();
            told.silent();
            subscription.begin(true);
            equal("subscribed", told.next(), "first");
            equal("completed", told.next(), "and then the end");
        }
    }

    static void aClosedWatchCompletesItsSubscriberAndRefusesTheOthers() throws Exception {
        try (Flow flow = Flow.describe().pool("/p").start()) {
            Watch watch = flow.watch("/p");
            Told told = new Told();
            watch.subscribe(told);
            told.next();
            thrown(IllegalStateException.class, () -> watch.next(LONG));
            Told second = new Told();
            watch.subscribe(second);
            equal("subscribed", second.next(), "the second");
            equal(true, second.next().contains("it has a subscriber"), "and why it is refused");
            told.silent();
            watch.close();
            watch.close();
            equal("completed", told.next(), "the first");
            thrown(IllegalStateException.class, watch::hasEnded);
        }
    }

    static void aCancelledSubscriptionIsOverAndARequestOfNothingAnError() throws Exception {
        try (Flow flow = Flow.describe().pool("/p").start()) {
            Told cancelled = new Told();
            flow.watch("/p").subscribe(cancelled);
            cancelled.next();
            cancelled.subscription.request(10);
            cancelled.subscription.cancel();
            flow.pool("/p").putAsync("k", "1").get();
            cancelled.silent();
            Told wrong = new Told();
            flow.watch("/p").subscribe(wrong);
            wrong.next();
            wrong.subscription.request(0);
            equal("java.lang.IllegalArgumentException: request events of a watch: 0 is not positive", wrong.next(), "the error");
            wrong.subscription.request(1);
            wrong.silent();
        }
    }

    static void aSubscriberThatThrowsIsCancelledAndOthersGoOn() throws Exception {
        AtomicReference<Throwable> uncaught = new AtomicReference<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.set(thrown));
        try (Flow flow = Flow.describe().pool("/p").start()) {
            Told throwing = new Told() {
                @Override
                public void onNext(FlowEvent event) {
                    super.onNext(event);
                    throw new IllegalStateException("thrown by a subscriber");
                }
            };
            Told other = new Told();
            for (Told told : List.of(throwing, other)) {
                flow.watch("/p").subscribe(told);
                told.next();
                told.subscription.request(10);
            }
            flow.pool("/p").putAsync("k", "1").get();
            flow.pool("/p").putAsync("k", "2").get();
            equal("/p k=1 at 1", throwing.next(), "the one that throws");
            equal("/p k=1 at 1", other.next(), "the other");
            equal("/p k=2 at 2", other.next(), "the other goes on");
            throwing.silent();
            equal("thrown by a subscriber", uncaught.get().getMessage(), "what nobody caught");
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    private static String text(FlowEvent event) {
        if (event instanceof FlowEvent.Put put) {
            return put.pool() + " " + put.key() + "=" + put.valueText() + " at " + put.version();
        }
        if (event instanceof FlowEvent.Removed removed) {
            return removed.pool() + " " + removed.key() + " removed at " + removed.version();
        }
        FlowEvent.Missed missed = (FlowEvent.Missed) event;
        return missed.pool() + " missed " + missed.count() + ", " + missed.first() + " to " + missed.last();
    }
}
