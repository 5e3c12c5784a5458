package upcall.tests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import upcall.AsyncEmitter;
import upcall.AsyncObject;
import upcall.AsyncObjectHandler;
import upcall.OpenContext;

/** Waits until it is cancelled, and writes what that was into the file that its setting names. */
public final class SaysHowItEnds implements AsyncObjectHandler {
    private final CompletableFuture<Void> written = new CompletableFuture<>();
    private Path file;
    private boolean begun;

    @Override
    public void onOpen(OpenContext open) {
        file = Path.of(open.setting("file"));
    }

    @Override
    public CompletableFuture<Void> onObject(AsyncObject object, AsyncEmitter out) throws Exception {
        object.onCancel(() -> write(object));
        begun = true;
        System.out.println("begun");
        System.out.flush();
        return new CompletableFuture<>();
    }

    private void write(AsyncObject object) {
        try {
            object.throwIfOver();
        } catch (RuntimeException over) {
            try {
                Files.writeString(file, over.getClass().getName());
                written.complete(null);
            } catch (IOException exception) {
                written.completeExceptionally(exception);
            }
        }
    }

    @Override
    public void onClose() throws Exception {
        if (begun) {
            written.get(10, TimeUnit.SECONDS);
        }
    }
}
