package upcall.tests;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import upcall.AsyncEmitter;
import upcall.AsyncObject;
import upcall.AsyncObjectHandler;
import upcall.Emitter;
import upcall.Log;
import upcall.OpenContext;

/** Waits as its value says and emits it; ends with how many it was at, at a time. */
public final class AnswersLater implements AsyncObjectHandler {
    private static final AtomicInteger OPEN = new AtomicInteger();
    private static final AtomicInteger MOST = new AtomicInteger();

    private Log log;

    @Override
    public void onOpen(OpenContext open) {
        log = open.log();
        after(1).join();
    }

    @Override
    public CompletableFuture<Void> onObject(AsyncObject object, AsyncEmitter out) {
        MOST.accumulateAndGet(OPEN.incrementAndGet(), Math::max);
        out.put(object.keyBytes(), "taken back where it fails");
        String what = object.valueText();
        CompletableFuture<Void> waited = switch (what) {
            case "at once" -> CompletableFuture.completedFuture(null);
            case "never" -> new CompletableFuture<>();
            case "deaf" -> after(100);
            case "interrupt" -> object.run(task -> new Thread(task).start(), () -> Thread.sleep(60_000));
            case "own" -> cancelled();
            default -> after(10);
        };
        return waited.whenComplete((nothing, thrown) -> OPEN.decrementAndGet()).thenRun(() -> {
            if (what.equals("fail")) {
                log.warn("about to fail " + object.keyText());
                throw new IllegalStateException("will not answer " + object.keyText());
            }
            if (what.equals("fail deep")) {
                deep(1000);
            }
            out.put(object.keyBytes(), what);
        });
    }

    @Override
    public void onFlush(Emitter out) {
        out.put("most", Integer.toString(MOST.get()));
    }

    @Override
    public CompletableFuture<Void> onFlush(AsyncEmitter out) {
        return after(1).thenRun(() -> out.put("flushed", "after a wait"));
    }

    private static CompletableFuture<Void> after(int milliseconds) {
        return CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(milliseconds, TimeUnit.MILLISECONDS));
    }

    private static CompletableFuture<Void> cancelled() {
        CompletableFuture<Void> own = new CompletableFuture<>();
        CompletableFuture.runAsync(() -> own.cancel(true));
        return own;
    }

    /** Throws with a stack that is longer than an engine has room for. */
    private static void deep(int more) {
        if (more == 0) {
            throw new IllegalStateException("deep down");
        }
        deep(more - 1);
    }
}
