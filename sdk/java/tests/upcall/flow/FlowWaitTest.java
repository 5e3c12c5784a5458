package upcall.flow;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;

/** How waits end: timed out, interrupted, cancelled, stopped, or inside a handler. */
public final class FlowWaitTest {
    private static final Duration SHORT = Duration.ofMillis(30);

    private FlowWaitTest() {}

    /** A flow whose only handler waits until it may go on, and which has no credit left. */
    static final class Full implements AutoCloseable {
        final CountDownLatch goOn = new CountDownLatch(1);
        final CountDownLatch inside = new CountDownLatch(1);
        final Flow flow;
        final Pool in;

        Full() throws InterruptedException {
            flow = Flow.describe().workers(1).credit(1 << 20, 4).pool("/in", PoolKind.TRIGGER).pool("/out")
                    .on("/in", "/out", (object, out) -> {
                        inside.countDown();
                        goOn.await();
                        out.put(object.key(), object.value());
                    })
                    .start();
            in = flow.pool("/in");
            for (int number = 0; in.tryPut("k" + number, "v"); number++) {}
            inside.await();
        }

        @Override
        public void close() {
            goOn.countDown();
            flow.close();
        }
    }

    /** What nobody waits for any more comes by itself. */
    private static Stored late(Full full) throws InterruptedException {
        Pool out = full.flow.pool("/out");
        for (int look = 0; look < 2000 && out.get("late") == null; look++) {
            Thread.sleep(5);
        }
        return out.get("late");
    }

    static void putsThatWaitForCreditArePutInTheOrderInWhichTheyWereAskedFor() throws Exception {
        try (Flow flow = Flow.describe().credit(1 << 20, 4).pool("/in")
                .on("/in", (object, out) -> Thread.sleep(1), new HandlerOptions().order(HandlerOrder.ANY))
                .start()) {
            Pool in = flow.pool("/in");
            List<CompletableFuture<Long>> puts = new ArrayList<>();
            for (int number = 0; number < 300; number++) {
                puts.add(in.putAsync("k", "" + number));
                if (number % 3 == 0) {
                    // Credit comes back in between.
                    Thread.sleep(1);
                }
            }
            // One that holds up its thread waits behind them too.
            in.put("k", "last");
            List<Long> versions = puts.stream().map(CompletableFuture::join).toList();
            equal(versions.stream().sorted().toList(), versions, "the versions");
            equal("last", in.get("k").valueText(), "the newest");
        }
    }

    static void aPutThatIsInterruptedThrowsAndIsPutWhenThereIsCredit() throws Exception {
        try (Full full = new Full()) {
            AtomicReference<Throwable> ended = new AtomicReference<>();
            Thread putting = new Thread(() -> {
                try {
                    full.in.put("late", "v");
                } catch (Throwable thrown) {
                    ended.set(thrown);
                }
            });
            putting.start();
            while (putting.getState() != Thread.State.WAITING && putting.getState() != Thread.State.TIMED_WAITING) {
                Thread.sleep(1);
            }
            putting.interrupt();
            putting.join(10_000);
            equal(InterruptedException.class, ended.get() == null ? null : ended.get().getClass(), "the put");
            full.goOn.countDown();
            equal("v", late(full).valueText(), "put all the same");
            // A thread that is interrupted already does not begin to wait.
            Thread.currentThread().interrupt();
            full.in.put("now", "v");
            equal(true, Thread.interrupted(), "kept, as there was credit");
        }
    }

    static void aWaitThatTakesTooLongThrowsAndWhatItWaitedForGoesOn() throws Exception {
        try (Full full = new Full()) {
            byte[] key = "late".getBytes(StandardCharsets.UTF_8);
            thrown(TimeoutException.class, () -> full.in.put(key, key, SHORT));
            thrown(TimeoutException.class, () -> full.flow.settle(SHORT));
            TimeoutException drain = thrown(TimeoutException.class, () -> full.flow.drain(SHORT));
            equal("drain a flow: it has not ended after PT0.03S; it goes on", drain.getMessage(), "the message");
            thrown(TimeoutException.class, () -> full.flow.drainAsync().get(30, TimeUnit.MILLISECONDS));
            thrown(IllegalArgumentException.class, () -> full.flow.drain(Duration.ofMillis(-1)));
            full.goOn.countDown();
            equal("late", late(full).valueText(), "put when there was credit");
            full.flow.drain(Duration.ofSeconds(30));
            full.flow.drain(Duration.ofSeconds(Long.MAX_VALUE));
        }
    }

    static void aCancelledFutureIsToldApartAndItsPutGoesOn() throws Exception {
        try (Full full = new Full()) {
            CompletableFuture<Long> put = full.in.putAsync("late", "v");
            equal(false, put.isDone(), "without credit");
            put.cancel(true);
            thrown(CancellationException.class, put::get);
            full.goOn.countDown();
            equal("v", late(full).valueText(), "put all the same");
        }
    }

    static void aCancelledStartIsStopped() throws Exception {
        CountDownLatch opening = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        CompletableFuture<Flow> start = FlowTest.lengths().on("/lines", "/lengths", () -> new upcall.ObjectHandler() {
            @Override
            public void onOpen(upcall.OpenContext open) throws InterruptedException {
                opening.await();
            }

            @Override
            public void onObject(upcall.FlowObject object, upcall.Emitter out) {}

            @Override
            public void onClose() {
                closed.countDown();
            }
        }, new HandlerOptions().order(HandlerOrder.SINGLE)).startAsync();
        start.cancel(true);
        opening.countDown();
        equal(true, closed.await(20, TimeUnit.SECONDS), "closed");
    }

    static void aThousandFuturesNeedNoThreadsOfTheirOwn() throws Exception {
        try (Full full = new Full()) {
            int before = Thread.activeCount();
            List<CompletableFuture<Long>> puts = new ArrayList<>();
            for (int number = 0; number < 1000; number++) {
                puts.add(full.in.putAsync("n" + number, "v"));
            }
            int more = Thread.activeCount() - before;
            equal(true, more <= Math.max(2, Runtime.getRuntime().availableProcessors()), more + " threads more");
            full.goOn.countDown();
            CompletableFuture.allOf(puts.toArray(CompletableFuture<?>[]::new)).get(60, TimeUnit.SECONDS);
            full.flow.drain();
            equal(1000, full.flow.pool("/out").list("n").size(), "all of them");
        }
    }

    static void whatHangsOnAFutureMayWaitForTheFlow() throws Exception {
        try (Flow flow = FlowTest.lengths().start()) {
            List<CompletableFuture<Long>> chains = new ArrayList<>();
            for (int number = 0; number < 50; number++) {
                String key = "k" + number;
                chains.add(flow.pool("/lines").putAsync(key, "12345").thenCompose(put -> flow.drainAsync()).thenApply(drained -> {
                    flow.drainAsync().join();
                    return FlowTest.number(flow.pool("/lengths").get(key));
                }));
            }
            for (CompletableFuture<Long> chain : chains) {
                equal(5L, chain.get(60, TimeUnit.SECONDS), "the length");
            }
        }
    }

    static void aBlockingCallInsideAHandlerOfTheSameFlowIsRefused() throws Exception {
        AtomicReference<Flow> own = new AtomicReference<>();
        try (Flow flow = Flow.describe().pool("/in", PoolKind.TRIGGER).pool("/out")
                .on("/in", "/out", (object, out) -> {
                    thrown(FlowException.class, () -> own.get().drain());
                    out.put("drain", thrown(FlowException.class, () -> own.get().settle()).error().name());
                    out.put("tried", Boolean.toString(own.get().pool("/out").tryPut("by try", "1")));
                })
                .start()) {
            own.set(flow);
            flow.pool("/in").put("k", "v");
            flow.drain();
            equal("IN_HANDLER", flow.pool("/out").get("drain").valueText(), "drain and settle");
            equal("true", flow.pool("/out").get("tried").valueText(), "what does not wait");
        }
    }

    static void aPutInsideAHandlerOfTheSameFlowIsRefusedAlsoWhereThereIsCredit() throws Exception {
        AtomicReference<Pool> own = new AtomicReference<>();
        try (Flow other = Flow.describe().pool("/other").start();
                Flow flow = Flow.describe().workers(2).pool("/in", PoolKind.TRIGGER).pool("/out").pool("/words")
                        .on("/in", "/words", (object, out) -> {
                            Pool pool = own.get();
                            byte[] bytes = {'k'};
                            out.put("put", refused(() -> pool.put("k", "v")));
                            out.put("for a while", refused(() -> pool.put(bytes, bytes, SHORT)));
                            out.put("many", refused(() -> pool.putMany(new PutBatch().add("k", "v"))));
                            out.put("putIf", refused(() -> pool.putIf("k", "v", 0)));
                            out.put("trigger", refused(() -> pool.trigger("k", "v")));
                            out.put("remove", refused(() -> pool.remove("k")));
                            other.pool("/other").put("k", "v");
                            pool.putAsync("later", "v");
                        })
                        .start()) {
            own.set(flow.pool("/out"));
            flow.pool("/in").put("k", "v");
            flow.drain();
            equal(List.of(), flow.deadLetters("/in"), "failures");
            String why = " /out from inside a handler of the same flow: it would wait for itself; emit instead, or use ";
            Pool words = flow.pool("/words");
            for (String put : List.of("put", "for a while", "many")) {
                equal("put into" + why + "tryPut", words.get(put).valueText(), put);
            }
            equal("put into" + why + "putIfAsync", words.get("putIf").valueText(), "putIf");
            equal("trigger in" + why + "triggerAsync", words.get("trigger").valueText(), "trigger");
            equal("remove from" + why + "removeAsync", words.get("remove").valueText(), "remove");
            equal(List.of("later"), own.get().list(), "what was not refused");
            other.settle();
            equal("v", other.pool("/other").get("k").valueText(), "a put into another flow");
            own.get().put("k", "v");
        }
    }

    /** A handler as a file names it: puts into a pool of its own flow. */
    public static final class PutsItself implements ObjectHandler {
        static final AtomicReference<Pool> OWN = new AtomicReference<>();

        @Override
        public void onObject(FlowObject object, Emitter out) {
            out.put(object.key(), refused(() -> OWN.get().put("k", "v")));
        }
    }

    static void aPutInsideAHandlerThatAFileLoadsIsRefusedToo() throws Exception {
        String classes = new File(FlowWaitTest.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getPath();
        String text = "[pool.\"/in\"]\nkind = \"trigger\"\n[pool.\"/words\"]\n[pool.\"/own\"]\n[[handler]]\nname = \"puts\"\non = \"/in\"\n"
                + "to = \"/words\"\njava = '" + classes + "'\nclass = \"upcall.flow.FlowWaitTest$PutsItself\"\n";
        try (Flow flow = Flow.fromToml(text).start()) {
            PutsItself.OWN.set(flow.pool("/own"));
            flow.pool("/in").put("k", "v");
            flow.drain();
            equal(List.of(), flow.deadLetters("/in"), "failures");
            equal(true, flow.pool("/words").get("k").valueText().startsWith("put into /own from inside a handler of the same flow"),
                    "why it is refused");
        }
    }

    private static String refused(upcall.Check.Call call) {
        FlowException refused = thrown(FlowException.class, call);
        equal(FlowError.IN_HANDLER, refused.error(), refused.getMessage());
        return refused.getMessage();
    }
}
