package upcall.flow;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicInteger;

/** Where futures are completed and subscribers called: a few threads, daemons, for all flows. An engine's own never wait for them. */
final class Threads {
    private static final ForkJoinPool POOL =
            new ForkJoinPool(Math.max(2, Runtime.getRuntime().availableProcessors()), Threads::named, null, true);

    private static final AtomicInteger STARTED = new AtomicInteger();

    private Threads() {}

    static void run(Runnable work) {
        POOL.execute(work);
    }

    private static ForkJoinWorkerThread named(ForkJoinPool pool) {
        ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
        thread.setName("upcall-futures-" + STARTED.incrementAndGet());
        return thread;
    }
}
