package upcall.flow;

import java.util.concurrent.atomic.AtomicInteger;
import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;
import upcall.OpenContext;

/** A handler as `upcall run` loads it: each instance counts its objects. */
public final class Counts implements ObjectHandler {
    static final AtomicInteger OPENED = new AtomicInteger();
    static final AtomicInteger CLOSED = new AtomicInteger();

    private long count;

    @Override
    public void onOpen(OpenContext open) {
        OPENED.incrementAndGet();
    }

    @Override
    public void onObject(FlowObject object, Emitter out) {
        out.putLong(object.key(), ++count);
    }

    @Override
    public void onClose() {
        CLOSED.incrementAndGet();
    }
}
