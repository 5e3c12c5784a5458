package upcall;

import java.nio.charset.StandardCharsets;

/** What an engine lends an instance until CLOSE, and the thread that it is for. */
final class Lent {
    private long services;
    private boolean open;

    /** The thread that calls the handler. */
    Thread thread = Thread.currentThread();

    /** Whether any thread may log: the handler answers later. Then the lock guards the rest. */
    boolean anyThread;

    private final Room room = new Room();

    void open(long services) {
        this.services = services;
        open = true;
        thread = Thread.currentThread();
    }

    /** The engine no longer listens. */
    synchronized void close() {
        services = 0;
        open = false;
    }

    synchronized void log(int level, String text) {
        if (!anyThread && Thread.currentThread() != thread) {
            throw new IllegalStateException(
                    "log from another thread than the handler's own: keep the text and log it in the handler's next call");
        }
        if (!open) {
            throw new IllegalStateException(
                    "log outside the handler's life: it begins with onOpen and ends with onClose");
        }
        if (services == 0) {
            // The engine keeps no log.
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long place = room.of(bytes.length);
        Memory.copy(bytes, 0, place, bytes.length);
        long context = Memory.getLong(services + Abi.Services.CONTEXT);
        Calls.to.log(Memory.getLong(services + Abi.Services.LOG), context, level, place, bytes.length);
    }
}
