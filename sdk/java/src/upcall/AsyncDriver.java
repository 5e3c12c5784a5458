package upcall;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/**
 * Calls a handler that answers later. It has no thread of its own: a future completes on whatever thread, and answers the engine
 * there.
 */
final class AsyncDriver extends FlowDriver {
    private final AsyncObjectHandler handler;

    // By their frames, which the engine uses again once it is told that a call is over.
    private final Map<Long, AsyncCall> frames = new ConcurrentHashMap<>();

    // Until the engine has been told.
    private final Set<AsyncCall> open = ConcurrentHashMap.newKeySet();

    AsyncDriver(AsyncObjectHandler handler) {
        super(handler);
        this.handler = handler;
        lent.anyThread = true;
    }

    @Override
    String form() {
        return "object";
    }

    @Override
    void about(Description about) {
        super.about(about);
        about.say(Abi.About.ANSWERS_LATER, "", "");
    }

    @Override
    int run(long frame) {
        begin(frame);
        long items = Memory.getLong(frame + Abi.FlowFrame.ITEMS + Abi.Rel.LEN);
        if (Memory.getLong(frame + Abi.FrameHead.COMPLETE) == 0 || items != 1) {
            return waited(frame, (int) items);
        }
        session.item = 0;
        AsyncCall call = new AsyncCall(this, session, frame, 0);
        CompletableFuture<?> future;
        try {
            future = hand(call, frame, 0);
        } catch (Throwable thrown) {
            return call.end(thrown);
        }
        if (future.isDone()) {
            return call.end(outcome(future));
        }
        frames.put(frame, call);
        open.add(call);
        call.await(future);
        return Abi.Status.PENDING;
    }

    /** Objects that have to be answered in the call, one after the other. */
    private int waited(long frame, int items) {
        for (int index = 0; index < items; index++) {
            session.item = index;
            session.mark(frame);
            AsyncCall call = new AsyncCall(this, session, frame, index);
            Throwable thrown;
            try {
                thrown = outcome(hand(call, frame, index));
            } catch (Throwable failed) {
                thrown = failed;
            }
            if (call.end(thrown) != Abi.Status.OK) {
                return Abi.Status.FAILED;
            }
        }
        return Abi.Status.OK;
    }

    private CompletableFuture<?> hand(AsyncCall call, long frame, int index) throws Exception {
        long items = call.session.origin + Memory.getLong(frame + Abi.FlowFrame.ITEMS);
        AsyncObject object = new AsyncObject(call, items + (long) index * Abi.Item.BYTES);
        return checked(handler.onObject(object, new AsyncEmitter(call)), "onObject");
    }

    private static CompletableFuture<?> checked(CompletableFuture<?> future, String method) {
        if (future == null) {
            throw new NullPointerException(method + " has returned null in place of a future");
        }
        return future;
    }

    /** What it has failed with, or will; null where it has not. */
    private static Throwable outcome(CompletableFuture<?> future) {
        try {
            future.get();
            return null;
        } catch (ExecutionException exception) {
            return AsyncCall.cause(exception);
        } catch (Throwable thrown) {
            return thrown;
        }
    }

    @Override
    void flush(long frame) throws Exception {
        super.flush(frame);
        AsyncCall call = new AsyncCall(this, session, frame, Abi.Record.NO_ITEM);
        try {
            Throwable thrown = outcome(checked(handler.onFlush(new AsyncEmitter(call)), "onFlush"));
            if (thrown != null) {
                throw Memory.rethrown(thrown);
            }
        } finally {
            call.drop();
        }
    }

    @Override
    void cancel(long frame) {
        AsyncCall call = frames.get(Memory.getLong(frame + Abi.CancelFrame.CALL));
        if (call != null) {
            call.cancel(Over.of(Memory.getInt(frame + Abi.CancelFrame.WHY)), true);
        }
    }

    @Override
    void leave(boolean serviced) {
        // Who has one in hand just now answers it, and has done so when this returns.
        List.copyOf(open).forEach(call -> call.cancel(Over.CLOSED, serviced));
    }

    /** A call is over, and its frame may be another's as soon as the engine is told. */
    void forget(long frame, AsyncCall call) {
        frames.remove(frame, call);
    }

    /** The engine has been told. */
    void ended(AsyncCall call) {
        open.remove(call);
    }
}
