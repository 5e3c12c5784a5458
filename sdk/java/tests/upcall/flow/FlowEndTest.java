package upcall.flow;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import upcall.ObjectHandler;

/** How a flow ends, and what is said to who uses it then. */
public final class FlowEndTest {
    private FlowEndTest() {}

    static void aFlowThatIsClosedSaysSoAndWhatItStoredIsRead() throws Exception {
        Flow flow = FlowTest.lengths().start();
        Pool lines = flow.pool("/lines");
        Pool lengths = flow.pool("/lengths");
        lines.put("1", "12345");
        flow.drain();
        flow.close();
        flow.close();
        equal(5L, FlowTest.number(lengths.get("1")), "a read afterwards");
        List<upcall.Check.Call> calls = List.of(
                () -> lines.put("2", "x"),
                () -> lines.tryPut("2", "x"),
                () -> lines.trigger("2", "x"),
                () -> lengths.remove("1"),
                () -> lengths.putIf("1", new byte[8], 0),
                flow::drain,
                flow::settle,
                flow::check,
                flow::hurry,
                flow::pools,
                flow::inFlight,
                flow::report,
                () -> flow.deadLetters("/lines"),
                () -> flow.pool("/lines"),
                () -> flow.watch("/lines"));
        for (int index = 0; index < calls.size(); index++) {
            equal(FlowError.STOPPED, FlowTest.failure(calls.get(index)), "call " + index);
        }
        for (CompletableFuture<?> future : List.of(lines.putAsync("2", "x"), flow.drainAsync(), flow.settleAsync())) {
            ExecutionException late = thrown(ExecutionException.class, () -> future.get(10, TimeUnit.SECONDS));
            equal(FlowError.STOPPED, ((FlowException) late.getCause()).error(), "a future");
        }
        flow.stopAsync().get();
    }

    static void aCloseEndsTheCallsOfOtherThreads() throws Exception {
        for (int round = 0; round < 20; round++) {
            FlowWaitTest.Full full = new FlowWaitTest.Full();
            List<Thread> threads = new ArrayList<>();
            List<Throwable> ended = java.util.Collections.synchronizedList(new ArrayList<>());
            List<upcall.Check.Call> calls = List.of(
                    () -> full.in.put("late", "v"),
                    full.flow::drain,
                    full.flow::settle,
                    () -> full.in.putAsync("later", "v").get(),
                    () -> {
                        while (true) {
                            full.flow.inFlight();
                            full.flow.pool("/out").get("k");
                        }
                    });
            for (upcall.Check.Call call : calls) {
                Thread thread = new Thread(() -> {
                    try {
                        call.run();
                    } catch (Throwable thrown) {
                        ended.add(thrown instanceof ExecutionException ? thrown.getCause() : thrown);
                    }
                });
                thread.start();
                threads.add(thread);
            }
            Thread.sleep(round);
            CompletableFuture<Void> stopped = full.flow.stopAsync();
            full.goOn.countDown();
            stopped.get(30, TimeUnit.SECONDS);
            for (Thread thread : threads) {
                thread.join(30_000);
                equal(false, thread.isAlive(), "a thread that waits");
            }
            equal(true, ended.size() >= 1, "the thread that never ends by itself");
            for (Throwable thrown : ended) {
                equal(true, thrown instanceof FlowException failure && failure.error() == FlowError.STOPPED, thrown.toString());
            }
        }
    }

    static void aHandlerMayCloseItsOwnFlow() throws Exception {
        for (int round = 0; round < 20; round++) {
            AtomicReference<Flow> own = new AtomicReference<>();
            CountDownLatch closed = new CountDownLatch(1);
            Flow flow = Flow.describe().pool("/in", PoolKind.TRIGGER).pool("/out")
                    .on("/in", "/out", (object, out) -> {
                        own.get().close();
                        closed.countDown();
                    })
                    .start();
            own.set(flow);
            flow.pool("/in").put("k", "v");
            equal(true, closed.await(20, TimeUnit.SECONDS), "returned inside the handler");
            FlowException stopped = thrown(FlowException.class, () -> {
                while (true) {
                    flow.pool("/in").tryPut("k", "v");
                    Thread.sleep(1);
                }
            });
            equal(FlowError.STOPPED, stopped.error(), stopped.getMessage());
        }
    }

    static void aCloseIsNotEndedByAnInterruptAndKeepsIt() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        Flow flow = Flow.describe().pool("/in", PoolKind.TRIGGER).pool("/out")
                .on("/in", "/out", (object, out) -> {
                    inside.countDown();
                    goOn.await();
                    left.countDown();
                })
                .start();
        flow.pool("/in").put("k", "v");
        inside.await();
        AtomicReference<String> said = new AtomicReference<>();
        Thread closing = new Thread(() -> {
            flow.close();
            said.set(left.getCount() + " " + Thread.currentThread().isInterrupted());
        });
        closing.start();
        closing.interrupt();
        closing.join(50);
        closing.interrupt();
        goOn.countDown();
        closing.join(20_000);
        equal("0 true", said.get(), "after the handler, interrupted");
    }

    static void aStopThatTakesTooLongGoesOn() throws Exception {
        FlowWaitTest.Full full = new FlowWaitTest.Full();
        thrown(TimeoutException.class, () -> full.flow.stop(Duration.ofMillis(20)));
        equal(FlowError.STOPPED, FlowTest.failure(full.flow::pools), "it has begun");
        full.goOn.countDown();
    }

    static void whatHasStoppedAFlowIsSaidByEveryCall() throws Exception {
        Flow flow = Flow.describe().memory(1 << 20).workers(1).pool("/in").start();
        FlowException full = thrown(FlowException.class, () -> {
            for (int number = 0; ; number++) {
                flow.pool("/in").put("k" + number, new byte[10_000]);
            }
        });
        equal(FlowError.OUT_OF_MEMORY, full.error(), full.getMessage());
        equal(FlowError.OUT_OF_MEMORY, FlowTest.failure(flow::check), "check");
        equal(FlowError.OUT_OF_MEMORY, FlowTest.failure(flow::drain), "drain");
        equal(FlowError.OUT_OF_MEMORY, FlowTest.failure(flow::close), "close");
    }

    static void aSecondStopWaitsForTheFirstAndNotInAHandlersOwnClose() throws Exception {
        AtomicReference<Flow> own = new AtomicReference<>();
        CountDownLatch closing = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Flow flow = Flow.describe().workers(1).pool("/in", PoolKind.TRIGGER)
                .on("/in", () -> new ClosesSlowly(own, closing, letGo, closed)).start();
        own.set(flow);
        CompletableFuture<Void> first = flow.stopAsync();
        equal(true, closing.await(20, TimeUnit.SECONDS), "the handler's close has closed the flow, and gone on");
        thrown(TimeoutException.class, () -> flow.stop(Duration.ofMillis(50)));
        CompletableFuture<Long> second = CompletableFuture.supplyAsync(() -> {
            flow.close();
            return closed.getCount();
        });
        CompletableFuture<Void> third = flow.stopAsync();
        thrown(TimeoutException.class, () -> second.get(50, TimeUnit.MILLISECONDS));
        equal(false, first.isDone() || third.isDone(), "a stop that has ended before the handler was closed");
        letGo.countDown();
        equal(0L, second.get(20, TimeUnit.SECONDS), "after the handler was closed");
        first.get(20, TimeUnit.SECONDS);
        third.get(20, TimeUnit.SECONDS);
        flow.stop(Duration.ofSeconds(20));
    }

    private record ClosesSlowly(AtomicReference<Flow> own, CountDownLatch closing, CountDownLatch letGo, CountDownLatch closed)
            implements upcall.ObjectHandler {
        @Override
        public void onObject(upcall.FlowObject object, upcall.Emitter out) {}

        @Override
        public void onClose() throws Exception {
            own.get().close();
            closing.countDown();
            letGo.await();
            closed.countDown();
        }
    }

    static void manyMayCloseAFlowWhileManyCallIt() throws Exception {
        for (int round = 0; round < 50; round++) {
            CountDownLatch closed = new CountDownLatch(1);
            Flow flow = Flow.describe().workers(2).pool("/in").pool("/out", "i64")
                    .on("/in", "/out", (object, out) -> out.putLong(object.key(), 1))
                    .on("/out", () -> new Closes(closed), new HandlerOptions().order(HandlerOrder.SINGLE))
                    .start();
            Pool in = flow.pool("/in");
            Watch watch = flow.watch("/");
            List<upcall.Check.Call> calls = List.of(
                    () -> in.put("k", "v"), () -> in.putAsync("a", "v"), () -> in.putIf("c", "v", 0), () -> in.remove("k"),
                    () -> in.get("k"), in::list, flow::report, flow::settle, () -> flow.pool("/out").putLong("k", 2),
                    () -> watch.next(Duration.ofMillis(1)), () -> flow.deadLetters("/in"), () -> flow.watch("/in").close());
            List<Throwable> wrong = java.util.Collections.synchronizedList(new ArrayList<>());
            CountDownLatch begun = new CountDownLatch(calls.size());
            List<Thread> threads = new ArrayList<>();
            for (upcall.Check.Call call : calls) {
                threads.add(new Thread(() -> {
                    begun.countDown();
                    // Reads go on when it has ended: of what it stored.
                    for (int turn = 0; turn < 100_000 && (closed.getCount() > 0 || turn < 20); turn++) {
                        try {
                            call.run();
                        } catch (Throwable thrown) {
                            boolean expected = thrown instanceof FlowException failure
                                    && (failure.error() == FlowError.STOPPED || failure.error() == FlowError.CONFLICT);
                            if (!expected) {
                                wrong.add(thrown);
                                return;
                            }
                        }
                    }
                }));
            }
            threads.forEach(Thread::start);
            begun.await();
            for (int closer = 0; closer < 3; closer++) {
                threads.add(new Thread(flow::close));
                threads.get(threads.size() - 1).start();
            }
            for (Thread thread : threads) {
                thread.join(30_000);
                equal(false, thread.isAlive(), "a thread that calls");
            }
            equal(List.of(), wrong, "what was thrown");
            equal(0L, closed.getCount(), "a handler that is open");
        }
    }

    static void aFlowThatNobodyHasAnyMoreStops() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        forget(closed);
        for (int round = 0; round < 200 && closed.getCount() > 0; round++) {
            System.gc();
            closed.await(50, TimeUnit.MILLISECONDS);
        }
        equal(0L, closed.getCount(), "its handler is open");
    }

    static void aFlowOfWhichOnlyAPoolAWatchOrADrainIsHeldGoesOn() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ObjectHandler waits = (object, out) -> {
            inside.countDown();
            goOn.await();
        };
        List<WeakReference<Flow>> flows = new ArrayList<>();
        List<Object> held = List.of(
                only(flows, waits, flow -> flow.pool("/in")),
                only(flows, waits, flow -> flow.watch("/in")),
                only(flows, waits, flow -> {
                    flow.pool("/in").put("k", "v");
                    inside.await();
                    return flow.drainAsync();
                }));
        System.gc();
        for (int index = 0; index < held.size(); index++) {
            equal(true, flows.get(index).get() != null, "the flow of " + held.get(index).getClass());
        }
        Pool pool = (Pool) held.get(0);
        Watch watch = (Watch) held.get(1);
        goOn.countDown();
        pool.put("k", "v");
        equal(false, watch.hasEnded(), "the watch has ended");
        ((CompletableFuture<?>) held.get(2)).get(20, TimeUnit.SECONDS);
    }

    private static Object only(List<WeakReference<Flow>> flows, ObjectHandler handler, Use use) throws Exception {
        Flow flow = Flow.describe().workers(1).pool("/in", PoolKind.TRIGGER).on("/in", handler).start();
        flows.add(new WeakReference<>(flow));
        return use.of(flow);
    }

    private interface Use {
        Object of(Flow flow) throws Exception;
    }

    private static void forget(CountDownLatch closed) throws InterruptedException {
        FlowTest.lengths().on("/lines", "/lengths", () -> new Closes(closed), new HandlerOptions().order(HandlerOrder.SINGLE)).start();
    }

    private record Closes(CountDownLatch closed) implements upcall.ObjectHandler {
        @Override
        public void onObject(upcall.FlowObject object, upcall.Emitter out) {}

        @Override
        public void onClose() {
            closed.countDown();
        }
    }
}
