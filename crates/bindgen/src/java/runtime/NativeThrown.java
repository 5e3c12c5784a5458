// Made by upcall bindgen; do not edit.
package @PACKAGE@;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** What callbacks have thrown, until their callers throw it. */
final class NativeThrown {
    private NativeThrown() {}

    /** Whether any waits for its caller. */
    static volatile boolean any;

    private static final List<Kept> EXCEPTIONS = new ArrayList<>();

    private record Kept(Throwable thrown, Thread thread, NativeStubs.Cell<?> cell) {}

    /** Keeps what a callback has thrown. */
    static void keep(Throwable thrown, NativeStubs.Cell<?> cell) {
        Throwable reported = null;
        synchronized (EXCEPTIONS) {
            // One that is called by native threads and fails each time must not fill the memory.
            long same = EXCEPTIONS.stream().filter(other -> other.cell() == cell).count();
            if (same >= MOST) {
                reported = thrown;
            } else {
                EXCEPTIONS.add(new Kept(thrown, Thread.currentThread(), cell));
                any = true;
            }
        }
        if (reported != null) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, reported);
        }
    }

    /** So many exceptions of one callback are kept; more are reported as uncaught. */
    private static final int MOST = 16;

    /** Throws what this thread's callbacks have thrown, or these callbacks on whatever thread. */
    static void rethrow(NativeStubs.Cell<?>... cells) {
        Throwable first = null;
        synchronized (EXCEPTIONS) {
            Iterator<Kept> all = EXCEPTIONS.iterator();
            while (all.hasNext()) {
                Kept next = all.next();
                if (next.thread() != Thread.currentThread() && !List.of(cells).contains(next.cell())) {
                    continue;
                }
                all.remove();
                if (first == null) {
                    first = next.thrown();
                } else if (first != next.thrown()) {
                    first.addSuppressed(next.thrown());
                }
            }
            any = !EXCEPTIONS.isEmpty();
        }
        if (first != null) {
            throw Native.thrown(first);
        }
    }
}
