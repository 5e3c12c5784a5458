package upcall;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import upcall.testing.Emitted;
import upcall.testing.HandlerFailedException;
import upcall.testing.Harness;

/** Handlers that answer later. */
final class LaterTest {
    private LaterTest() {}

    /** Keeps each object open until the test lets it go. */
    private static final class Opens implements AsyncObjectHandler {
        private final Map<String, CompletableFuture<String>> gates = new java.util.concurrent.ConcurrentHashMap<>();
        private final CompletableFuture<String> cancelled = new CompletableFuture<>();
        private volatile AsyncObject last;
        private volatile AsyncEmitter emitter;
        private volatile CompletableFuture<?> answer;

        @Override
        public CompletableFuture<?> onObject(AsyncObject object, AsyncEmitter out) {
            last = object;
            emitter = out;
            out.put(object.keyBytes(), "begun");
            CompletableFuture<String> gate = new CompletableFuture<>();
            gates.put(object.keyText(), gate);
            object.onCancel(() -> {
                try {
                    object.throwIfOver();
                } catch (RuntimeException over) {
                    cancelled.complete(over.getClass().getSimpleName());
                }
            });
            answer = gate.thenAccept(value -> out.put(object.keyText(), value + " " + object.valueText()));
            return answer;
        }

        @Override
        public CompletableFuture<?> onFlush(AsyncEmitter out) {
            return CompletableFuture.runAsync(() -> out.put("end", "flushed"));
        }
    }

    private static Throwable cause(CompletableFuture<?> future) {
        return Check.thrown(CompletionException.class, future::join).getCause();
    }

    static void severalObjectsAreOpenAndAnsweredInAnyOrder() {
        try (Harness<Opens> harness = new Harness<>(new Opens()).emits("/out")) {
            CompletableFuture<Void> first = harness.putAsync("a", "1");
            CompletableFuture<Void> second = harness.putAsync("b", "2");
            Check.equal(List.of(), harness.emitted(), "nothing before the answer");
            harness.handler().gates.get("b").complete("later");
            second.join();
            Check.equal("[/out b \"begun\", /out b \"later 2\"]", harness.emitted().toString(), "the second");
            Check.equal(false, first.isDone(), "the first is open");
            harness.handler().gates.get("a").complete("later");
            first.join();
            harness.flush();
            Check.equal(List.of("b", "b", "a", "a", "end"), harness.emitted().stream().map(Emitted::keyText).toList(), "all");
            Check.equal(true, harness.describe().answersLater(), "it says so");
        }
    }

    static void whatItsFutureFailsWithIsItsFailure() {
        try (Harness<Opens> harness = new Harness<>(new Opens()).emits("/out")) {
            CompletableFuture<Void> put = harness.putAsync("a", "1");
            harness.handler().gates.get("a").completeExceptionally(new IllegalStateException("no service"));
            HandlerFailedException failed = (HandlerFailedException) cause(put);
            Check.equal("java.lang.IllegalStateException: no service", failed.typeName() + ": " + failed.getMessage(), "its cause");
            Check.equal(0, failed.item(), "the object");
            Check.equal(List.of(), harness.emitted(), "what it emitted is forgotten");
        }
        AsyncObjectHandler none = (object, out) -> null;
        try (Harness<AsyncObjectHandler> harness = new Harness<>(none)) {
            Check.failed("java.lang.NullPointerException", "onObject has returned null in place of a future",
                    () -> harness.put("a", "1"));
        }
        AsyncObjectHandler throwing = (object, out) -> {
            throw new java.io.IOException("at once");
        };
        try (Harness<AsyncObjectHandler> harness = new Harness<>(throwing)) {
            Check.failed("java.io.IOException", "at once", () -> harness.put("a", "1"));
        }
    }

    /** Throws when it is asked, so often. */
    private static final class Hostile extends CompletionException {
        private static final long serialVersionUID = 1;

        private final transient AtomicInteger times;

        Hostile(int times) {
            super(new IllegalStateException("no service"));
            this.times = new AtomicInteger(times);
        }

        @Override
        public synchronized Throwable getCause() {
            if (times.getAndDecrement() > 0) {
                throw new StackOverflowError();
            }
            return super.getCause();
        }
    }

    private static HandlerFailedException failure(CompletableFuture<?> put) throws Exception {
        return (HandlerFailedException) Check.thrown(ExecutionException.class, () -> put.get(20, TimeUnit.SECONDS)).getCause();
    }

    static void anAnswerThatOverflowsTheStackIsGivenOnAnotherThread() throws Exception {
        try (Harness<Opens> harness = new Harness<>(new Opens()).emits("/out")) {
            CompletableFuture<Void> once = harness.putAsync("once", "1");
            harness.handler().gates.get("once").completeExceptionally(new Hostile(1));
            HandlerFailedException failed = failure(once);
            Check.equal("java.lang.IllegalStateException: no service", failed.typeName() + ": " + failed.getMessage(), "its cause");
            CompletableFuture<Void> ever = harness.putAsync("ever", "1");
            harness.handler().gates.get("ever").completeExceptionally(new Hostile(Integer.MAX_VALUE));
            Check.equal(" 0", failure(ever).getMessage() + " " + failure(ever).item(), "a failure without a word");
            Check.equal(List.of(), harness.emitted(), "what they emitted is forgotten");
        }
    }

    static void anAnswerThatDoesNotReachTheEngineIsGivenAgain() throws Exception {
        try (Harness<Opens> harness = new Harness<>(new Opens()).emits("/out")) {
            CompletableFuture<Void> put = harness.putAsync("a", "1");
            Calls before = Calls.to;
            Calls.to = new OverflowsOnce(before);
            try {
                harness.handler().gates.get("a").complete("later");
                put.get(20, TimeUnit.SECONDS);
            } finally {
                Calls.to = before;
            }
            Check.equal("[/out a \"begun\", /out a \"later 1\"]", harness.emitted().toString(), "what it emitted");
        }
    }

    /** The stack is used up when the first frame is to be completed. */
    private static final class OverflowsOnce extends Calls {
        private final Calls calls;
        private final AtomicInteger left = new AtomicInteger(1);

        OverflowsOnce(Calls calls) {
            this.calls = calls;
        }

        @Override
        int grow(long function, long frame, long need) {
            return calls.grow(function, frame, need);
        }

        @Override
        int ask(long function, long context, long query, long found) {
            return calls.ask(function, context, query, found);
        }

        @Override
        void log(long function, long context, int level, long text, long length) {
            calls.log(function, context, level, text, length);
        }

        @Override
        void complete(long function, long frame, int status) {
            if (left.getAndDecrement() > 0) {
                throw new StackOverflowError();
            }
            calls.complete(function, frame, status);
        }
    }

    static void adeadlineACancellationAndACloseAreToldApart() throws Exception {
        for (String how : List.of("ItemTimedOutException", "ItemCancelledException", "ItemClosedException")) {
            Harness<Opens> harness = new Harness<>(new Opens()).emits("/out");
            if (how.equals("ItemTimedOutException")) {
                harness.deadline(Duration.ofMillis(20));
            }
            CompletableFuture<Void> put = harness.putAsync("a", "1");
            switch (how) {
                case "ItemCancelledException" -> harness.cancel();
                case "ItemClosedException" -> harness.close();
                default -> {}
            }
            Check.equal(how, cause(put).getClass().getSimpleName(), "what the harness says");
            Check.equal(how, harness.handler().cancelled.get(10, TimeUnit.SECONDS), "what the handler hears");
            Check.thrown(java.util.concurrent.CancellationException.class, () -> harness.handler().answer.get(10, TimeUnit.SECONDS));
            // An answer that comes after that does not count, and what it uses says why.
            harness.handler().gates.get("a").complete("late");
            RuntimeException late = Check.thrown(RuntimeException.class, () -> harness.handler().emitter.put("a", "late"));
            Check.equal(how, late.getClass().getSimpleName(), "the emitter");
            Check.equal(List.of(), harness.emitted(), "nothing counts");
            harness.close();
        }
    }

    static void whatBelongsToAnAnsweredObjectIsOver() {
        try (Harness<Opens> harness = new Harness<>(new Opens()).emits("/out")) {
            CompletableFuture<Void> put = harness.putAsync("a", "1");
            harness.handler().gates.get("a").complete("done");
            put.join();
            for (Check.Call use : List.<Check.Call>of(
                    () -> harness.handler().last.keyText(),
                    () -> harness.handler().last.onCancel(() -> {}),
                    () -> harness.handler().emitter.putLong("a", 1))) {
                Check.equal(
                        "the object was answered already: its future is complete; complete it behind everything that uses the object",
                        Check.thrown(ItemClosedException.class, use).getMessage(),
                        "over");
            }
        }
    }

    static void blockingWorkIsInterruptedAtItsDeadline() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        CountDownLatch interrupted = new CountDownLatch(1);
        AsyncObjectHandler blocks = (object, out) -> object.run(threads, () -> {
            if (object.keyText().equals("long")) {
                try {
                    Thread.sleep(60_000);
                } catch (InterruptedException exception) {
                    interrupted.countDown();
                    throw exception;
                }
            }
            out.put(object.keyText(), "done");
        });
        try (Harness<AsyncObjectHandler> harness = new Harness<>(blocks).emits("/out").deadline(Duration.ofMillis(300))) {
            CompletableFuture<Void> slow = harness.putAsync("long", "");
            harness.put("short", "");
            Check.equal("[/out short \"done\"]", harness.emitted().toString(), "the short one");
            Check.equal(ItemTimedOutException.class, cause(slow).getClass(), "the long one");
            Check.equal(true, interrupted.await(10, TimeUnit.SECONDS), "its thread is interrupted");
        } finally {
            threads.shutdownNow();
        }
    }

    private static final class Sums implements AsyncTypedHandler<Long, Long> {
        private PoolId sums;

        @Override
        public void onOpen(OpenContext open) {
            sums = open.pool("/sums");
        }

        @Override
        public CompletableFuture<Void> onObject(Long value, AsyncObject object, AsyncTypedEmitter<Long> out) {
            return CompletableFuture.runAsync(() -> {
                FoundCopy found = out.get(sums, object.keyBytes());
                out.putIf(object.keyBytes(), value + (found == null ? 0 : found.valueAs(Long.class)), found == null ? 0 : found.version());
                out.of(String.class).put("/texts", object.keyText(), String.join(",", texts(out.list(sums, ""))));
            });
        }

        private static List<String> texts(List<byte[]> keys) {
            return keys.stream().map(String::new).toList();
        }
    }

    static void valuesAreReadAndEmittedOnAnyThread() {
        try (Harness<Sums> harness = new Harness<>(new Sums())
                .emits("/sums", "/texts")
                .readsValues("/sums", Map.entry("a", 5L), Map.entry("b", 6L))) {
            harness.putValueAsync("a", 10L).join();
            Emitted sum = harness.emitted().get(0);
            Check.equal("15 1", sum.valueAs(Long.class) + " " + sum.previous(), "the sum, on condition");
            Check.equal("/texts a \"a,b\"", harness.emitted().get(1).toString(), "the keys");
            HandlerFailedException failed = (HandlerFailedException) cause(harness.putAsync("a", "short"));
            Check.equal("read the value of a as Long: it has 5 bytes, not 8", failed.getMessage(), "no number");
        }
    }

    static void theSampleOfWarmIsWaitedFor() {
        CompletableFuture<String> seen = new CompletableFuture<>();
        AsyncObjectHandler slow = (object, out) -> CompletableFuture.runAsync(() -> {
            out.put("a", "b");
            seen.complete(object.keyText() + object.version());
        }, CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS));
        try (Harness<AsyncObjectHandler> harness = new Harness<>(slow).emits("/out")) {
            harness.warm("sample", "s");
            Check.equal("sample0", seen.getNow("not yet"), "seen");
            Check.equal(List.of(), harness.emitted(), "forgotten");
        }
    }

    /** Two kinds in one. */
    private abstract static class Both implements ObjectHandler, AsyncObjectHandler {}

    static void manyAreAnsweredFromManyThreads() {
        AsyncObjectHandler many = (object, out) -> CompletableFuture.runAsync(() -> {
            for (int index = 0; index < 10; index++) {
                out.put(object.keyText(), Integer.toString(index));
            }
        });
        try (Harness<AsyncObjectHandler> harness = new Harness<>(many).emits("/out")) {
            CompletableFuture<?>[] puts = new CompletableFuture<?>[2000];
            for (int index = 0; index < puts.length; index++) {
                puts[index] = harness.putAsync("key" + index, "");
            }
            CompletableFuture.allOf(puts).join();
            Check.equal(20_000, harness.emitted().size(), "all of them");
            int each = 0;
            for (Emitted emitted : harness.emitted()) {
                Check.equal(Integer.toString(each++ % 10), emitted.valueText(), "in order, object by object");
            }
        }
        Check.equal(
                "it is ObjectHandler and AsyncObjectHandler, which are called in different ways; make a class for each",
                Drivers.wrong(Both.class), "two kinds");
    }
}
