package upcall;

import java.util.concurrent.CompletableFuture;

/**
 * A handler that answers later, as {@link AsyncObjectHandler}, and takes values of one type and emits values of one type, as
 * {@link TypedHandler}.
 *
 * @param <I> what it takes
 * @param <O> what it emits
 */
public interface AsyncTypedHandler<I, O> extends Handler {
    /**
     * Handles one object. What it emits is kept if what it returns completes.
     *
     * @param value its value, which may be kept
     * @param object the object itself: key, version, time, the value's bytes, and what cancels it
     * @param out where to emit
     */
    CompletableFuture<?> onObject(I value, AsyncObject object, AsyncTypedEmitter<O> out) throws Exception;

    /** Called once, before anything else. What it throws stops the flow. */
    default void onOpen(OpenContext open) throws Exception {}

    /** Called when the input has ended, everything upstream is flushed and no object is open; the worker waits for it. */
    default CompletableFuture<?> onFlush(AsyncTypedEmitter<O> out) throws Exception {
        return CompletableFuture.completedFuture(null);
    }
}
