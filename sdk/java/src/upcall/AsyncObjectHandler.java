package upcall;

import java.util.concurrent.CompletableFuture;

/**
 * A handler that answers later: it is called once per object, and returns a future that completes when it is done.
 *
 * <p>The method is called on the worker's thread, which it must not block; what it returns completes on whatever thread.
 * Meanwhile it is called with other objects: what an instance keeps, several of them use at once. A flow has as many open as its
 * {@code in_flight} says; those of one key come one after the other.
 *
 * <p>What it throws, or its future completes with, fails the object: what it emitted is forgotten, it is retried and then buried
 * as its flow says. Where the object has taken longer than its {@code deadline}, or the flow is stopped, the future is
 * cancelled, what {@link AsyncObject#onCancel} was given is run, and what the handler does from then on does not count.
 *
 * <pre>{@code
 * public class Fetch implements AsyncObjectHandler {
 *     private final HttpClient client = HttpClient.newHttpClient();
 *
 *     public CompletableFuture<?> onObject(AsyncObject object, AsyncEmitter out) {
 *         HttpRequest request = HttpRequest.newBuilder(URI.create(object.valueText())).build();
 *         return client.sendAsync(request, BodyHandlers.ofByteArray())
 *                 .thenAccept(answer -> out.put(object.keyText(), answer.body()));
 *     }
 * }
 * }</pre>
 */
@FunctionalInterface
public interface AsyncObjectHandler extends FlowHandler {
    /** Handles one object. What it emits is kept if what it returns completes. */
    CompletableFuture<?> onObject(AsyncObject object, AsyncEmitter out) throws Exception;

    /**
     * Called behind {@link #onFlush(Emitter)}, when no object is open; the worker waits for it.
     */
    default CompletableFuture<?> onFlush(AsyncEmitter out) throws Exception {
        return CompletableFuture.completedFuture(null);
    }
}
