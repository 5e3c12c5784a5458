package upcall;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Work for an object that answers later, on a thread that is interrupted when nobody waits for the object. */
final class Interruptible {
    private final AsyncObject.Work work;

    // Where it runs just now.
    private Thread thread;

    Interruptible(AsyncObject.Work work) {
        this.work = work;
    }

    CompletableFuture<Void> on(Executor executor, AsyncObject object) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        object.onCancel(this::interrupt);
        executor.execute(() -> {
            try {
                run(object);
                done.complete(null);
            } catch (Throwable thrown) {
                done.completeExceptionally(thrown);
            }
        });
        return done;
    }

    private void run(AsyncObject object) throws Exception {
        synchronized (this) {
            object.throwIfOver();
            thread = Thread.currentThread();
        }
        try {
            work.run();
        } finally {
            synchronized (this) {
                thread = null;
                // The thread is the executor's again, and the interruption was for the work.
                Thread.interrupted();
            }
        }
    }

    private synchronized void interrupt() {
        if (thread != null) {
            thread.interrupt();
        }
    }
}
