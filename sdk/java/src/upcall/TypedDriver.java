package upcall;

/** Gives a typed handler its objects as values: to the driver of objects it is a handler of bytes. */
final class TypedDriver<I, O> implements ObjectHandler {
    private final TypedHandler<I, O> handler;
    private final Typing typing;

    TypedDriver(TypedHandler<I, O> handler) {
        this.handler = handler;
        typing = Typing.of(handler.getClass(), TypedHandler.class);
    }

    @Override
    @SuppressWarnings("unchecked")
    public void onObject(FlowObject object, Emitter out) throws Exception {
        handler.onObject((I) object.read(typing.takes()), object, new TypedEmitter<>(out, typing.gives()));
    }

    @Override
    public void onOpen(OpenContext open) throws Exception {
        typing.check(open.session);
        handler.onOpen(open);
    }

    @Override
    public void onFlush(Emitter out) throws Exception {
        handler.onFlush(new TypedEmitter<>(out, typing.gives()));
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
