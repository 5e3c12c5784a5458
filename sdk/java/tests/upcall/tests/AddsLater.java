package upcall.tests;

import java.util.concurrent.CompletableFuture;
import upcall.AsyncObject;
import upcall.AsyncTypedEmitter;
import upcall.AsyncTypedHandler;
import upcall.FoundCopy;
import upcall.OpenContext;
import upcall.PoolId;

/** Adds a value to what its pool holds of a key, elsewhere after the read than before it. */
public final class AddsLater implements AsyncTypedHandler<String, String> {
    private PoolId sums;

    @Override
    public void onOpen(OpenContext open) {
        sums = open.pool("/sums");
    }

    @Override
    public CompletableFuture<Void> onObject(String value, AsyncObject object, AsyncTypedEmitter<String> out) {
        return CompletableFuture.supplyAsync(() -> new FoundCopy[] {out.get(sums, value)}).thenAcceptAsync(found -> {
            int before = found[0] == null ? 0 : Integer.parseInt(found[0].valueAs(String.class));
            out.putIf(sums, value, Integer.toString(before + 1), found[0] == null ? 0 : found[0].version());
        });
    }
}
