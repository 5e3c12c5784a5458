package upcall;

import java.util.concurrent.CompletableFuture;

/** Gives a typed handler that answers later its objects as values: to its driver it is a handler of bytes. */
final class AsyncTypedDriver<I, O> implements AsyncObjectHandler {
    private final AsyncTypedHandler<I, O> handler;
    private final Typing typing;

    AsyncTypedDriver(AsyncTypedHandler<I, O> handler) {
        this.handler = handler;
        typing = Typing.of(handler.getClass(), AsyncTypedHandler.class);
    }

    @Override
    @SuppressWarnings("unchecked")
    public CompletableFuture<?> onObject(AsyncObject object, AsyncEmitter out) throws Exception {
        return handler.onObject((I) object.read(typing.takes()), object, new AsyncTypedEmitter<>(out, typing.gives()));
    }

    @Override
    public void onOpen(OpenContext open) throws Exception {
        typing.check(open.session);
        handler.onOpen(open);
    }

    @Override
    public CompletableFuture<?> onFlush(AsyncEmitter out) throws Exception {
        return handler.onFlush(new AsyncTypedEmitter<>(out, typing.gives()));
    }

    @Override
    public void describe(Description about) throws Exception {
        typing.describe(about);
        handler.describe(about);
    }

    @Override
    public void onClose() throws Exception {
        handler.onClose();
    }
}
