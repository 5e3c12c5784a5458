package upcall.flow;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

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
                () -> lengths.putIf("1", "12345678", 0),
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

    static void aFlowThatNobodyHasAnyMoreStops() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        forget(closed);
        for (int round = 0; round < 200 && closed.getCount() > 0; round++) {
            System.gc();
            closed.await(50, TimeUnit.MILLISECONDS);
        }
        equal(0L, closed.getCount(), "its handler is open");
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
